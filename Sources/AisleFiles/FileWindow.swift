#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A window of a file in memory that moves along the file, for files that are too large to keep in memory as a whole.
public final class FileWindow {
  /// The number of bytes in memory at a time.
  public static let size = 1 << 20
  /// The number of bytes that are visible after any place that the window moves to, except near the end of the file.
  public static let sight = size / 8

  /// The file's size in bytes.
  public let fileSize: Int
  private let descriptor: Int32
  private let memory: UnsafeMutableBufferPointer<UInt8>
  private var count = 0
  private var isAtEnd = false

  /// Opens a file and reads as much of it as fits into the window.
  ///
  /// - Parameter limit: The most bytes that the file may have.
  /// - Throws: `FileError` if it cannot be read, is not a regular file, or is larger than `limit`.
  public init(_ path: String, limit: Int) throws(FileError) {
    (descriptor, fileSize) = try FileReader.open(path, limit: limit)
    memory = .allocate(capacity: Self.size)
    fill()
  }

  deinit {
    memory.deallocate()
    close(descriptor)
  }

  /// The visible bytes, until the window moves.
  public var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: memory[..<count]) }

  /// Moves the window so that it begins at a place in `bytes`, if too little of the file is visible after that place.
  ///
  /// If the file cannot be read any further, it ends there.
  ///
  /// - Returns: Whether it moved.
  public func advance(to place: Int) -> Bool {
    if isAtEnd || count - place >= Self.sight { return false }
    let rest = count - place
    _ = memory[..<rest].update(fromContentsOf: memory[place..<count])
    count = rest
    fill()
    return true
  }

  private func fill() {
    while count < Self.size {
      let received = FileReader.readSome(descriptor, memory.baseAddress.map { $0 + count }, Self.size - count)
      if received <= 0 {
        isAtEnd = true
        return
      }
      count += received
    }
  }
}
