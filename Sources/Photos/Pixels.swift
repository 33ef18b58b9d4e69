#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The pixels of a photo: three bytes each, red, green, and blue, row by row without gaps.
///
/// Unchecked, since nothing writes to them once they are filled.
final class Pixels: @unchecked Sendable {
  let width: Int
  let height: Int
  /// `width * height * 3` bytes.
  let bytes: UnsafeMutableBufferPointer<UInt8>

  /// Room for an image, all black.
  ///
  /// - Throws: `PhotoFault.noMemory`; an array would end the process.
  init(width: Int, height: Int) throws(PhotoFault) {
    let (count, isTooLarge) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !isTooLarge, count <= Int.max / 3, let memory = calloc(count, 3) else { throw .noMemory }
    self.width = width
    self.height = height
    bytes = UnsafeMutableBufferPointer(start: memory.assumingMemoryBound(to: UInt8.self), count: count * 3)
  }

  deinit { free(bytes.baseAddress) }

  /// The longer of width and height.
  var longSide: Int { max(width, height) }

  /// The image turned upright.
  func turned(_ orientation: Orientation) throws(PhotoFault) -> Pixels {
    if orientation == .upright { return self }
    let turned = try Pixels(
      width: orientation.isSideways ? height : width, height: orientation.isSideways ? width : height)
    for y in 0..<turned.height {
      for x in 0..<turned.width {
        let place = orientation.source(x: x, y: y, width: width, height: height)
        let (from, to) = ((place.y * width + place.x) * 3, (y * turned.width + x) * 3)
        for channel in 0..<3 { turned.bytes[to + channel] = bytes[from + channel] }
      }
    }
    return turned
  }
}
