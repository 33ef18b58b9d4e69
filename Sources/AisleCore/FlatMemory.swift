/// A block of memory that tables are views of: allocated here, or a file mapped by someone else.
///
/// Unchecked, since nothing writes to it once it is shared.
public final class FlatMemory: @unchecked Sendable {
  /// The bytes, aligned to 16.
  public let bytes: UnsafeRawBufferPointer
  private let release: (UnsafeRawBufferPointer) -> Void

  /// Takes over bytes; `release` gives them back when the last view is gone.
  public init(_ bytes: UnsafeRawBufferPointer, release: @escaping (UnsafeRawBufferPointer) -> Void) {
    self.bytes = bytes
    self.release = release
  }

  /// Copies the elements of an array, which must be plain values without references.
  public convenience init<Element: BitwiseCopyable>(copying elements: ContiguousArray<Element>) {
    let size = max(elements.count * MemoryLayout<Element>.stride, 16)
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    elements.withUnsafeBytes { copy.copyMemory(from: $0) }
    self.init(UnsafeRawBufferPointer(copy)) { $0.deallocate() }
  }

  deinit { release(bytes) }
}

/// A table of plain values in memory that something else may own, e.g. a mapped file. Copying it copies no element.
public struct FlatTable<Element: BitwiseCopyable>: RandomAccessCollection, @unchecked Sendable {
  // Unchecked, since `FlatMemory` is never written to once it is shared.

  /// The elements.
  public let elements: UnsafeBufferPointer<Element>
  private let memory: FlatMemory

  /// Copies an array.
  public init(_ elements: ContiguousArray<Element>) {
    let memory = FlatMemory(copying: elements)
    self.init(memory, at: 0, count: elements.count)
  }

  /// A view of `count` elements from an offset on, which must be a multiple of the element's alignment.
  public init(_ memory: FlatMemory, at offset: Int, count: Int) {
    precondition(count >= 0 && offset >= 0 && offset + count * MemoryLayout<Element>.stride <= memory.bytes.count)
    let start = memory.bytes.baseAddress.map { ($0 + offset).assumingMemoryBound(to: Element.self) }
    elements = UnsafeBufferPointer(start: start, count: count)
    self.memory = memory
  }

  /// The elements' bytes, as they go into a file.
  public var rawBytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(elements) }

  /// 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { elements.count }
  /// The element at a place.
  public subscript(position: Int) -> Element { elements[position] }
}
