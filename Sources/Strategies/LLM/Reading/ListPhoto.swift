/// A photo of a list, in a format that models accept.
public struct ListPhoto: Sendable {
  /// An image format.
  public enum Format: String, Sendable, CaseIterable {
    case jpeg, png, webp, gif

    /// The format's name in requests.
    public var mediaType: String { "image/\(rawValue)" }
  }

  /// Why an image cannot be used.
  public enum Fault: Error, Sendable, Hashable {
    /// It is too large for a request: its size in bytes.
    case tooLarge(Int)
    /// It has another format: the name, if known.
    case otherFormat(String?)
    /// It is empty.
    case empty
  }

  /// The most bytes in an image: Anthropic's limit of 5 MB.
  public static let maximumBytes = 5 << 20

  /// The format, from the image's first bytes.
  public let format: Format
  /// The image.
  public let bytes: [UInt8]

  /// Checks an image.
  ///
  /// - Throws: `Fault`.
  public init(_ bytes: [UInt8]) throws(Fault) {
    if bytes.isEmpty { throw .empty }
    guard let format = Self.format(bytes) else { throw .otherFormat(Self.otherFormat(bytes)) }
    if bytes.count > Self.maximumBytes { throw .tooLarge(bytes.count) }
    self.format = format
    self.bytes = bytes
  }

  private static func format(_ bytes: [UInt8]) -> Format? {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if bytes.starts(with: Array("GIF87a".utf8)) || bytes.starts(with: Array("GIF89a".utf8)) { return .gif }
    if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) { return .webp }
    return nil
  }

  private static func otherFormat(_ bytes: [UInt8]) -> String? {
    let kind = bytes.dropFirst(4).prefix(8)
    if kind.starts(with: Array("ftyp".utf8)) {
      let brand = String(decoding: kind.dropFirst(4), as: UTF8.self)
      if brand.hasPrefix("hei") || brand.hasPrefix("hev") || brand == "mif1" { return "HEIC" }
      return brand.hasPrefix("avi") ? "AVIF" : "a video"
    }
    if bytes.starts(with: Array("%PDF".utf8)) { return "PDF" }
    if bytes.starts(with: Array("II*\0".utf8)) || bytes.starts(with: Array("MM\0*".utf8)) { return "TIFF" }
    if bytes.starts(with: Array("BM".utf8)) { return "BMP" }
    return nil
  }

  /// The image in Base64 (RFC 4648).
  var base64: String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let padding = UInt8(ascii: "=")
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
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
