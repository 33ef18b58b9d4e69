/// libwebp, by its simple interface (webp/decode.h of 1.0 and later).
struct WebPLibrary: Sendable {
  private typealias Size = UnsafeMutablePointer<Int32>

  private let info: @convention(c) (UnsafePointer<UInt8>, Int, Size, Size) -> Int32
  private let read: @convention(c) (UnsafePointer<UInt8>, Int, Size, Size) -> UnsafeMutablePointer<UInt8>?
  private let free: @convention(c) (UnsafeMutableRawPointer) -> Void

  init() throws(PhotoFault) {
    let library = try ImageLibrary("libwebp", version: 7, package: "libwebp7")
    info = try library.function("WebPGetInfo", as: type(of: info))
    read = try library.function("WebPDecodeRGBA", as: type(of: read))
    free = try library.function("WebPFree", as: type(of: free))
  }

  /// Decodes an image, on white where it is transparent.
  func decode(_ bytes: [UInt8]) throws(PhotoFault) -> Pixels {
    var (width, height): (Int32, Int32) = (0, 0)
    guard info(bytes, bytes.count, &width, &height) != 0 else { throw .damaged(.webp, "") }
    try PhotoLimits.check(width: Int(width), height: Int(height))
    guard let read = read(bytes, bytes.count, &width, &height) else { throw .damaged(.webp, "it is cut off, damaged, or moves") }
    defer { free(read) }
    let pixels = try Pixels(width: Int(width), height: Int(height))
    for pixel in 0..<pixels.width * pixels.height {
      let alpha = Int(read[pixel * 4 + 3])
      for channel in 0..<3 {
        pixels.bytes[pixel * 3 + channel] = UInt8((Int(read[pixel * 4 + channel]) * alpha + 255 * (255 - alpha)) / 255)
      }
    }
    return pixels
  }
}
