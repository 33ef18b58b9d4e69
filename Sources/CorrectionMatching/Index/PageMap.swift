import AisleCore
package import FlatFiles
import Synchronization

/// Memory that tables lie in, and which of its pages are there: all of them, or those that were read from a file so far.
///
/// Unchecked, since the bits are atomic, and a page is there before its bit is set.
package final class PageMap: @unchecked Sendable {
  let memory: FlatMemory
  /// A bit a page.
  fileprivate let isThere: UnsafeMutablePointer<Atomic<UInt64>>
  private let file: PagedFile?

  fileprivate static let shift = FlatFile.pageSize.trailingZeroBitCount

  /// The pages of a file, read as they are needed.
  package init(_ file: PagedFile) { (memory, isThere, self.file) = (file.memory, file.isThere, file) }

  /// Memory that is all there.
  init(_ memory: FlatMemory) {
    self.memory = memory
    let words = (memory.count >> Self.shift) / 64 + 1
    isThere = .allocate(capacity: words)
    for word in 0..<words { (isThere + word).initialize(to: Atomic(.max)) }
    file = nil
  }

  deinit { if file == nil { isThere.deallocate() } }

  /// Whether a page that was read proved damaged: nothing that was found since can be relied on.
  var isDamaged: Bool { file?.isDamaged ?? false }

  @inline(never)
  fileprivate func fill(_ page: Int) { file?.fill(page) }
}

/// A table of plain values in pages: an element is there when it is read.
struct PagedTable<Element: BitwiseCopyable>: Sendable {
  let count: Int
  // Unchecked by the compiler: nothing writes to a page that is there.
  nonisolated(unsafe) private let address: UnsafePointer<Element>
  nonisolated(unsafe) private let isThere: UnsafeMutablePointer<Atomic<UInt64>>
  private let offset: Int
  private let pages: PageMap

  /// A view of a block, which must lie in the memory.
  init(_ pages: PageMap, _ block: Range<Int>) {
    precondition(block.lowerBound >= 0 && block.upperBound <= pages.memory.count)
    count = block.count / MemoryLayout<Element>.stride
    address = (pages.memory.start + block.lowerBound).assumingMemoryBound(to: Element.self)
    (isThere, offset, self.pages) = (pages.isThere, block.lowerBound, pages)
  }

  /// The element at a place, which must be one of the table's.
  @inline(__always)
  subscript(place: Int) -> Element {
    let start = offset &+ place &* MemoryLayout<Element>.stride
    need(start)
    // Only elements whose size is no power of two may reach into the next page.
    if MemoryLayout<Element>.stride.nonzeroBitCount > 1 { need(start &+ MemoryLayout<Element>.stride &- 1) }
    return address[place]
  }

  /// Some elements, which must be the table's.
  @inline(__always)
  subscript(places: Range<Int>) -> UnsafeBufferPointer<Element> {
    if !places.isEmpty {
      let stride = MemoryLayout<Element>.stride
      let last = (offset &+ places.upperBound &* stride &- 1) &>> PageMap.shift
      var page = (offset &+ places.lowerBound &* stride) &>> PageMap.shift
      while page <= last {
        need(page &<< PageMap.shift)
        page &+= 1
      }
    }
    return UnsafeBufferPointer(start: address + places.lowerBound, count: places.count)
  }

  @inline(__always)
  private func need(_ place: Int) {
    let page = place &>> PageMap.shift
    let word = isThere[page &>> 6].load(ordering: .acquiring)
    if _slowPath(word &>> UInt64(page & 63) & 1 == 0) { pages.fill(page) }
  }
}
