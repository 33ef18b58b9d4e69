/// How large a photo may be, so that a small file cannot ask for all memory.
enum PhotoLimits {
  /// The most pixels that are decoded at once: 300 MB. The largest phones take 50 million by default.
  private static let pixels = 100_000_000
  /// The most pixels of a JPEG that is made smaller while it is read: phones' largest photos have 200 million.
  private static let pixelsInParts = 256_000_000
  /// The side of a square with that many pixels.
  static let side: Int32 = 10_000

  /// Checks the size that a header tells.
  ///
  /// - Parameter readsInParts: Whether the image is made smaller while it is read.
  /// - Throws: `PhotoFault.tooManyPixels`.
  static func check(width: Int, height: Int, readsInParts: Bool = false) throws(PhotoFault) {
    let limit = readsInParts ? pixelsInParts : pixels
    let (count, isTooLarge) = width.multipliedReportingOverflow(by: height)
    if isTooLarge || count > limit { throw .tooManyPixels(width: width, height: height, limit: limit) }
  }
}
