import CImages

/// libpng, by its simplified interface (png.h of 1.6), which reports errors by results.
struct PNGLibrary: Sendable {
  private typealias Image = UnsafeMutablePointer<aisle_png_image>

  private let begin: @convention(c) (Image, UnsafePointer<UInt8>, Int) -> Int32
  private let finish:
    @convention(c) (Image, UnsafePointer<aisle_png_color>, UnsafeMutablePointer<UInt8>, Int32, UnsafeMutableRawPointer?) -> Int32
  private let free: @convention(c) (Image) -> Void

  /// The constants of png.h.
  private static let (version, rgb): (UInt32, UInt32) = (1, 2)

  init() throws(PhotoFault) {
    let library = try ImageLibrary("libpng16", version: 16, package: "libpng16-16")
    begin = try library.function("png_image_begin_read_from_memory", as: type(of: begin))
    finish = try library.function("png_image_finish_read", as: type(of: finish))
    free = try library.function("png_image_free", as: type(of: free))
  }

  /// Decodes an image, on white where it is transparent.
  func decode(_ bytes: [UInt8]) throws(PhotoFault) -> Pixels {
    var image = aisle_png_image()
    image.version = Self.version
    defer { free(&image) }
    guard begin(&image, bytes, bytes.count) != 0 else { throw fault(image) }
    try PhotoLimits.check(width: Int(image.width), height: Int(image.height))
    image.format = Self.rgb
    let pixels = try Pixels(width: Int(image.width), height: Int(image.height))
    guard let start = pixels.bytes.baseAddress else { throw .noMemory }
    var white = aisle_png_color(red: 255, green: 255, blue: 255)
    // What is wrong but harmless, such as a color profile that is unsound, is a warning and no failure.
    guard finish(&image, &white, start, 0, nil) != 0 else { throw fault(image) }
    return pixels
  }

  private func fault(_ image: aisle_png_image) -> PhotoFault {
    let words = withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return .damaged(.png, words)
  }
}
