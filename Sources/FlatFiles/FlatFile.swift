package import AisleCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Blocks of a file that is mapped into memory: how an index is kept from one run to the next, and opened without reading it.
///
/// A file is used only when it is the user's own, its header holds, and nobody has written to it since it was whole. That shows in its
/// size and its time of change: the last thing that is done to a file, once it is on the disk, is to give it the time that its header
/// says. A checksum of everything would have a run on one item read megabytes of which it needs a few pages. Nothing should depend on
/// such a file: whatever goes wrong with it, there is none, and it is made anew.
package struct FlatFile: Sendable {
  /// The whole file.
  package let memory: FlatMemory
  /// What was noted when it was saved.
  package let notes: [UInt64]
  /// Where the blocks lie in the memory, each from a multiple of 16.
  package let blocks: [Range<Int>]

  /// The most blocks and notes that a file has room for, a block counting twice.
  package static let capacity = headerWords - fixedWords

  /// The header: a magic number, a checksum of what follows in it, the time, the numbers of notes and blocks, those notes, and where each
  /// block begins and how long it is.
  private static let headerWords = 128
  private static let fixedWords = 5
  /// How many seconds a file takes to write at the very most.
  private static let maximumWritingTime = 60

  /// Maps a file; `nil` when there is none that is good and has this magic number.
  package init?(_ path: String, magic: UInt64) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      status.st_mode & (S_IWGRP | S_IWOTH) == 0, status.st_size >= Self.headerWords * 8
    else { return nil }
    let size = Int(status.st_size)
    guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else { return nil }
    memory = FlatMemory(start, count: size) { munmap(UnsafeMutableRawPointer(mutating: $0), $1) }
    let header = FlatTable<UInt64>(memory, at: 0, count: Self.headerWords)
    guard header[0] == magic, header[1] == Self.checksum(ofHeader: header.elements),
      Self.changed(status) == (Int(truncatingIfNeeded: header[2]), 0),
      header[3] <= UInt64(Self.capacity), header[4] <= UInt64(Self.capacity)
    else { return nil }
    let (noteCount, blockCount) = (Int(header[3]), Int(header[4]))
    let first = Self.fixedWords + noteCount
    guard first + 2 * blockCount <= Self.headerWords else { return nil }
    notes = Array(header[Self.fixedWords..<first])
    var blocks: [Range<Int>] = []
    var end = Self.headerWords * 8
    for block in 0..<blockCount {
      let (offset, count) = (header[first + 2 * block], header[first + 2 * block + 1])
      guard offset == UInt64(end), count <= UInt64(size - end) else { return nil }
      blocks.append(end..<end + Int(count))
      end += Self.padded(Int(count))
    }
    guard end == size else { return nil }
    self.blocks = blocks
  }

  /// Writes a file, all of it or nothing; does nothing when that is not possible, or somebody else is just doing it.
  ///
  /// - Parameter notes: Together with twice the blocks at most `capacity`.
  package static func save(_ blocks: [FlatBlock], notes: [UInt64], magic: UInt64, to path: String) {
    precondition(notes.count + 2 * blocks.count <= capacity)
    // A whole, even second: every file system can keep it, and a file that is written to does not get it by chance.
    let written = time(nil) & ~1
    var header = [magic, 0, UInt64(written), UInt64(notes.count), UInt64(blocks.count)] + notes
    var offset = headerWords * 8
    for block in blocks {
      header += [UInt64(offset), UInt64(block.count)]
      offset += padded(block.count)
    }
    header += repeatElement(0, count: headerWords - header.count)
    header[1] = header.withUnsafeBufferPointer { checksum(ofHeader: $0) }
    let temporary = temporaryPath(of: path)
    guard let descriptor = create(temporary) else { return }
    let zeros = [UInt8](repeating: 0, count: 16)
    var isWritten = header.withUnsafeBytes { write($0, to: descriptor) }
    for block in blocks where isWritten {
      let rest = padded(block.count) - block.count
      isWritten =
        write(block.bytes, to: descriptor) && zeros.withUnsafeBytes { write(.init(rebasing: $0[..<rest]), to: descriptor) }
    }
    let times = [timespec(tv_sec: written, tv_nsec: 0), timespec(tv_sec: written, tv_nsec: 0)]
    // On the disk before it has its name: no crash leaves a file that looks whole and is not.
    isWritten = isWritten && futimens(descriptor, times) == 0 && fsync(descriptor) == 0
    close(descriptor)
    if !isWritten || rename(temporary, path) != 0 { unlink(temporary) }
  }

  /// Where a file is written until it is whole.
  package static func temporaryPath(of path: String) -> String {
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    return "\(path[..<name]).\(path[name...]).new"
  }

  /// Opens a new file for writing. One that is there already is somebody's who is writing it, or was left behind long ago.
  private static func create(_ path: String) -> Int32? {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    var descriptor = open(path, flags, 0o600)
    if descriptor < 0, errno == EEXIST, remove(path, olderThan: maximumWritingTime) { descriptor = open(path, flags, 0o600) }
    return descriptor < 0 ? nil : descriptor
  }

  /// Removes a file that was last changed longer ago than so many seconds; whether it did.
  package static func remove(_ path: String, olderThan age: Int) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && changed(status).seconds < time(nil) - age && unlink(path) == 0
  }

  private static func changed(_ status: stat) -> (seconds: Int, nanoseconds: Int) {
    #if canImport(Darwin)
      (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
    #else
      (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    #endif
  }

  private static func padded(_ count: Int) -> Int { (count + 15) / 16 * 16 }

  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var offset = 0
    while offset < bytes.count {
      let sent = systemWrite(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
      if sent < 0 && errno != EINTR { return false }
      offset += max(sent, 0)
    }
    return true
  }

  /// The checksum of a header's words behind the place where it stands.
  private static func checksum(ofHeader words: UnsafeBufferPointer<UInt64>) -> UInt64 {
    checksum(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: words[2...])))
  }

  /// A checksum of bytes: Fletcher's two sums over four lanes of eight bytes, mixed at the end. It finds accidents, not forgeries.
  ///
  /// - Complexity: O(bytes), some ten bytes a nanosecond.
  package static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    // Not zero, so that zeros count too.
    var sums = SIMD4<UInt64>(1, 2, 3, 4)
    var sumsOfSums = SIMD4<UInt64>()
    func add(_ words: SIMD4<UInt64>) {
      sums &+= words
      sumsOfSums &+= sums
    }
    var offset = 0
    while offset &+ 32 <= bytes.count {
      add(bytes.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self))
      offset &+= 32
    }
    var rest = SIMD4<UInt64>()
    withUnsafeMutableBytes(of: &rest) { $0.copyBytes(from: bytes[offset...]) }
    add(rest)
    let prime: UInt64 = 0x9E37_79B1_85EB_CA87
    var result = UInt64(bytes.count)
    for lane in 0..<4 {
      for sum in [sums[lane], sumsOfSums[lane]] {
        result = (result ^ sum) &* prime
        result ^= result &>> 29
      }
    }
    return result
  }
}

/// `write(2)`, by a name that `FlatFile.write` does not hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(descriptor, bytes, count) }
