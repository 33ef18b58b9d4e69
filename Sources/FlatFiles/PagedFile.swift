package import AisleCore
package import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A file of blocks that is read page by page when a page is first needed, and each page checked then: opening one of hundreds of
/// megabytes takes no longer than opening a small one. What was read once stays as it was, whatever becomes of the file.
///
/// Unchecked, since a page is written once, before it is told that it is there.
package final class PagedFile: @unchecked Sendable {
  /// What holds the blocks, from the first page on; zeros where no page has been read yet.
  package let memory: FlatMemory
  /// What was noted when it was saved.
  package let notes: [UInt64]
  /// Where the blocks lie in the memory, each from a multiple of 16.
  package let blocks: [Range<Int>]
  /// Whether each page has been read, or has been found damaged: a bit a page. Whoever finds it clear calls `fill` before reading there.
  package let isThere: UnsafeMutablePointer<Atomic<UInt64>>

  private let file: OpenedFlatFile
  private let sums: [UInt32]
  private let damage = Atomic<Bool>(false)
  private let filling = Mutex<Void>(())

  /// A file of no more pages is read at once.
  private static let smallCount = 32

  /// Opens a file.
  ///
  /// - Complexity: O(pages): a few milliseconds for some gigabytes.
  package init(_ path: String, magic: UInt64) throws(FlatFileFault) {
    file = try OpenedFlatFile(path, magic: magic)
    sums = try file.sums()
    (notes, blocks) = (file.header.notes, file.header.blocks)
    let size = max(file.header.contentSize, 16)
    var flags = MAP_PRIVATE | MAP_ANONYMOUS
    #if os(Linux)
      flags |= MAP_NORESERVE
    #endif
    guard let start = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0), start != MAP_FAILED else {
      throw .unusable("does not fit into memory")
    }
    memory = FlatMemory(UnsafeRawPointer(start), count: size) { munmap(UnsafeMutableRawPointer(mutating: $0), $1) }
    let words = sums.count / 64 + 1
    isThere = .allocate(capacity: words)
    for word in 0..<words { (isThere + word).initialize(to: Atomic(0)) }
    if sums.count <= Self.smallCount {
      for page in sums.indices { fill(page) }
      if isDamaged { throw .damaged }
    }
  }

  deinit { isThere.deallocate() }

  /// Whether a page that was needed proved damaged: what was read there were zeros.
  package var isDamaged: Bool { damage.load(ordering: .relaxed) }

  /// Reads a page, unless it is there or there is no such page.
  @inline(never)
  package func fill(_ page: Int) {
    guard sums.indices.contains(page) else { return }
    filling.withLock { _ in
      let bit: UInt64 = 1 << UInt64(page % 64)
      if isThere[page / 64].load(ordering: .relaxed) & bit != 0 { return }
      let offset = page * FlatFile.pageSize
      let count = min(FlatFile.pageSize, memory.count - offset, file.header.contentSize - offset)
      let bytes = UnsafeMutableRawBufferPointer(start: UnsafeMutableRawPointer(mutating: memory.start) + offset, count: count)
      let isRead = file.read(bytes, at: FlatFileHeader.size + offset) == count
      if !isRead || FlatFile.checksum(UnsafeRawBufferPointer(bytes)) != sums[page] {
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
        damage.store(true, ordering: .relaxed)
      }
      isThere[page / 64].bitwiseOr(bit, ordering: .releasing)
    }
  }

  /// Checks all of a file.
  ///
  /// - Complexity: O(size).
  package static func check(_ path: String, magic: UInt64) throws(FlatFileFault) -> Int {
    let file = try PagedFile(path, magic: magic)
    for page in file.sums.indices { file.fill(page) }
    if file.isDamaged { throw .damaged }
    return file.file.state.size
  }
}
