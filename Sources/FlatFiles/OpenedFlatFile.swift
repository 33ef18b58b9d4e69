#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A file of blocks whose header has been read and found good. It is closed with the last reference.
final class OpenedFlatFile: Sendable {
  let descriptor: Int32
  /// Its size in bytes, and when it was last written to.
  let state: State
  let header: FlatFileHeader

  /// What changes when somebody writes to a file or cuts it.
  struct State: Equatable {
    let size: Int
    private let seconds: Int
    private let nanoseconds: Int

    /// The state of an open file; `nil` where it cannot be told any more.
    init?(_ descriptor: Int32) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { return nil }
      self.init(status)
    }

    fileprivate init(_ status: stat) {
      size = Int(status.st_size)
      #if canImport(Darwin)
        (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
      #else
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
      #endif
    }
  }

  /// Opens a file; whatever it is, that does not wait.
  ///
  /// - Parameter isOwn: Whether it must be the user's own, and no symbolic link.
  init(_ path: String, magic: UInt64, isOwn: Bool = true) throws(FlatFileFault) {
    if path.utf8.contains(0) { throw .missing }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | (isOwn ? O_NOFOLLOW : 0) | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR: throw .missing
      case ELOOP: throw .unusable("is a symbolic link")
      case ENXIO: throw .unusable("is not a regular file")
      default: throw .unusable("cannot be opened: \(String(cString: strerror(errno)).lowercased())")
      }
    }
    var isKept = false
    defer { if !isKept { close(descriptor) } }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .unusable("is not a regular file") }
    guard !isOwn || status.st_uid == geteuid() else { throw .unusable("belongs to another user") }
    guard !isOwn || status.st_mode & (S_IWGRP | S_IWOTH) == 0 else { throw .unusable("can be written to by other users") }
    let state = State(status)
    let bytes = [UInt8](unsafeUninitializedCapacity: FlatFileHeader.size) { buffer, count in
      count = Self.read(descriptor, UnsafeMutableRawBufferPointer(buffer), at: 0)
    }
    // `withUnsafeBytes` hands on no typed error.
    let header = bytes.withUnsafeBytes { bytes in
      Result { () throws(FlatFileFault) in try FlatFileHeader(bytes, of: state.size, magic: magic) }
    }
    self.header = try header.get()
    (self.descriptor, self.state) = (descriptor, state)
    isKept = true
  }

  deinit { close(descriptor) }

  /// The pages' checksums.
  func sums() throws(FlatFileFault) -> [UInt32] {
    let sums = [UInt32](unsafeUninitializedCapacity: header.pageCount) { buffer, count in
      count = Self.read(descriptor, UnsafeMutableRawBufferPointer(buffer), at: header.sumsStart) / 4
    }
    guard sums.count == header.pageCount, sums.withUnsafeBytes({ FlatFile.checksum($0) }) == header.sum else { throw .damaged }
    return sums
  }

  /// Reads bytes from an offset on; how many there were.
  func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int { Self.read(descriptor, buffer, at: offset) }

  private static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    var count = 0
    while count < buffer.count {
      let received = pread(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count, off_t(offset + count))
      if received < 0, errno == EINTR { continue }
      if received <= 0 { break }
      count += received
    }
    return count
  }
}
