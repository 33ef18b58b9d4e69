import AisleCore

/// Bytes on their way out: appended without checks after one `reserve`, written at once.
package final class OutputBuffer: ByteSink {
  @exclusivity(unchecked) package private(set) var base: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) package private(set) var count = 0
  @exclusivity(unchecked) private var capacity: Int

  package init(capacity: Int = 1 << 16) {
    self.capacity = capacity
    base = .allocate(capacity: capacity)
  }

  deinit { base.deallocate() }

  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  package func removeAll() { count = 0 }

  package func dropLast() { count -= 1 }

  package func removeFirst(_ length: Int) {
    UnsafeMutableRawPointer(base).copyMemory(from: base + length, byteCount: count - length)
    count -= length
  }

  /// Makes room for `extra` more bytes.
  package func reserve(_ extra: Int) {
    guard count + extra > capacity else { return }
    capacity = max(2 * capacity, count + extra)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
  }

  /// Appends a byte; room must have been reserved.
  @inline(__always)
  package func put(_ byte: UInt8) {
    base[count] = byte
    count &+= 1
  }

  /// Appends bytes; room must have been reserved.
  @inline(__always)
  package func put(_ bytes: UnsafePointer<UInt8>, _ length: Int) {
    (base + count).update(from: bytes, count: length)
    count &+= length
  }

  package func append(_ bytes: some Collection<UInt8>) {
    let isCopied: Void? = bytes.withContiguousStorageIfAvailable { bytes in
      reserve(bytes.count)
      if let base = bytes.baseAddress { put(base, bytes.count) }
    }
    guard isCopied == nil else { return }
    reserve(bytes.count)
    for byte in bytes { put(byte) }
  }
}
