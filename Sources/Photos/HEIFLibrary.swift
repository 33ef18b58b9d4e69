import CImages

/// libheif (heif.h of 1.4 and later), which turns images upright by itself.
struct HEIFLibrary: Sendable {
  private typealias Handle = OpaquePointer
  private typealias Result = UnsafeMutablePointer<OpaquePointer?>

  private let make: @convention(c) () -> Handle?
  private let free: @convention(c) (Handle) -> Void
  private let limit: @convention(c) (Handle, Int32) -> Void
  private let open: @convention(c) (Handle, UnsafeRawPointer, Int, UnsafeRawPointer?) -> aisle_heif_error
  private let primary: @convention(c) (Handle, Result) -> aisle_heif_error
  private let releaseHandle: @convention(c) (Handle) -> Void
  private let handleWidth: @convention(c) (Handle) -> Int32
  private let handleHeight: @convention(c) (Handle) -> Int32
  private let read: @convention(c) (Handle, Result, Int32, Int32, UnsafeRawPointer?) -> aisle_heif_error
  private let width: @convention(c) (Handle, Int32) -> Int32
  private let height: @convention(c) (Handle, Int32) -> Int32
  private let plane: @convention(c) (Handle, Int32, UnsafeMutablePointer<Int32>) -> UnsafePointer<UInt8>?
  private let release: @convention(c) (Handle) -> Void

  /// The constants of heif.h: RGB in one plane.
  private static let (colors, interleaved, channel): (Int32, Int32, Int32) = (1, 10, 10)

  init() throws(PhotoFault) {
    let library = try ImageLibrary("libheif", version: 1, package: "libheif1")
    make = try library.function("heif_context_alloc", as: type(of: make))
    free = try library.function("heif_context_free", as: type(of: free))
    limit = try library.function("heif_context_set_maximum_image_size_limit", as: type(of: limit))
    open = try library.function("heif_context_read_from_memory_without_copy", as: type(of: open))
    primary = try library.function("heif_context_get_primary_image_handle", as: type(of: primary))
    releaseHandle = try library.function("heif_image_handle_release", as: type(of: releaseHandle))
    handleWidth = try library.function("heif_image_handle_get_width", as: type(of: handleWidth))
    handleHeight = try library.function("heif_image_handle_get_height", as: type(of: handleHeight))
    read = try library.function("heif_decode_image", as: type(of: read))
    width = try library.function("heif_image_get_width", as: type(of: width))
    height = try library.function("heif_image_get_height", as: type(of: height))
    plane = try library.function("heif_image_get_plane_readonly", as: type(of: plane))
    release = try library.function("heif_image_release", as: type(of: release))
  }

  /// Decodes the main image of a file, turned upright.
  func decode(_ bytes: [UInt8]) throws(PhotoFault) -> Pixels {
    guard let context = make() else { throw .noMemory }
    defer { free(context) }
    // The library squares it: no image has more pixels than are allowed.
    limit(context, PhotoLimits.side)
    // The library reads from the bytes for as long as there is a context.
    return try bytes.withUnsafeBufferPointer { bytes throws(PhotoFault) in
      guard let start = bytes.baseAddress else { throw .empty }
      try check(open(context, start, bytes.count, nil))
      var handle: Handle?
      try check(primary(context, &handle))
      guard let handle else { throw .damaged(.heic, "") }
      defer { releaseHandle(handle) }
      try PhotoLimits.check(width: Int(handleWidth(handle)), height: Int(handleHeight(handle)))
      var image: Handle?
      try check(read(handle, &image, Self.colors, Self.interleaved, nil))
      guard let image else { throw .damaged(.heic, "") }
      defer { release(image) }
      return try copy(image)
    }
  }

  private func copy(_ image: Handle) throws(PhotoFault) -> Pixels {
    let (width, height) = (Int(width(image, Self.channel)), Int(height(image, Self.channel)))
    try PhotoLimits.check(width: width, height: height)
    var stride: Int32 = 0
    guard let plane = plane(image, Self.channel, &stride), Int(stride) >= width * 3 else { throw .damaged(.heic, "") }
    let pixels = try Pixels(width: width, height: height)
    for row in 0..<height {
      pixels.bytes.baseAddress?.advanced(by: row * width * 3).update(from: plane + row * Int(stride), count: width * 3)
    }
    return pixels
  }

  private func check(_ error: aisle_heif_error) throws(PhotoFault) {
    if error.code != 0 { throw .damaged(.heic, error.message.map { String(cString: $0) } ?? "") }
  }
}
