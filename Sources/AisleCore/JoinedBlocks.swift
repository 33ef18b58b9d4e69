/// Blocks in one piece of memory: their number, their sizes in bytes, then each from a multiple of 16.
package enum JoinedBlocks {
  /// The bytes of the blocks.
  package static func join(_ blocks: [FlatBlock]) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in [blocks.count] + blocks.map(\.count) {
      withUnsafeBytes(of: UInt64(number).littleEndian) { bytes.append(contentsOf: $0) }
    }
    for block in blocks {
      bytes.append(contentsOf: repeatElement(0, count: (16 - bytes.count % 16) % 16))
      bytes.append(contentsOf: block.bytes)
    }
    return bytes
  }

  /// Where the blocks lie; none in memory that is too small to hold them.
  package static func places(in memory: FlatMemory) -> [Range<Int>] {
    func word(_ place: Int) -> Int? {
      guard 8 * place + 8 <= memory.count else { return nil }
      return Int(exactly: UInt64(littleEndian: memory.start.loadUnaligned(fromByteOffset: 8 * place, as: UInt64.self)))
    }
    guard let count = word(0), count <= memory.count / 8 else { return [] }
    var (places, end): ([Range<Int>], Int) = ([], 8 * (count + 1))
    for block in 0..<count {
      let start = (end + 15) / 16 * 16
      guard let size = word(block + 1), size <= memory.count, start + size <= memory.count else { return [] }
      places.append(start..<start + size)
      end = start + size
    }
    return places
  }
}
