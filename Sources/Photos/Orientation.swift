/// How the pixels of a photo are turned, as cameras write it: the tag `Orientation` of Exif (CIPA DC-008, 4.6.4).
enum Orientation: Int, Sendable, CaseIterable {
  case upright = 1
  case mirrored, turnedHalf, flipped, transposed, turnedLeft, transversed, turnedRight

  /// Whether width and height change places when it is turned upright.
  var isSideways: Bool { rawValue >= Orientation.transposed.rawValue }

  /// Where the pixel of an upright photo stands in the photo as it is stored.
  ///
  /// - Parameters:
  ///   - x: Its column.
  ///   - y: Its row.
  ///   - width: The width of the photo as it is stored.
  ///   - height: Its height.
  func source(x: Int, y: Int, width: Int, height: Int) -> (x: Int, y: Int) {
    switch self {
    case .upright: (x, y)
    case .mirrored: (width - 1 - x, y)
    case .turnedHalf: (width - 1 - x, height - 1 - y)
    case .flipped: (x, height - 1 - y)
    case .transposed: (y, x)
    case .turnedLeft: (y, height - 1 - x)
    case .transversed: (width - 1 - y, height - 1 - x)
    case .turnedRight: (width - 1 - y, x)
    }
  }
}

extension Orientation {
  /// What a block of Exif says, which has the form of a TIFF file; `nil` where it says nothing.
  init?(exif bytes: ArraySlice<UInt8>) {
    let reader = ByteReader(bytes, isLittleEndian: bytes.starts(with: Array("II".utf8)))
    guard reader.isLittleEndian || bytes.starts(with: Array("MM".utf8)), reader.number(at: 2, size: 2) == 42,
      let directory = reader.number(at: 4, size: 4), let count = reader.number(at: directory, size: 2)
    else { return nil }
    for entry in 0..<count {
      let place = directory + 2 + 12 * entry
      guard let tag = reader.number(at: place, size: 2) else { return nil }
      guard tag == Self.tag else { continue }
      self.init(rawValue: reader.number(at: place + 8, size: 2) ?? 0)
      return
    }
    return nil
  }

  private static let tag = 0x0112
}

/// Reads numbers from bytes of unknown origin: outside of them there are none.
struct ByteReader {
  let isLittleEndian: Bool
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>, isLittleEndian: Bool) {
    self.bytes = bytes
    self.isLittleEndian = isLittleEndian
  }

  /// A number of 1 to 4 bytes at a place; `nil` where not all of them are there.
  func number(at place: Int, size: Int) -> Int? {
    guard place >= 0, size <= bytes.count, place <= bytes.count - size else { return nil }
    let part = bytes[(bytes.startIndex + place)..<(bytes.startIndex + place + size)]
    return isLittleEndian ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
  }

  /// The bytes from a place on, at most so many.
  func part(at place: Int, count: Int) -> ArraySlice<UInt8> { bytes.dropFirst(max(0, place)).prefix(max(0, count)) }
}
