/// An address that requests may go to: `https` anywhere, `http` only to this machine.
///
/// Parsed strictly, so that no two parsers can disagree about its destination: no user name, no spaces, no backslashes.
public struct HTTPURL: Sendable, Hashable, CustomStringConvertible {
  /// The address as written, without a trailing slash.
  public let description: String
  /// The host, without its port.
  public let host: String

  /// Reads an address.
  ///
  /// - Throws: `HTTPError.badURL`, which says what is wrong with it.
  public init(_ text: String) throws(HTTPError) {
    let isSecure = text.hasPrefix("https://")
    guard isSecure || text.hasPrefix("http://") else { throw .badURL(text, "write https://host/path") }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "\"") }) else {
      throw .badURL(text, "it contains spaces or other characters that are not allowed in an address")
    }
    guard !text.utf8.contains(UInt8(ascii: "#")) else { throw .badURL(text, "remove the part that begins with #") }
    let rest = text.dropFirst(isSecure ? 8 : 7)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    guard !authority.contains("@") else { throw .badURL(text, "it has a user name; remove it") }
    let (host, port) = Self.split(authority)
    guard Self.isHost(host) else { throw .badURL(text, "the host is missing or misspelled") }
    guard port.isEmpty || (1...65_535).contains(Int(port) ?? 0) else { throw .badURL(text, "the port must be 1 to 65535") }
    self.host = host.lowercased()
    var written = text
    while written.hasSuffix("/"), written.count > (isSecure ? 9 : 8) { written.removeLast() }
    description = written
    if !isSecure, !isLoopback { throw .badURL(text, "http is only allowed to this machine; write https://…") }
  }

  /// Whether it leads to this machine.
  public var isLoopback: Bool {
    if host == "localhost" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// The address with a path added; `path` begins with a slash.
  public func appending(_ path: String) throws(HTTPError) -> HTTPURL { try HTTPURL(description + path) }

  private static func split(_ authority: Substring) -> (host: String, port: String) {
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
      let after = authority[authority.index(after: end)...]
      return (String(authority[...end]), after.hasPrefix(":") ? String(after.dropFirst()) : String(after))
    }
    guard let colon = authority.firstIndex(of: ":") else { return (String(authority), "") }
    let port = String(authority[authority.index(after: colon)...])
    return (String(authority[..<colon]), port.isEmpty ? "?" : port)
  }

  private static func isHost(_ host: String) -> Bool {
    if host.hasPrefix("[") {
      return host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." } && host.count > 3
    }
    return !host.isEmpty
      && host.utf8.allSatisfy { byte in
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
          || byte == UInt8(ascii: "_")
      }
  }
}
