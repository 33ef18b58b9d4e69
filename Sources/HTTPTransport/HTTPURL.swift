/// An address that requests may go to: `https` anywhere, `http` only to this machine, or within the home's network where that is allowed.
///
/// Parsed strictly, so that no two parsers can disagree about its destination: no user name, no spaces, no backslashes.
public struct HTTPURL: Sendable, Hashable, CustomStringConvertible {
  /// The address as written, without a trailing slash.
  public let description: String
  /// The host, without its port.
  public let host: String

  /// How far `http` may reach, which others on the way can read.
  public enum PlainReach: Sendable, Hashable {
    /// This machine.
    case thisMachine
    /// Also machines of the same private network (RFC 1918, 3927, 4193, 4291, 6762, 8375), by address or by name.
    case privateNetwork
  }

  private let plainReach: PlainReach

  /// Reads an address.
  ///
  /// - Throws: `HTTPError.badURL`, which says what is wrong with it.
  public init(_ text: String, plain plainReach: PlainReach = .thisMachine) throws(HTTPError) {
    self.plainReach = plainReach
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
    if isSecure || isLoopback || plainReach == .privateNetwork && isPrivate { return }
    let place = plainReach == .thisMachine ? "to this machine" : "within a private network"
    throw .badURL(text, "http is only allowed \(place); write https://…")
  }

  /// Whether it leads to this machine.
  public var isLoopback: Bool {
    host == "localhost" || host == "[::1]" || bytes?.first == 127
  }

  /// The four numbers of an address; `nil` for a name, and for numbers with a leading zero, which libcurl reads as octal.
  private var bytes: [UInt8]? {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    let bytes = parts.compactMap { $0.count > 1 && $0.first == "0" ? nil : UInt8($0) }
    return parts.count == 4 && bytes.count == 4 ? bytes : nil
  }

  /// Whether it leads to a machine of a private network: a private or link-local address, or a name that no public server has.
  private var isPrivate: Bool {
    if host.hasPrefix("[") {
      let first = UInt16(host.dropFirst().prefix { $0 != ":" }, radix: 16) ?? 0
      return 0xFC00...0xFDFF ~= first || 0xFE80...0xFEBF ~= first
    }
    if let bytes {
      switch (bytes[0], bytes[1]) {
      case (10, _), (192, 168), (172, 16...31), (169, 254): return true
      default: return false
      }
    }
    // What begins with a digit may be an address in another form, such as 0x8080808.
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    guard let last = parts.last, last.first?.isLetter == true else { return false }
    return parts.count == 1 || ["local", "lan", "internal"].contains(last) || host.hasSuffix(".home.arpa")
  }

  /// The address with a path added; `path` begins with a slash.
  public func appending(_ path: String) throws(HTTPError) -> HTTPURL { try HTTPURL(description + path, plain: plainReach) }

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
