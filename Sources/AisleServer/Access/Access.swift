import AisleFiles
import Hummingbird
import Synchronization

/// Says who sent a request: a token of the file, a JSON Web Token, or nobody, which on this machine may do everything.
final class Access: Sendable {
  private let isOpen: Bool
  private let file: TokenFile?
  private let webTokens: WebTokens?
  private let buckets: Buckets
  private let known: Mutex<Known>

  /// The tokens as they were read.
  private struct Known {
    var tokens: [Token] = []
    var stamp: UInt64?
    var looked = ContinuousClock.now
  }

  /// How long the tokens may stay unread after their file has changed.
  private static let patience = Duration.milliseconds(500)

  /// - Throws: `FileError`, `ServerError` for keys that cannot be read.
  init(_ settings: ServerSettings) async throws {
    isOpen = settings.isLoopback
    file = settings.tokens
    buckets = Buckets(rate: settings.rate)
    var webTokens: WebTokens?
    if let issuer = settings.issuer { webTokens = try await WebTokens(issuer) }
    self.webTokens = webTokens
    known = Mutex(Known())
    let tokens = try read()
    if !isOpen, tokens.isEmpty, webTokens == nil {
      throw ServerError(
        "--host \(settings.host) lets other machines in, so they need tokens; make the first with "
          + "`aisle serve token add NAME --can teach`")
    }
  }

  /// Whether a caller needs a token.
  var needsToken: Bool { !isOpen }

  /// Who sent a request.
  ///
  /// - Throws: `Problem` where they may not do it, or have done too much of it.
  func caller(of request: Request, needing permission: Permission) async throws -> Caller {
    try admit(try await caller(with: request.headers[.authorization]), needing: permission)
  }

  /// Who a token belongs to that was typed into a form.
  ///
  /// - Throws: `Problem` where they may not do it, or have done too much of it.
  func caller(withToken token: String, needing permission: Permission) async throws -> Caller {
    try admit(try await caller(withToken: token[...]), needing: permission)
  }

  /// Whether somebody whose request with this header was taken may go on: a token may be revoked, or run out.
  func mayGoOn(with authorization: String?, needing permission: Permission) async -> Bool {
    guard let caller = try? await caller(with: authorization) else { return false }
    return caller.permission >= permission
  }

  private func admit(_ caller: Caller, needing permission: Permission) throws -> Caller {
    guard caller.permission >= permission else {
      throw Problem(
        .forbidden, "this token only permits `\(caller.permission.rawValue)`; use one that permits `\(permission.rawValue)`")
    }
    if let name = caller.name, let wait = buckets.take(name) {
      throw Problem(.tooManyRequests, "too many requests from one token; wait \(wait) s", [.retryAfter: "\(wait)"])
    }
    return caller
  }

  private func caller(with authorization: String?) async throws -> Caller {
    guard let header = authorization else {
      if isOpen { return Caller(name: nil, permission: .check) }
      throw Self.refused("send a token in the header `Authorization: Bearer …`; `aisle serve token add` makes one")
    }
    guard header.lowercased().hasPrefix("bearer "), case let text = header.dropFirst(7), !text.isEmpty else {
      throw Self.refused("the header `Authorization` must be `Bearer` and a token")
    }
    return try await caller(withToken: text)
  }

  private func caller(withToken text: Substring) async throws -> Caller {
    // A JSON Web Token has two dots, a token of the file none.
    if text.contains("."), let webTokens { return try await webTokens.caller(String(text)) }
    let digest = Array(TokenFile.digest(String(text)).utf8)
    var found: Token?
    for token in try read() where Self.areEqual(Array(token.digest.utf8), digest) { found = token }
    guard let found else { throw Self.refused("there is no such token, or it was revoked") }
    return Caller(name: found.name, permission: found.permission)
  }

  static func refused(_ detail: String) -> Problem { Problem(.unauthorized, detail, [.wwwAuthenticate: "Bearer"]) }

  /// Whether two digests are the same, in a time that does not depend on where they differ.
  private static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// The tokens as the file has them.
  private func read() throws -> [Token] {
    guard let file else { return [] }
    return try known.withLock { known in
      let now = ContinuousClock.now
      if known.stamp != nil, now - known.looked < Self.patience { return known.tokens }
      let stamp = FileStamp.of([file.path])
      if stamp != known.stamp { known.tokens = try file.tokens() }
      (known.stamp, known.looked) = (stamp, now)
      return known.tokens
    }
  }
}

/// Why a server cannot start.
package struct ServerError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
