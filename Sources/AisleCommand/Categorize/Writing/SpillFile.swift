import AisleFiles

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A file without a name, for what takes more memory than it should; it is gone with the process, however that ends.
final class SpillFile {
  /// A stretch of the file.
  struct Extent {
    let start: Int
    let count: Int
  }

  private let number: Int32
  private let folder: String
  private var end = 0

  /// Makes the file in `TMPDIR`, or in `/tmp`.
  ///
  /// - Throws: `CommandFailure` naming the folder.
  init() throws {
    let given = Environment.all["TMPDIR"] ?? ""
    let folder = given.isEmpty ? "/tmp" : given
    self.folder = folder
    var template = "\(folder)/aisle-XXXXXX".utf8CString
    let (number, code) = template.withUnsafeMutableBufferPointer { path -> (Int32, Int32) in
      guard let base = path.baseAddress else { return (-1, EINVAL) }
      let number = mkstemp(base)
      if number < 0 { return (-1, errno) }
      unlink(base)
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
      return (number, 0)
    }
    self.number = number
    if number < 0 { throw failure(code) }
  }

  deinit { if number >= 0 { close(number) } }

  /// Adds bytes to the end.
  ///
  /// - Throws: `CommandFailure` naming the folder.
  func append(_ bytes: [UInt8]) throws -> Extent {
    let extent = Extent(start: end, count: bytes.count)
    try bytes.withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count {
        let written = pwrite(number, bytes.baseAddress.map { $0 + offset }, bytes.count - offset, off_t(end + offset))
        if written < 0, errno != EINTR { throw failure(errno) }
        offset += max(0, written)
      }
    }
    end += bytes.count
    return extent
  }

  /// Hands out a stretch from its first byte to its last, piece by piece.
  ///
  /// - Throws: `CommandFailure` naming the folder; what `body` throws.
  func read(_ extent: Extent, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let size = 64 * 1024
    try withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { buffer in
      var offset = 0
      while offset < extent.count {
        let received = pread(number, buffer.baseAddress, min(size, extent.count - offset), off_t(extent.start + offset))
        if received < 0, errno == EINTR { continue }
        // Nobody else has the file, so it cannot have become shorter.
        if received <= 0 { throw failure(received < 0 ? errno : EIO) }
        try body(UnsafeRawBufferPointer(rebasing: buffer[..<received]))
        offset += received
      }
    }
  }

  private func failure(_ code: Int32) -> CommandFailure {
    CommandFailure(
      description:
        "\(folder): cannot write a temporary file for a long list: \(FileError.cause(code)); set TMPDIR to another folder")
  }
}
