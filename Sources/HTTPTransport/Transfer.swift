import CCurl
import Synchronization

/// A request on its way: libcurl's handle for it, what has come back so far, and who waits for it.
///
/// Unchecked: all but `state` is used on the loop's thread alone.
final class Transfer: @unchecked Sendable {
  private struct State {
    var continuation: CheckedContinuation<HTTPResponse, any Error>?
    var isCancelled = false
  }

  let request: HTTPRequest
  private(set) var handle: CurlLibrary.Handle?
  private let state = Mutex(State())
  private var lines: CurlLibrary.Lines?
  private var headers: [String: String] = [:]
  private var headerBytes = 0
  private var body: [UInt8] = []
  /// How many bytes of the request's body libcurl has taken.
  private var given = 0
  private var isTooLarge = false

  /// The most bytes of a response's headers.
  private static let headerLimit = 1 << 16

  init(_ request: HTTPRequest) { self.request = request }

  func begin(_ continuation: CheckedContinuation<HTTPResponse, any Error>) {
    state.withLock { $0.continuation = continuation }
  }

  /// Asks the loop to give up; it must be woken after.
  func cancel() { state.withLock { $0.isCancelled = true } }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Hands the outcome to who waits; only the first counts.
  func finish(_ result: Result<HTTPResponse, any Error>) {
    let waiting = state.withLock { state in
      defer { state.continuation = nil }
      return state.continuation
    }
    waiting?.resume(with: result)
  }

  /// Makes libcurl's handle; `false` when there is no memory for it.
  ///
  /// - Parameter certificates: A file with the certificates to trust; `nil` for the system's.
  func prepare(_ curl: CurlLibrary, certificates: String?) -> Bool {
    guard let handle = curl.easyInit() else { return false }
    self.handle = handle
    func set(_ option: CURLoption, _ value: Int) { _ = aisle_curl_set_long(curl.setOption, handle, option, value) }
    func set(_ option: CURLoption, _ value: String) { _ = aisle_curl_set_text(curl.setOption, handle, option, value) }
    func set(_ option: CURLoption, _ value: UnsafeRawPointer?) {
      _ = aisle_curl_set_pointer(curl.setOption, handle, option, value)
    }
    let context = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    let isSecure = request.url.description.hasPrefix("https:")
    set(CURLOPT_URL, request.url.description)
    set(CURLOPT_PROTOCOLS, Int(isSecure ? CURLPROTO_HTTPS : CURLPROTO_HTTP))
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    if let certificates { set(CURLOPT_CAINFO, certificates) }
    set(CURLOPT_CONNECTTIMEOUT_MS, request.limits.connect.milliseconds)
    set(CURLOPT_TIMEOUT_MS, request.limits.total.milliseconds)
    set(CURLOPT_LOW_SPEED_LIMIT, 1)
    set(CURLOPT_LOW_SPEED_TIME, max(1, request.limits.idle.milliseconds / 1_000))
    set(CURLOPT_USERAGENT, "aisle")
    if isSecure {
      set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
      // Waits for the first connection to say whether it takes several requests at once, instead of opening as many connections.
      set(CURLOPT_PIPEWAIT, 1)
    } else {
      set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
      // A proxy would read what is only for this machine or the home's network.
      set(CURLOPT_PROXY, "")
    }
    for line in request.headers.map(\.line) + ["Expect:"] { lines = curl.appendLine(lines, line) ?? lines }
    set(CURLOPT_HTTPHEADER, UnsafeRawPointer(lines))
    if request.method == .post {
      set(CURLOPT_POST, 1)
      _ = aisle_curl_set_offset(curl.setOption, handle, CURLOPT_POSTFIELDSIZE_LARGE, Int64(request.body.count))
      // libcurl sends a request anew, and says nothing of it, where a connection that was used before ends without an answer. The server may
      // have taken the first one all the same, and a second one costs money that nobody counts. From a callback that cannot go back to the
      // start it cannot: the request fails, and whoever sent it decides.
      set(CURLOPT_READDATA, context)
      _ = aisle_curl_set_callback(curl.setOption, handle, CURLOPT_READFUNCTION) { bytes, size, count, context in
        Transfer.of(context)?.giveBody(bytes, size &* count) ?? 0
      }
    }
    set(CURLOPT_PRIVATE, context)
    set(CURLOPT_WRITEDATA, context)
    set(CURLOPT_HEADERDATA, context)
    _ = aisle_curl_set_callback(curl.setOption, handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      Transfer.of(context)?.takeBody(bytes, size &* count) ?? 0
    }
    _ = aisle_curl_set_callback(curl.setOption, handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      Transfer.of(context)?.takeHeader(bytes, size &* count) ?? 0
    }
    return true
  }

  /// Frees libcurl's handle.
  func cleanUp(_ curl: CurlLibrary) {
    if let handle { curl.easyCleanup(handle) }
    curl.freeLines(lines)
    (handle, lines) = (nil, nil)
  }

  /// What came back, once libcurl says that the transfer has ended.
  func outcome(_ code: CURLcode, _ curl: CurlLibrary) -> Result<HTTPResponse, any Error> {
    let host = request.url.host
    if isTooLarge { return .failure(HTTPError.tooLarge(host, request.limits.responseBytes)) }
    if code == CURLE_OK {
      var status = 0
      if let handle { _ = aisle_curl_get_long(curl.getInfo, handle, CURLINFO_RESPONSE_CODE, &status) }
      return .success(HTTPResponse(status: status, headers: headers, body: body))
    }
    var sent = 0
    if let handle { _ = aisle_curl_get_long(curl.getInfo, handle, CURLINFO_REQUEST_SIZE, &sent) }
    let reason = curl.describe(code).map { String(cString: $0).lowercased() } ?? "error \(code.rawValue)"
    let error: HTTPError =
      switch code {
      case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .unknownHost(host)
      case CURLE_COULDNT_CONNECT: .cannotConnect(host)
      case CURLE_OPERATION_TIMEDOUT where sent == 0: .cannotConnect(host)
      case CURLE_OPERATION_TIMEDOUT: .timedOut(host)
      case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
        CURLE_SSL_ISSUER_ERROR:
        .untrusted(host, reason)
      // It speaks no TLS, or the connection broke before it could say who it is.
      case CURLE_SSL_CONNECT_ERROR: .lost(host, "no secure connection: \(reason)")
      case CURLE_SEND_FAIL_REWIND: .lost(host, "server closed the connection instead of an answer")
      case CURLE_URL_MALFORMAT: .badURL(request.url.description, reason)
      case CURLE_UNSUPPORTED_PROTOCOL: .lost(host, "the server does not speak HTTP")
      default: .lost(host, reason)
      }
    return .failure(error)
  }

  // MARK: Callbacks

  private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The next bytes of the request.
  private func giveBody(_ bytes: UnsafeMutablePointer<CChar>?, _ room: Int) -> Int {
    let next = request.body[given...].prefix(room)
    UnsafeMutableRawBufferPointer(start: bytes, count: room).copyBytes(from: next)
    given += next.count
    return next.count
  }

  /// Any other number than `count` ends the transfer.
  private func takeBody(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    guard body.count + count <= request.limits.responseBytes else {
      isTooLarge = true
      return 0
    }
    body.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
    return count
  }

  private func takeHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    headerBytes += count
    guard headerBytes <= Self.headerLimit else {
      isTooLarge = true
      return 0
    }
    let line = String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    if line.hasPrefix("HTTP/") {
      headers.removeAll()
    } else if let colon = line.firstIndex(of: ":") {
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      headers[line[..<colon].lowercased()] = String(value.prefix { $0 != "\r" && $0 != "\n" && $0 != "\r\n" })
    }
    return count
  }
}

extension Duration {
  /// The time in whole milliseconds; at least 1, since 0 means no limit to libcurl.
  fileprivate var milliseconds: Int {
    let (seconds, attoseconds) = components
    return max(1, Int(clamping: seconds) &* 1_000 &+ Int(attoseconds / 1_000_000_000_000_000))
  }
}
