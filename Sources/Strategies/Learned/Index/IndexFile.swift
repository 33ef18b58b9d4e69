import AisleCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The file beside a database that keeps its corrections in the form they are looked up in, so that opening a million of them takes no
/// longer than opening one.
///
/// Nothing depends on it: it is made from the database, used only when its header and checksums hold, and made anew otherwise.
struct IndexFile {
  /// Where the file is.
  let path: String

  private static let magic: UInt64 = 0x3430_5845_444C_4953  // "SILDEX04"
  private static let headerWords = 64
  /// An index up to this size is checked as a whole when it is opened; a larger one row by row.
  private static let checkedBytes = 4 << 20

  /// The file of a database.
  init(database: String) { path = database + "-index" }

  /// What a mapped index was made from.
  struct Contents {
    let index: CorrectionIndex
    /// The state of the database.
    let stamp: [UInt64]
    /// The number of the last change in it.
    let revision: Int64
    /// What tells that change from one of the same number in another copy of the database.
    let lineage: UInt64?
  }

  /// Maps the file; `nil` when there is no good one.
  func load() -> Contents? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size >= Self.headerWords * 8,
      status.st_uid == geteuid() || status.st_uid == 0, status.st_mode & S_IWOTH == 0
    else { return nil }
    let size = Int(status.st_size)
    guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else { return nil }
    let memory = FlatMemory(start, count: size) { munmap(UnsafeMutableRawPointer(mutating: $0), $1) }
    let header = Array(FlatTable<UInt64>(memory, at: 0, count: Self.headerWords))
    guard header[0] == Self.magic, header[1] == Self.sum(header[2...]), header[2] == UInt64(size),
      header[3] == UInt64(MemoryLayout<CorrectionIndex.Row>.stride)
    else { return nil }
    if size <= Self.checkedBytes {
      let body = UnsafeRawBufferPointer(start: memory.start + Self.headerWords * 8, count: size - Self.headerWords * 8)
      guard header[4] == Self.sum(body) else { return nil }
    }
    var blocks: [Range<Int>] = []
    for block in 0..<CorrectionIndex.blockCount {
      let (offset, count) = (header[16 + 2 * block], header[17 + 2 * block])
      guard offset <= UInt64(size), count <= UInt64(size) - offset else { return nil }
      blocks.append(Int(offset)..<Int(offset + count))
    }
    guard let index = CorrectionIndex(memory, blocks) else { return nil }
    return Contents(
      index: index, stamp: Array(header[8..<8 + DatabaseStamp.wordCount]), revision: Int64(bitPattern: header[6]),
      lineage: header[7] == 0 ? nil : header[5])
  }

  /// Writes the file, all of it or nothing; does nothing when that is not possible.
  func save(_ blocks: [FlatBlock], stamp: [UInt64], revision: Int64, lineage: UInt64?) {
    var header = [UInt64](repeating: 0, count: Self.headerWords)
    (header[0], header[3], header[6]) = (
      Self.magic, UInt64(MemoryLayout<CorrectionIndex.Row>.stride), UInt64(bitPattern: revision)
    )
    (header[5], header[7]) = (lineage ?? 0, lineage == nil ? 0 : 1)
    for (place, word) in stamp.enumerated() { header[8 + place] = word }
    var offset = Self.headerWords * 8
    for (place, block) in blocks.enumerated() {
      (header[16 + 2 * place], header[17 + 2 * place]) = (UInt64(offset), UInt64(block.bytes.count))
      offset += Self.padded(block.bytes.count)
    }
    header[2] = UInt64(offset)
    if offset <= Self.checkedBytes {
      var body: [UInt8] = []
      for block in blocks {
        body.append(contentsOf: block.bytes)
        body.append(contentsOf: repeatElement(0, count: Self.padded(block.bytes.count) - block.bytes.count))
      }
      header[4] = body.withUnsafeBytes { Self.sum($0) }
    }
    header[1] = Self.sum(header[2...])
    let temporary = "\(path).\(getpid()).new"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    let zeros = [UInt8](repeating: 0, count: 16)
    var isWritten = header.withUnsafeBytes { Self.writeAll($0, to: descriptor) }
    for block in blocks where isWritten {
      let rest = Self.padded(block.bytes.count) - block.bytes.count
      isWritten =
        Self.writeAll(block.bytes, to: descriptor)
        && zeros.withUnsafeBytes { Self.writeAll(.init(rebasing: $0[..<rest]), to: descriptor) }
    }
    close(descriptor)
    if !isWritten || rename(temporary, path) != 0 { unlink(temporary) }
  }

  private static func padded(_ count: Int) -> Int { (count + 15) / 16 * 16 }

  private static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var offset = 0
    while offset < bytes.count {
      let sent = write(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
      if sent < 0 && errno != EINTR { return false }
      offset += max(sent, 0)
    }
    return true
  }

  private static func sum(_ words: ArraySlice<UInt64>) -> UInt64 { Array(words).withUnsafeBytes { sum($0) } }

  /// A checksum of bytes, eight at a time. It finds accidents, not forgeries.
  private static func sum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var sum = UInt64(bytes.count)
    var offset = 0
    while offset &+ 8 <= bytes.count {
      sum = (sum ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x9E37_79B1_85EB_CA87
      sum ^= sum &>> 29
      offset &+= 8
    }
    while offset < bytes.count {
      sum = (sum ^ UInt64(bytes[offset])) &* 0x9E37_79B1_85EB_CA87
      offset &+= 1
    }
    return sum ^ sum &>> 32
  }
}
