package import AisleCore
import CFlatFile
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
  /// How many pages were read one by one in each region.
  private let filled: Guarded<[Int]>

  /// A file of no more pages is read at once.
  private static let smallCount = 32
  /// How many pages processors can address as one: a region.
  private static let regionCount = 512
  /// Once so many pages of a region were read one by one, the rest of it is likely to be needed, and costs less to be read at once.
  private static let busyCount = 64

  /// Opens a file.
  ///
  /// - Complexity: O(pages): a few milliseconds for some gigabytes.
  package init(_ path: String, magic: UInt64) throws(FlatFileFault) {
    file = try OpenedFlatFile(path, magic: magic)
    sums = try file.sums()
    (notes, blocks) = (file.header.notes, file.header.blocks)
    let size = max(file.header.contentSize, 16)
    var flags = MAP_PRIVATE | MAP_ANON
    #if os(Linux)
      flags |= MAP_NORESERVE
    #endif
    // From a multiple of a region's size on.
    let regionSize = Self.regionCount * FlatFile.pageSize
    let spare = size > regionSize ? regionSize : 0
    guard let reserved = mmap(nil, size + spare, PROT_READ | PROT_WRITE, flags, -1, 0), reserved != MAP_FAILED else {
      throw .unusable("does not fit into memory")
    }
    let start = reserved + (spare == 0 ? 0 : -Int(bitPattern: reserved) & (regionSize - 1))
    memory = FlatMemory(UnsafeRawPointer(start), count: size) { _, _ in munmap(reserved, size + spare) }
    filled = Guarded(Array(repeating: 0, count: sums.count / Self.regionCount + 1))
    let words = sums.count / 64 + 1
    isThere = .allocate(capacity: words)
    for word in 0..<words { (isThere + word).initialize(to: Atomic(0)) }
    if sums.count <= Self.smallCount {
      readRest(of: sums.indices)
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
    filled.withLock { filled in
      let region = page / Self.regionCount
      if isThere(page) { return }
      filled[region] += 1
      if filled[region] < Self.busyCount { return read(page..<page + 1) }
      let pages = (region * Self.regionCount..<(region + 1) * Self.regionCount).clamped(to: sums.indices)
      if !replace(pages) { readRest(of: pages) }
    }
  }

  /// Reads a whole region into memory that processors address as one page, where the system can, and puts that in the region's place:
  /// looking at places all over it then waits less for their addresses. What has been read there stays byte for byte what it was.
  ///
  /// - Returns: `false` where that is not possible, or a page is damaged; nothing has changed then.
  private func replace(_ pages: Range<Int>) -> Bool {
    let (size, offset) = (Self.regionCount * FlatFile.pageSize, pages.lowerBound * FlatFile.pageSize)
    guard pages.count == Self.regionCount, offset + size <= file.header.contentSize,
      let fresh = aisle_map_large_page(size)
    else { return false }
    let bytes = UnsafeMutableRawBufferPointer(start: fresh, count: size)
    if isWhole(bytes, pages), aisle_move_pages(fresh, size, UnsafeMutableRawPointer(mutating: memory.start) + offset) {
      markThere(pages)
      return true
    }
    munmap(fresh, size)
    return false
  }

  /// Reads pages into memory; whether all of them are what they were when they were saved.
  private func isWhole(_ bytes: UnsafeMutableRawBufferPointer, _ pages: Range<Int>) -> Bool {
    guard file.read(bytes, at: FlatFileHeader.size + pages.lowerBound * FlatFile.pageSize) == bytes.count else { return false }
    return sums.withUnsafeBufferPointer { sums in
      sums.baseAddress.map {
        aisle_first_damaged_page(bytes.baseAddress, bytes.count, FlatFile.pageSize, $0 + pages.lowerBound) == pages.count
      } ?? false
    }
  }

  private func markThere(_ pages: Range<Int>) {
    for page in pages { isThere[page / 64].bitwiseOr(1 << UInt64(page % 64), ordering: .releasing) }
  }

  private func isThere(_ page: Int) -> Bool { isThere[page / 64].load(ordering: .relaxed) >> UInt64(page % 64) & 1 == 1 }

  /// Reads the pages that are not there, as many at once as lie together. Those that are there stay as they were checked.
  private func readRest(of pages: Range<Int>) {
    var first = pages.lowerBound
    while first < pages.upperBound {
      var end = first
      while end < pages.upperBound, !isThere(end) { end += 1 }
      if first < end { read(first..<end) }
      first = end + 1
    }
  }

  /// Reads pages, and puts zeros there where one of them is damaged.
  private func read(_ pages: Range<Int>) {
    let offset = pages.lowerBound * FlatFile.pageSize
    let count = min(pages.count * FlatFile.pageSize, file.header.contentSize - offset)
    let bytes = UnsafeMutableRawBufferPointer(start: UnsafeMutableRawPointer(mutating: memory.start) + offset, count: count)
    if !isWhole(bytes, pages) {
      bytes.initializeMemory(as: UInt8.self, repeating: 0)
      damage.store(true, ordering: .relaxed)
    }
    markThere(pages)
  }

  /// Checks all of a file.
  ///
  /// - Complexity: O(size).
  package static func check(_ path: String, magic: UInt64) throws(FlatFileFault) -> Int {
    let file = try PagedFile(path, magic: magic)
    file.filled.withLock { _ in file.readRest(of: file.sums.indices) }
    if file.isDamaged { throw .damaged }
    return file.file.state.size
  }
}
