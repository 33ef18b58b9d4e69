import AisleTesting
import Testing

@testable import AisleCore

@Suite struct ScalarReaderTests {
  @Test func `what is UTF-8 is read as the standard library reads it, and nothing else is`() {
    let parts: [UInt8] = [
      0x20, 0x6D, 0x80, 0x8D, 0x8E, 0x90, 0x9F, 0xA0, 0xA9, 0xAC, 0xC1, 0xC3, 0xE0, 0xE2, 0xED, 0xF0, 0xF4, 0xF5, 0xF8, 0xFF,
    ]
    var random = SeededGenerator(seed: 1)
    for _ in 0..<100_000 {
      let bytes = (0..<Int.random(in: 1...8, using: &random)).map { _ in parts.randomElement(using: &random) ?? 0 }
      let read = bytes.withUnsafeBufferPointer { bytes in
        var scalars: [Unicode.Scalar] = []
        guard let base = bytes.baseAddress else { return scalars }
        var reader = ScalarReader(base, bytes.count)
        while let next = reader.next() { if let scalar = next.scalar { scalars.append(scalar) } }
        return scalars
      }
      let expected = String(decoding: bytes, as: UTF8.self).unicodeScalars.filter { $0.value != 0xFFFD }
      #expect(read == Array(expected), "\(bytes)")
      if read != Array(expected) { return }
    }
  }
}
