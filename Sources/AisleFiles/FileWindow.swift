#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A part of a file in memory that moves along the file: for one that is too large to be kept whole beside what is read from it.
public final class FileWindow {
  /// How many bytes are in memory at a time.
  public static let size = 1 << 20
  /// How many bytes stay in sight after any place that the window is moved to, but at the file's end.
  public static let sight = size / 8

  /// How many bytes the file has.
  public let fileSize: Int
  private let descriptor: Int32
  private let memory: UnsafeMutableBufferPointer<UInt8>
  private var count = 0
  private var isAtEnd = false

  /// Opens a file and reads as much of it as fits in the window.
  ///
  /// - Parameter limit: The most bytes that the file may have.
  /// - Throws: `FileError` when it cannot be read, is no regular file, or is larger than `limit`.
  public init(_ path: String, limit: Int) throws(FileError) {
    (descriptor, fileSize) = try FileReader.open(path, limit: limit)
    memory = .allocate(capacity: Self.size)
    fill()
  }

  deinit {
    memory.deallocate()
    close(descriptor)
  }

  /// The bytes in sight, until the window is moved.
  public var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: memory[..<count]) }

  /// Moves the window so that it begins at a place in `bytes`, where too little of the file is in sight after that place.
  ///
  /// A file that cannot be read further ends there.
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
