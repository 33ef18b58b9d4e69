/// A photo as a file has it, to be made into what may be sent.
///
/// ```swift
/// let photo = try Photo(bytes)
/// let small = try photo.jpeg(longSide: 1568)
/// ```
public struct Photo: Sendable {
  /// Its format.
  public let format: PhotoFormat
  private let bytes: [UInt8]

  /// Takes the bytes of a file. They are not decoded yet.
  ///
  /// - Throws: `PhotoFault` if they are no photo.
  public init(_ bytes: [UInt8]) throws(PhotoFault) {
    if bytes.isEmpty { throw .empty }
    guard let format = PhotoFormat(bytes) else { throw .otherFormat(PhotoFormat.otherName(bytes)) }
    self.format = format
    self.bytes = bytes
  }

  /// The photo as a JPEG that stands upright, with at most so many pixels on its longer side, never enlarged.
  ///
  /// It is encoded anew from the pixels alone, so that nothing else of the file is in it: no place, time, camera, thumbnail, or comment.
  /// A photo of 12 megapixels takes 0.1 s.
  ///
  /// - Parameters:
  ///   - longSide: The most pixels on the longer side, 1 or more.
  ///   - quality: That of the JPEG, 1 to 100.
  /// - Throws: `PhotoFault`.
  public func jpeg(longSide: Int, quality: Int = 85) throws(PhotoFault) -> [UInt8] {
    let header = PhotoHeader(bytes, format)
    let jpeg = try JPEGLibrary()
    let pixels =
      switch format {
      case .jpeg: try jpeg.decode(bytes, longSide: longSide, isProgressive: header.isProgressive)
      case .png: try PNGLibrary().decode(bytes)
      case .webp: try WebPLibrary().decode(bytes)
      case .heic: try HEIFLibrary().decode(bytes)
      }
    return try jpeg.encode(pixels.scaled(toLongSide: max(1, longSide)).turned(header.orientation), quality: quality)
  }

  /// What keeps a format from being read on this machine; `nil` if nothing does.
  public static func obstacle(to format: PhotoFormat) -> PhotoFault? {
    do throws(PhotoFault) {
      _ = try JPEGLibrary()
      switch format {
      case .jpeg: break
      case .png: _ = try PNGLibrary()
      case .webp: _ = try WebPLibrary()
      case .heic: _ = try HEIFLibrary()
      }
      return nil
    } catch {
      return error
    }
  }
}
