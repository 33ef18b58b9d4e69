/// An image format that photos come in.
public enum PhotoFormat: String, Sendable, CaseIterable {
  case jpeg, png, webp, heic

  /// The format of an image, from its first bytes; `nil` if it is none of these.
  init?(_ bytes: [UInt8]) {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
      self = .webp
    } else if let brand = Self.brand(bytes), Self.stillBrands.contains(brand) {
      self = .heic
    } else {
      return nil
    }
  }

  /// What another file is, for messages; `nil` if it is not known.
  static func otherName(_ bytes: [UInt8]) -> String? {
    if brand(bytes) != nil { return "a video" }
    let names = [
      "GIF8": "a GIF", "%PDF": "a PDF", "II*\0": "a TIFF", "MM\0*": "a TIFF", "BM": "a BMP", "\0\0\u{1}\0": "an icon",
    ]
    return names.first { bytes.starts(with: $0.key.utf8) }?.value
  }

  /// The brands of HEIF files with one still image (ISO/IEC 23008-12, 10), and of AVIF, which the same library reads.
  private static let stillBrands: Set<String> = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis",
  ]

  /// The main brand of a file in the family of MP4.
  private static func brand(_ bytes: [UInt8]) -> String? {
    guard bytes.count >= 12, bytes[4..<8].elementsEqual("ftyp".utf8) else { return nil }
    return String(decoding: bytes[8..<12], as: UTF8.self)
  }
}
