/// A block of memory that tables are views of: either allocated here or a file mapped elsewhere.
///
/// Unchecked, because nothing writes to it once it is shared.
public final class FlatMemory: @unchecked Sendable {
  /// The first byte, aligned to 16.
  public let start: UnsafeRawPointer
  /// The number of bytes.
  public let count: Int
  private let release: (UnsafeRawPointer, Int) -> Void

  /// Takes ownership of bytes; `release` frees them when the last view is gone.
  public init(_ start: UnsafeRawPointer, count: Int, release: @escaping (UnsafeRawPointer, Int) -> Void) {
    self.start = start
    self.count = count
    self.release = release
  }

  /// Copies the elements of an array.
  public convenience init<Element: BitwiseCopyable>(copying elements: ContiguousArray<Element>) {
    let size = max(elements.count * MemoryLayout<Element>.stride, 16)
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    elements.withUnsafeBytes { copy.copyMemory(from: $0) }
    self.init(UnsafeRawPointer(copy.baseAddress.unsafelyUnwrapped), count: size) { start, _ in start.deallocate() }
  }

  deinit { release(start, count) }

  /// Whether blocks lie inside, each from a multiple of 16.
  public func holds(_ blocks: [Range<Int>]) -> Bool {
    blocks.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= count && $0.lowerBound % 16 == 0 }
  }
}

/// A table of plain values in memory that may be owned elsewhere, e.g. by a mapped file. Copying the table copies no elements.
public struct FlatTable<Element: BitwiseCopyable>: RandomAccessCollection, @unchecked Sendable {
  // Unchecked, since `FlatMemory` is never written to once it is shared.

  /// The address of the first element, valid as long as the table exists.
  public let address: UnsafePointer<Element>
  /// The number of elements.
  public let endIndex: Int
  private let memory: FlatMemory

  /// Copies an array.
  public init(_ elements: ContiguousArray<Element>) {
    self.init(FlatMemory(copying: elements), at: 0, count: elements.count)
  }

  /// Makes a table of `count` elements that `fill` initializes.
  package init(count: Int, _ fill: (UnsafeMutablePointer<Element>) -> Void) {
    let size = Swift.max(count * MemoryLayout<Element>.stride, 16)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    fill(memory.bindMemory(to: Element.self, capacity: count))
    self.init(FlatMemory(memory, count: size) { start, _ in start.deallocate() }, at: 0, count: count)
  }

  /// A view of `count` elements from an offset on, which must be a multiple of the element's alignment.
  public init(_ memory: FlatMemory, at offset: Int, count: Int) {
    precondition(count >= 0 && offset >= 0 && offset + count * MemoryLayout<Element>.stride <= memory.count)
    address = (memory.start + offset).assumingMemoryBound(to: Element.self)
    endIndex = count
    self.memory = memory
  }

  /// The elements.
  public var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: address, count: endIndex) }

  /// The elements' bytes, as they go into a file.
  public var block: FlatBlock { FlatBlock(memory, UnsafeRawBufferPointer(elements)) }

  /// 0.
  public var startIndex: Int { 0 }

  /// The element at a place.
  public subscript(position: Int) -> Element {
    precondition(position >= 0 && position < endIndex)
    return address[position]
  }
}

/// The bytes of a table, kept alive.
public struct FlatBlock: RandomAccessCollection, Equatable, @unchecked Sendable {
  // Unchecked, since `FlatMemory` is never written to once it is shared.

  /// The bytes.
  public let bytes: UnsafeRawBufferPointer
  private let memory: FlatMemory

  init(_ memory: FlatMemory, _ bytes: UnsafeRawBufferPointer) {
    self.memory = memory
    self.bytes = bytes
  }

  /// 0.
  public var startIndex: Int { 0 }
  /// The number of bytes.
  public var endIndex: Int { bytes.count }
  /// The byte at a place.
  public subscript(position: Int) -> UInt8 { bytes[position] }
  /// Blocks are equal when their bytes are equal.
  public static func == (left: FlatBlock, right: FlatBlock) -> Bool { left.elementsEqual(right) }
}
