/// The parts of a JPEG before its pixels.
public struct JPEGParts {
  /// The second bytes of the markers, e.g. 0xE1 for the one with Exif.
  public private(set) var segments: Set<UInt8> = []
  /// The width by its frame; 0 where there is none.
  public private(set) var width = 0
  /// The height by its frame; 0 where there is none.
  public private(set) var height = 0

  /// Reads the parts.
  public init(_ bytes: [UInt8]) {
    var place = 2
    while place + 9 < bytes.count, bytes[place] == 0xFF {
      let marker = bytes[place + 1]
      segments.insert(marker)
      if marker == 0xDA { return }
      if marker == 0xC0 || marker == 0xC2 {
        height = Int(bytes[place + 5]) << 8 | Int(bytes[place + 6])
        width = Int(bytes[place + 7]) << 8 | Int(bytes[place + 8])
      }
      place += 2 + (Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]))
    }
  }
}
