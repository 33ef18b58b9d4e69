public import HTTPTransport

/// Why a request failed.
public struct ModelFailure: Error, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public enum Kind: Sendable, Hashable {
    /// There was no response.
    case transport(HTTPError)
    /// The response has a status other than 200.
    case status(Int)
    /// The response does not follow the API.
    case badReply
  }

  /// What kind of failure it is.
  public let kind: Kind
  /// The API's own name for it, e.g. `overloaded_error`; empty if it gave none.
  public let type: String
  /// What happened, in one line that is safe to show.
  public let message: String
  /// What the failed request took all the same, by the answer.
  let claim: UsageClaim
  /// What to do where the request is too large for the server; empty where nothing can be done.
  private let sizeRemedy: String

  init(_ kind: Kind, _ message: String, type: String = "", claim: UsageClaim = UsageClaim(), sizeRemedy: String = "") {
    self.kind = kind
    self.message = Self.printable(message)
    self.type = Self.printable(type)
    self.claim = claim
    self.sizeRemedy = sizeRemedy
  }

  /// A failure to get a response.
  init(_ error: HTTPError) {
    // What was too large to be read may all be of the model's making.
    let claim = if case .tooLarge(_, let limit) = error { UsageClaim(answerBytes: limit) } else { UsageClaim() }
    self.init(.transport(error), "", claim: claim)
  }

  /// Reads a response that says what went wrong. A server may repeat the key that it was sent; it is taken out.
  init(_ response: HTTPResponse, type: String, message: String, key: Secret?, sizeRemedy: String = "") {
    func clean(_ text: String) -> String {
      // More than is ever shown; an answer may be a mebibyte.
      let start = String(text.unicodeScalars.prefix(2_000))
      return key?.hidden(in: start) ?? start
    }
    self.init(.status(response.status), clean(message), type: clean(type), sizeRemedy: sizeRemedy)
  }

  /// What happened and what to do, in one line.
  public var description: String {
    switch kind {
    case .transport(let error): return error.description
    case .badReply: return message
    case .status(let status):
      let said = [type, message].filter { !$0.isEmpty }.joined(separator: ": ")
      return "answered \(status)" + (said.isEmpty ? "" : " (\(said))") + remedy(status)
    }
  }

  /// The description, with the host before it.
  func text(from host: String) -> String {
    let text = description
    return text.hasPrefix(host) ? text : "\(host) \(text)"
  }

  private func remedy(_ status: Int) -> String {
    if isSpendLimit { return "; the account's limit is reached; raise it, or wait" }
    if isTooLarge { return sizeRemedy.isEmpty ? "" : "; \(sizeRemedy)" }
    switch status {
    case 401: return "; check the key"
    case 403: return type == "scan_limit_reached" ? "" : "; the key does not have permission"
    case 404: return "; check the model's name and the address"
    case 300..<400: return "; redirects are not followed; use the final address"
    default: return ""
    }
  }

  /// Whether the account has nothing left to spend: then no request can succeed.
  private var isSpendLimit: Bool {
    if ["billing_error", "insufficient_quota", "billing_hard_limit_reached"].contains(type) { return true }
    guard kind == .status(429) || kind == .status(400) else { return false }
    let message = message.lowercased()
    return ["spend limit", "spending limit", "usage limits", "credit balance", "billing", "quota"].contains {
      message.contains($0)
    }
  }

  /// Whether a content filter in front of the model has refused the request, as Azure's and OpenAI's do.
  var isFiltered: Bool {
    kind == .status(400) && ["content_filter", "content_policy_violation", "invalid_prompt"].contains(type)
  }

  /// Whether the request is too large for the server, or an image in it, which some servers count in Base64.
  var isTooLarge: Bool {
    let message = message.lowercased()
    return kind == .status(413)
      || kind == .status(400) && message.contains("image")
        && ["exceeds", "too large", "maximum"].contains { message.contains($0) }
  }

  /// Whether the connection ended before the response was whole.
  var isBrokenConnection: Bool {
    if case .transport(.lost) = kind { true } else { false }
  }

  /// Whether the server says that it did not do what it was asked for, or never heard of it: then nothing is charged. What it may have
  /// done before it failed, fell silent or broke off may be.
  var isUntaken: Bool {
    switch kind {
    case .transport(let error): error.isUnsent
    case .status(let status): (300..<500).contains(status) && status != 408
    case .badReply: false
    }
  }

  /// Whether every further request would fail the same way.
  var isFinal: Bool {
    switch kind {
    case .transport(let error):
      switch error {
      case .noLibrary, .badURL, .untrusted: true
      case .unknownHost, .cannotConnect, .timedOut, .lost, .tooLarge: false
      }
    case .status(let status): [401, 402, 403, 404].contains(status) || (300..<400).contains(status) || isSpendLimit
    case .badReply: false
    }
  }

  /// Whether the same request may well succeed a moment later. What the server says in `x-should-retry` counts more.
  func isRetryable(_ response: HTTPResponse?) -> Bool {
    if isSpendLimit { return false }
    switch response?["x-should-retry"] {
    case "true": return true
    case "false": return false
    default: break
    }
    switch kind {
    case .transport(let error): return error.isTransient
    case .status(let status): return [408, 409, 429].contains(status) || status >= 500
    case .badReply: return false
    }
  }

  /// A text with what could harm a terminal taken out, cut to a readable length.
  private static func printable(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(300) {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: scalars.append(" ")
      default: scalars.append(scalar)
      }
    }
    return String(scalars).split(separator: " ").joined(separator: " ")
  }
}
