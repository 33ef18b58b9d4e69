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
/// A file is used only when it is the user's own, and every page of it has the checksum that was noted when it was saved: a disk that
/// changed a bit, moved a page or lost the end is found before anything is answered from it. Nothing should depend on such a file:
/// whatever is wrong with it, it is made anew.
package struct FlatFile: Sendable {
  /// What holds the blocks.
  package let memory: FlatMemory
  /// What was noted when it was saved.
  package let notes: [UInt64]
  /// Where the blocks lie in the memory, each from a multiple of 16.
  package let blocks: [Range<Int>]

  /// The most blocks and notes that a file has room for, a block counting twice.
  package static let capacity = FlatFileHeader.capacity
  /// How many bytes have a checksum of their own.
  package static let pageSize = 4096

  /// Opens a file, and checks all of it. Where a fault guard is installed the file is mapped, and `FaultGuard.changedFile` says whether
  /// what was read since can be relied on; else it is read.
  ///
  /// - Complexity: O(size): mapped some 20 bytes a nanosecond, read three.
  ///
  /// - Parameter isOwn: Whether it must be the user's own: so it is where nobody has named it.
  package init(_ path: String, magic: UInt64, isOwn: Bool = true) throws(FlatFileFault) {
    let file = try OpenedFlatFile(path, magic: magic, isOwn: isOwn)
    let sums = try file.sums()
    memory = FaultGuard.map(file, path: path) ?? Self.read(file)
    (notes, blocks) = (
      file.header.notes, file.header.blocks.map { $0.lowerBound + FlatFileHeader.size..<$0.upperBound + FlatFileHeader.size }
    )
    let content = memory.start + FlatFileHeader.size
    let damaged = aisle_first_damaged_page(content, file.header.contentSize, Self.pageSize, sums)
    guard damaged == file.header.pageCount else { throw .damaged }
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
