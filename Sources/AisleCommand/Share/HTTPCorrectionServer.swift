import AisleCore
import HTTPTransport
import LearnedStrategy

/// A server that keeps corrections, reached over HTTP: what `aisle serve` starts.
struct HTTPCorrectionServer: CorrectionServer {
  private let url: HTTPURL
  private let token: Secret?
  private let client: HTTPClient

  /// How often a server that is busy is asked again, and how long it may be waited for each time.
  private static let retries = 2
  private static let longestPause = 10

  /// Reaches a server.
  ///
  /// - Throws: `HTTPError.noLibrary`.
  init(_ url: HTTPURL, token: Secret?) throws(HTTPError) {
    self.url = url
    self.token = token
    client = try HTTPClient(interruption: Interruption.wakeUp)
  }

  var name: String { url.description }

  func changes(after cursor: String?, limit: Int) async throws -> ChangePage {
    let place = cursor.map { "&after=\(Self.escaped($0))" } ?? ""
    let answer = try await send(.get, "?limit=\(limit)\(place)")
    do { return try SharedChangeJSON.readPage(answer) } catch { throw strange(error) }
  }

  func send(_ changes: [SharedChange]) async throws -> ChangeReceipt {
    let answer = try await send(.post, "", SharedChangeJSON.body(changes))
    do { return try SharedChangeJSON.readReceipt(answer) } catch { throw strange(error) }
  }

  /// A cursor in a query: servers choose what they are made of.
  private static func escaped(_ text: String) -> String {
    text.utf8.map { byte in
      let isPlain = byte.isASCIIDigit || byte.isASCIILetter || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      return isPlain ? String(UnicodeScalar(byte)) : (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  // MARK: Asking

  private func send(_ method: HTTPRequest.Method, _ query: String, _ body: [UInt8] = []) async throws -> [UInt8] {
    var headers = [HTTPRequest.Header("accept", "application/json")]
    if method == .post { headers.append(.init("content-type", "application/json")) }
    if let token { headers.append(.init("authorization", prefix: "Bearer ", secret: token)) }
    // A page that is asked for is under 1 MiB as aisle writes it; other servers may write it longer.
    let limits = HTTPRequest.Limits(responseBytes: 8 << 20)
    do {
      let request = HTTPRequest(method, try url.appending("/v1/changes" + query), headers: headers, body: body, limits: limits)
      var retries = 0
      while true {
        let response = try await client.send(request)
        if [429, 503].contains(response.status), retries < Self.retries {
          retries += 1
          let seconds = min(response["retry-after"].flatMap { Int($0) } ?? 1, Self.longestPause)
          try await Interruption.ending { try await Task.sleep(for: .seconds(max(seconds, 0))) }
          continue
        }
        if response.status == 200 { return response.body }
        let isTrouble = response.status == 429 || response.status >= 500 && response.status != 501
        throw ServerFailure(isTrouble ? .unreachable : .refused, "\(url): \(remedy(response))")
      }
    } catch let error as HTTPError {
      throw failure(error)
    }
  }

  // MARK: What went wrong

  private func failure(_ error: HTTPError) -> ServerFailure {
    switch error {
    case .unknownHost: ServerFailure(.unreachable, "\(url): no such host; check the address and the network")
    case .cannotConnect:
      ServerFailure(.unreachable, "\(url): no answer; check the address, and that `aisle serve` is running there")
    case .timedOut: ServerFailure(.unreachable, "\(url): took too long to answer; try again")
    case .lost(_, let reason): ServerFailure(.unreachable, "\(url): the connection was lost (\(reason)); try again")
    case .untrusted(_, let reason):
      ServerFailure(
        .refused, "\(url): no secure connection (\(reason)); check its certificate, or name one to trust with SSL_CERT_FILE")
    case .tooLarge(_, let limit):
      ServerFailure(.refused, "\(url): answered with more than \(limit) bytes; check that it is the address of `aisle serve`")
    case .badURL, .noLibrary: ServerFailure(.refused, error.description)
    }
  }

  private func remedy(_ response: HTTPResponse) -> String {
    let said = said(response)
    let why = said.map { " (\($0))" } ?? ""
    switch response.status {
    case 401:
      return token == nil
        ? "needs a token; name its file with --token-file, or set AISLE_TOKEN"
        : "the token is wrong or was revoked; `aisle serve token add NAME --can teach` on the server makes another"
    case 403:
      return "the token may not do this\(why); `aisle serve token add NAME --can teach` on the server makes one that may"
    case 404, 405, 501: return "not an aisle server (\(response.status) at /v1/changes); check the address, or update aisle there"
    case 300..<400:
      let place = response["location"].map { " to \(hidden(String($0.prefix(200))))" } ?? ""
      return "redirects\(place); name the address that it leads to"
    case 429, 503: return "is busy\(why); try again later"
    case 400, 413, 415, 422: return "did not accept the changes (\(said ?? "\(response.status)")); update aisle here or there"
    case let status: return "failed (\(status)\(said.map { ": \($0)" } ?? "")); see the server's messages"
    }
  }

  /// What a server says about itself in a problem (RFC 9457).
  private func said(_ response: HTTPResponse) -> String? {
    guard let body = try? JSONValue(response.body), let text = body["detail"]?.string ?? body["title"]?.string, !text.isEmpty
    else {
      return nil
    }
    return hidden(String(text.prefix(300)))
  }

  /// A text of a server, which knows the token, without it.
  private func hidden(_ text: String) -> String { token?.hidden(in: text) ?? text }

  private func strange(_ fault: JSONFault) -> ServerFailure {
    ServerFailure(.refused, "\(url): not what an aisle server answers (\(fault.placeless)); check the address, or update aisle")
  }
}

extension CorrectionSync.Fault {
  /// What is wrong with a server's changes, and what to do.
  func failure(at server: HTTPCorrectionServer) -> ServerFailure {
    switch self {
    case .stuck: ServerFailure(.unreachable, "\(server.name): gives the same changes again and again; update aisle there")
    case .unfit(let reason):
      ServerFailure(
        .unreachable, "\(server.name): has a change that this aisle cannot keep (\(reason)); update aisle here or there")
    }
  }
}

/// A server that could not be used: which, why, and what to do.
struct ServerFailure: Error, CustomStringConvertible {
  enum Kind {
    /// It may be there later: no answer, too much to do, or trouble of its own.
    case unreachable
    /// Asking again brings nothing.
    case refused
  }

  let kind: Kind
  let description: String

  init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }
}
