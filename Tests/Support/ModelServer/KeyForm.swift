import Foundation

/// The ways in which a server may give back a key that it was sent.
public enum KeyForm: String, Sendable, CaseIterable {
  case plain, reversed, upper, lower, withoutFirst, withoutLast, firstHalf, lastHalf, spaced, hyphened, hexadecimal,
    hexadecimalUpper
  case hexadecimalSpaced, base64, base64After1, base64After2, base64URL, base64Reversed, base64Upper, percent, percentAll,
    percentReversed

  /// A key in this form.
  public func callAsFunction(_ key: String) -> String {
    switch self {
    case .plain: key
    case .reversed: String(key.reversed())
    case .upper: key.uppercased()
    case .lower: key.lowercased()
    case .withoutFirst: String(key.dropFirst())
    case .withoutLast: String(key.dropLast())
    case .firstHalf: String(key.prefix(key.count / 2 + 1))
    case .lastHalf: String(key.suffix(key.count / 2 + 1))
    case .spaced: key.map(String.init).joined(separator: " ")
    case .hyphened: key.map(String.init).joined(separator: "-")
    case .hexadecimal: key.utf8.map { String(format: "%02x", $0) }.joined()
    case .hexadecimalUpper: key.utf8.map { String(format: "%02X", $0) }.joined()
    case .hexadecimalSpaced: key.utf8.map { String(format: "%02x", $0) }.joined(separator: ":")
    case .base64: Data(key.utf8).base64EncodedString()
    case .base64After1: Data("x\(key)y".utf8).base64EncodedString()
    case .base64After2: Data("Bearer x\(key)yy".utf8).base64EncodedString()
    case .base64URL:
      Data(key.utf8).base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
    case .base64Reversed: Data(String(key.reversed()).utf8).base64EncodedString()
    case .base64Upper: Data(key.uppercased().utf8).base64EncodedString()
    case .percent: key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? key
    case .percentAll: key.utf8.map { String(format: "%%%02x", $0) }.joined()
    case .percentReversed: key.utf8.reversed().map { String(format: "%%%02X", $0) }.joined()
    }
  }

  /// Whether two texts share a run of so many letters and digits, in any case and whatever stands between.
  public static func share(_ text: some Sequence<UInt8>, _ form: String, run length: Int) -> Bool {
    let (one, other) = (letters(text), letters(form.utf8))
    guard one.count >= length, other.count >= length else { return false }
    let runs = Set((0...other.count - length).map { other[$0..<$0 + length] })
    return (0...one.count - length).contains { runs.contains(one[$0..<$0 + length]) }
  }

  private static func letters(_ text: some Sequence<UInt8>) -> [UInt8] {
    text.compactMap { byte in
      switch byte {
      case 0x61...0x7A, 0x30...0x39: byte
      case 0x41...0x5A: byte | 0x20
      default: nil
      }
    }
  }
}
