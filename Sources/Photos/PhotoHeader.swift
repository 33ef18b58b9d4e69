/// What the parts of a file before its pixels say of them.
struct PhotoHeader {
  /// How the photo is turned.
  var orientation = Orientation.upright
  /// Whether a JPEG is progressive, so that all of it must be in memory before it can be made smaller.
  var isProgressive = false

  /// Reads the header of a photo. What is broken in it is left out: the decoder will say so.
  init(_ bytes: [UInt8], _ format: PhotoFormat) {
    switch format {
    case .jpeg: readJPEG(bytes)
    case .png: readChunks(bytes, from: 8, isPNG: true)
    case .webp: readChunks(bytes, from: 12, isPNG: false)
    case .heic: break  // Turning is part of the format there, and its library does it.
    }
  }

  /// Walks the segments before the pixels (ITU-T T.81, B.1.1).
  private mutating func readJPEG(_ bytes: [UInt8]) {
    let reader = ByteReader(bytes[...], isLittleEndian: false)
    var place = 2
    while let marker = reader.number(at: place, size: 2), marker >> 8 == 0xFF {
      // Fill bytes may stand before a marker.
      if marker == 0xFFFF {
        place += 1
        continue
      }
      guard marker != 0xFFDA, let length = reader.number(at: place + 2, size: 2), length >= 2 else { return }
      let segment = reader.part(at: place + 4, count: length - 2)
      if marker == 0xFFC2 { isProgressive = true }
      if marker == 0xFFE1, segment.starts(with: Self.exifSign),
        let found = Orientation(exif: segment.dropFirst(Self.exifSign.count))
      {
        orientation = found
      }
      place += 2 + length
    }
  }

  /// Walks the chunks of a PNG (W3C, PNG, 5.3), whose length comes first, or of a WebP (RFC 9649, 2.3), whose name does.
  private mutating func readChunks(_ bytes: [UInt8], from start: Int, isPNG: Bool) {
    let reader = ByteReader(bytes[...], isLittleEndian: !isPNG)
    var place = start
    while let length = reader.number(at: place + (isPNG ? 0 : 4), size: 4) {
      let name = reader.part(at: place + (isPNG ? 4 : 0), count: 4)
      if name.elementsEqual((isPNG ? "eXIf" : "EXIF").utf8) {
        var exif = reader.part(at: place + 8, count: length)
        if exif.starts(with: Self.exifSign) { exif = exif.dropFirst(Self.exifSign.count) }
        orientation = Orientation(exif: exif) ?? orientation
      }
      place += 8 + length + (isPNG ? 4 : length & 1)
    }
  }

  private static let exifSign = Array("Exif\0\0".utf8)
}
