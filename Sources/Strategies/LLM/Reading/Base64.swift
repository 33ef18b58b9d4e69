/// Bytes as text (RFC 4648).
enum Base64 {
  /// How many digits so many bytes have.
  static func count(of bytes: Int) -> Int { (bytes + 2) / 3 * 4 }

  /// The text of bytes.
  static func text(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let padding = UInt8(ascii: "=")
    var text: [UInt8] = []
    text.reserveCapacity(count(of: bytes.count))
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let (second, third) = (start + 1 < bytes.count, start + 2 < bytes.count)
      let group =
        Int(bytes[start]) << 16 | (second ? Int(bytes[start + 1]) << 8 : 0) | (third ? Int(bytes[start + 2]) : 0)
      text.append(digits[group >> 18])
      text.append(digits[group >> 12 & 63])
      text.append(second ? digits[group >> 6 & 63] : padding)
      text.append(third ? digits[group & 63] : padding)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
