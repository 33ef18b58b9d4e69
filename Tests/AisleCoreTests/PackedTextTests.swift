import AisleCore
import Testing

/// Bytes as text to compile in.
@Suite struct PackedTextTests {
  @Test(arguments: [0, 1, 7, 8, 9, 63, 64, 511, 512, 513, 5000]) func `bytes come back as they were`(count: Int) {
    var generator = SeededGenerator(seed: UInt64(count))
    // Rows of zeros among others, as in sparse tables.
    let bytes = (0..<count).map { $0 / 24 % 3 == 0 ? 0 : UInt8(truncatingIfNeeded: generator.next()) }
    let text = bytes.withUnsafeBytes { PackedText.write($0) }
    #expect(text.allSatisfy { (0x3F...0x7E).contains($0) })
    let memory = text.withUnsafeBufferPointer { PackedText.read($0) }
    #expect(Array(UnsafeRawBufferPointer(start: memory.start, count: memory.count).prefix(count)) == bytes)
  }
}
