import AisleCore
import AisleReporting

/// Bytes on their way out: appended without checks after one `reserve`, written at once.
final class OutputBuffer: ByteSink {
  @exclusivity(unchecked) private(set) var base: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) private(set) var count = 0
  @exclusivity(unchecked) private var capacity: Int

  init(capacity: Int = 1 << 16) {
    self.capacity = capacity
    base = .allocate(capacity: capacity)
  }

  deinit { base.deallocate() }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  func removeAll() { count = 0 }

  func dropLast() { count -= 1 }

  func removeFirst(_ length: Int) {
    UnsafeMutableRawPointer(base).copyMemory(from: base + length, byteCount: count - length)
    count -= length
  }

  /// Replaces what a terminal would obey or not show, none of which is ours.
  func makeVisible() {
    guard let shown = VisibleText.page(bytes, keepsStyle: false) else { return }
    count = 0
    append(shown)
  }

  /// Makes room for `extra` more bytes.
  func reserve(_ extra: Int) {
    guard count + extra > capacity else { return }
    capacity = max(2 * capacity, count + extra)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
  }

  /// Appends a byte; room must have been reserved.
  @inline(__always)
  func put(_ byte: UInt8) {
    base[count] = byte
    count &+= 1
  }

  /// Appends bytes; room must have been reserved.
  @inline(__always)
  func put(_ bytes: UnsafePointer<UInt8>, _ length: Int) {
    (base + count).update(from: bytes, count: length)
    count &+= length
  }

  func append(_ bytes: some Collection<UInt8>) {
    let isCopied: Void? = bytes.withContiguousStorageIfAvailable { bytes in
      reserve(bytes.count)
      if let base = bytes.baseAddress { put(base, bytes.count) }
    }
    guard isCopied == nil else { return }
    reserve(bytes.count)
    for byte in bytes { put(byte) }
  }
}
