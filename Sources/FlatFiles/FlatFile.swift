package import AisleCore
import CFlatFile

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Blocks of a file that is kept from one run to the next: an index, used as it lies on the disk.
///
/// A file is used only when it is the user's own, and every page that is read has the checksum that was noted when it was saved: a disk that
/// changed a bit, moved a page or lost the end is found before anything is answered from it. Nothing should depend on such a file:
/// whatever is wrong with it, it is made anew.
package struct FlatFile: Sendable {
  /// What holds the blocks.
  package let memory: FlatMemory
  /// What was noted when it was saved.
  package let notes: [UInt64]
  /// Where the blocks lie in the memory, each from a multiple of 16.
  package let blocks: [Range<Int>]
  /// The pages' checksums.
  private let sums: [UInt32]

  /// The most blocks and notes that a file has room for, a block counting twice.
  package static let capacity = FlatFileHeader.capacity
  /// How many bytes have a checksum of their own.
  package static let pageSize = 4096

  /// Opens a file, and checks it. Where a fault guard is installed the file is mapped, and `FaultGuard.changedFile` says whether
  /// what was read since can be relied on; else it is read.
  ///
  /// - Complexity: O(size): mapped some 20 bytes a nanosecond, read three.
  ///
  /// - Parameters:
  ///   - isOwn: Whether it must be the user's own: so it is where nobody has named it.
  ///   - later: The number of a block that is not checked yet: ask `isSound` before anything of it is read.
  package init(_ path: String, magic: UInt64, isOwn: Bool = true, later: Int? = nil) throws(FlatFileFault) {
    let file = try OpenedFlatFile(path, magic: magic, isOwn: isOwn)
    sums = try file.sums()
    memory = FaultGuard.map(file, path: path) ?? Self.read(file)
    (notes, blocks) = (
      file.header.notes, file.header.blocks.map { $0.lowerBound + FlatFileHeader.size..<$0.upperBound + FlatFileHeader.size }
    )
    let pages = later.map(ownPages) ?? sums.count..<sums.count
    guard areSound(0..<pages.lowerBound), areSound(pages.upperBound..<sums.count) else { throw .damaged }
  }

  /// Whether a block that was left for later is as it was saved. One of a file that is no longer what it was when it was opened counts as
  /// sound: whoever asks `FaultGuard.changedFile` hears of that.
  package func isSound(_ block: Int) -> Bool { areSound(ownPages(block)) || FaultGuard.hasChangedFile }

  /// The pages that are a block's alone; none where it is not there.
  private func ownPages(_ block: Int) -> Range<Int> {
    guard blocks.indices.contains(block) else { return sums.count..<sums.count }
    let first = Self.pageCount(blocks[block].lowerBound - FlatFileHeader.size)
    return first..<max((blocks[block].upperBound - FlatFileHeader.size) / Self.pageSize, first)
  }

  private func areSound(_ pages: Range<Int>) -> Bool {
    let start = FlatFileHeader.size + pages.lowerBound * Self.pageSize
    let count = min(pages.count * Self.pageSize, memory.count - start)
    return pages.isEmpty
      || sums.withUnsafeBufferPointer {
        aisle_first_damaged_page(memory.start + start, count, Self.pageSize, $0.baseAddress.unsafelyUnwrapped + pages.lowerBound)
      } == pages.count
  }

  /// The file's bytes up to the checksums; zeros where there are fewer.
  private static func read(_ file: OpenedFlatFile) -> FlatMemory {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: max(file.header.sumsStart, 16), alignment: 16)
    let count = file.read(bytes, at: 0)
    UnsafeMutableRawBufferPointer(rebasing: bytes[count...]).initializeMemory(as: UInt8.self, repeating: 0)
    return FlatMemory(UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped), count: bytes.count) { start, _ in start.deallocate()
    }
  }

  /// How many pages so many bytes take.
  static func pageCount(_ count: Int) -> Int { (count + pageSize - 1) / pageSize }

  /// A checksum of bytes, CRC-32C. It finds accidents, not forgeries.
  ///
  /// - Parameter earlier: The checksum of the bytes before them.
  /// - Complexity: O(bytes), some ten bytes a nanosecond.
  package static func checksum(_ bytes: UnsafeRawBufferPointer, after earlier: UInt32 = 0) -> UInt32 {
    aisle_crc32c(earlier, bytes.baseAddress, bytes.count)
  }
}
