/// Reads scalars from bytes; what is no UTF-8 reads as `nil`, a byte at a time.
struct ScalarReader {
  private(set) var offset = 0
  private let bytes: UnsafePointer<UInt8>
  private let count: Int

  init(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    self.bytes = bytes
    self.count = count
  }

  /// Passes over bytes that were read otherwise.
  mutating func skip(_ count: Int) { offset += count }

  mutating func next() -> (scalar: Unicode.Scalar?, offset: Int)? {
    guard offset < count else { return nil }
    let start = offset
    let lead = bytes[start]
    let length = lead < 0x80 ? 1 : lead >= 0xF5 ? 0 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0
    offset += 1
    guard length > 0, start + length <= count else { return (nil, start) }
    var value = length == 1 ? UInt32(lead) : UInt32(lead) & (0x7F >> UInt32(length))
    for place in 1..<max(length, 1) {
      let byte = bytes[start + place]
      guard byte & 0xC0 == 0x80 else { return (nil, start) }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    let smallest: UInt32 = length == 3 ? 0x800 : length == 4 ? 0x10000 : 0
    guard value >= smallest, let scalar = Unicode.Scalar(value) else { return (nil, start) }
    offset = start + length
    return (scalar, start)
  }
}
