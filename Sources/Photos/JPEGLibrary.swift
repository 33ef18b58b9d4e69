/// libjpeg-turbo, by its own interface (turbojpeg.h of 2.0 and later), which reports errors by results.
struct JPEGLibrary: Sendable {
  private typealias Handle = UnsafeMutableRawPointer
  private typealias Bytes = UnsafePointer<UInt8>

  private let makeReader: @convention(c) () -> Handle?
  private let makeWriter: @convention(c) () -> Handle?
  private let destroy: @convention(c) (Handle) -> Int32
  private let readHeader:
    @convention(c) (
      Handle, Bytes, UInt, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>,
      UnsafeMutablePointer<Int32>
    ) -> Int32
  private let read: @convention(c) (Handle, Bytes, UInt, UnsafeMutablePointer<UInt8>, Int32, Int32, Int32, Int32, Int32) -> Int32
  private let write:
    @convention(c) (
      Handle, Bytes, Int32, Int32, Int32, Int32, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<UInt>,
      Int32, Int32, Int32
    ) -> Int32
  private let free: @convention(c) (UnsafeMutablePointer<UInt8>?) -> Void
  private let errorText: @convention(c) (Handle?) -> UnsafePointer<CChar>?
  private let errorCode: @convention(c) (Handle?) -> Int32

  /// The constants of turbojpeg.h.
  private static let (rgb, warning, cmyk, ycck, halved, limitScans): (Int32, Int32, Int32, Int32, Int32, Int32) = (
    0, 0, 3, 4, 2, 32_768
  )

  init() throws(PhotoFault) {
    let library = try ImageLibrary("libturbojpeg", version: 0, package: "libturbojpeg0")
    makeReader = try library.function("tjInitDecompress", as: type(of: makeReader))
    makeWriter = try library.function("tjInitCompress", as: type(of: makeWriter))
    destroy = try library.function("tjDestroy", as: type(of: destroy))
    readHeader = try library.function("tjDecompressHeader3", as: type(of: readHeader))
    read = try library.function("tjDecompress2", as: type(of: read))
    write = try library.function("tjCompress2", as: type(of: write))
    free = try library.function("tjFree", as: type(of: free))
    errorText = try library.function("tjGetErrorStr2", as: type(of: errorText))
    errorCode = try library.function("tjGetErrorCode", as: type(of: errorCode))
  }

  /// Decodes an image, at an eighth, a quarter, or half of its size where that leaves the longer side at least `longSide` pixels.
  func decode(_ bytes: [UInt8], longSide: Int, isProgressive: Bool) throws(PhotoFault) -> Pixels {
    guard let handle = makeReader() else { throw .noMemory }
    defer { _ = destroy(handle) }
    var (width, height, sampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    if readHeader(handle, bytes, UInt(bytes.count), &width, &height, &sampling, &colors) != 0, isFatal(handle) {
      throw fault(handle)
    }
    if width <= 0 || height <= 0 { throw fault(handle) }
    try PhotoLimits.check(width: Int(width), height: Int(height), readsInParts: !isProgressive)
    if colors == Self.cmyk || colors == Self.ycck { throw .damaged(.jpeg, "its colors are for printing (CMYK)") }
    let divisor = [8, 4, 2].first { Int(max(width, height)) / $0 >= longSide } ?? 1
    let pixels = try Pixels(width: (Int(width) + divisor - 1) / divisor, height: (Int(height) + divisor - 1) / divisor)
    guard let start = pixels.bytes.baseAddress else { throw .noMemory }
    let result = read(
      handle, bytes, UInt(bytes.count), start, Int32(pixels.width), Int32(pixels.width * 3), Int32(pixels.height), Self.rgb,
      Self.limitScans)
    // Cameras write odd bytes that do no harm. But what is cut off would lose the end of the list.
    if result != 0, isFatal(handle) || text(handle).contains("remature end") { throw fault(handle) }
    return pixels
  }

  /// Encodes an image: baseline, with colors at half the resolution, and nothing in it but the pixels.
  ///
  /// - Parameter quality: 1 to 100.
  func encode(_ pixels: Pixels, quality: Int) throws(PhotoFault) -> [UInt8] {
    guard let handle = makeWriter(), let start = pixels.bytes.baseAddress else { throw .noMemory }
    defer { _ = destroy(handle) }
    var written: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    defer { free(written) }
    let result = write(
      handle, start, Int32(pixels.width), Int32(pixels.width * 3), Int32(pixels.height), Self.rgb, &written, &count,
      Self.halved, Int32(quality), 0)
    guard result == 0, let written else { throw fault(handle) }
    return Array(UnsafeBufferPointer(start: written, count: Int(count)))
  }

  private func isFatal(_ handle: Handle) -> Bool { errorCode(handle) != Self.warning }

  private func text(_ handle: Handle) -> String { errorText(handle).map { String(cString: $0) } ?? "" }

  private func fault(_ handle: Handle) -> PhotoFault { .damaged(.jpeg, text(handle)) }
}
