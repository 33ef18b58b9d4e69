package import AisleCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension FlatFile {
  /// How many seconds a file takes to write at the very most.
  private static let maximumWritingTime = 60

  /// Writes a file, all of it or nothing; does nothing when that is not possible, or somebody else is just doing it.
  ///
  /// - Parameter notes: Together with twice the blocks at most `capacity`.
  package static func save(_ blocks: [FlatBlock], notes: [UInt64], magic: UInt64, to path: String) {
    let sums = pageSums(blocks)
    let header = FlatFileHeader.words(blocks, notes: notes, magic: magic, sums: sums)
    let temporary = temporaryPath(of: path)
    guard let descriptor = create(temporary) else { return }
    var isWritten = header.withUnsafeBytes { write($0, to: descriptor) }
    forEachPart(of: blocks) { if isWritten { isWritten = write($0, to: descriptor) } }
    isWritten = isWritten && sums.withUnsafeBytes { write($0, to: descriptor) }
    // On the disk before it has its name: no crash leaves half a file there.
    isWritten = isWritten && fsync(descriptor) == 0
    close(descriptor)
    if !isWritten || rename(temporary, path) != 0 { unlink(temporary) }
  }

  /// The bytes of a file, for one that is written otherwise.
  ///
  /// - Parameter notes: Together with twice the blocks at most `capacity`.
  package static func bytes(of blocks: [FlatBlock], notes: [UInt64], magic: UInt64) -> [UInt8] {
    let sums = pageSums(blocks)
    var bytes = FlatFileHeader.words(blocks, notes: notes, magic: magic, sums: sums).withUnsafeBytes { Array($0) }
    forEachPart(of: blocks) { bytes.append(contentsOf: $0) }
    sums.withUnsafeBytes { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// Where a file is written until it is whole.
  package static func temporaryPath(of path: String) -> String {
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    return "\(path[..<name]).\(path[name...]).new"
  }

  /// Removes a file that was last changed longer ago than so many seconds, by this machine's clock; whether it did.
  package static func remove(_ path: String, olderThan age: Int) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && changed(status) < time(nil) &- age && unlink(path) == 0
  }

  /// Opens a new file for writing. One that is there already is somebody's who is writing it, or was left behind long ago.
  private static func create(_ path: String) -> Int32? {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    var descriptor = open(path, flags, 0o600)
    if descriptor < 0, errno == EEXIST, remove(path, olderThan: maximumWritingTime) { descriptor = open(path, flags, 0o600) }
    return descriptor < 0 ? nil : descriptor
  }

  private static func changed(_ status: stat) -> Int {
    #if canImport(Darwin)
      status.st_mtimespec.tv_sec
    #else
      status.st_mtim.tv_sec
    #endif
  }

  /// The bytes of blocks as they stand in a file: each from a multiple of 16.
  private static func forEachPart(of blocks: [FlatBlock], _ body: (UnsafeRawBufferPointer) -> Void) {
    let zeros = [UInt8](repeating: 0, count: 16)
    for block in blocks {
      body(block.bytes)
      zeros.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<(FlatFileHeader.padded(block.count) - block.count)])) }
    }
  }

  /// The checksum of each page of a file's blocks; the last page may be short.
  private static func pageSums(_ blocks: [FlatBlock]) -> [UInt32] {
    var sums: [UInt32] = []
    var (sum, filled): (UInt32, Int) = (0, 0)
    forEachPart(of: blocks) { part in
      var rest = part
      while !rest.isEmpty {
        let count = min(rest.count, pageSize - filled)
        sum = checksum(UnsafeRawBufferPointer(rebasing: rest[..<count]), after: sum)
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        filled += count
        if filled < pageSize { continue }
        sums.append(sum)
        (sum, filled) = (0, 0)
      }
    }
    return filled == 0 ? sums : sums + [sum]
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var offset = 0
    while offset < bytes.count {
      let sent = systemWrite(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
      if sent < 0 && errno != EINTR { return false }
      offset += max(sent, 0)
    }
    return true
  }
}

/// `write(2)`, by a name that `FlatFile.write` does not hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(descriptor, bytes, count) }
