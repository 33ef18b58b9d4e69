import AisleCore
import Testing

@testable import KeywordStrategy

@Suite struct KeyNumbersTests {
  @Test(arguments: [0, 1, 1024, 100_000])
  func `keys keep the number they got first, however many come`(capacity: Int) {
    var random = SeededGenerator(seed: 1)
    var numbers = KeyNumbers(minimumCapacity: capacity)
    var expected: [UInt64: UInt32] = [:]
    for round in 0..<20_000 as Range<UInt32> {
      // Few bits, so that keys come again; 0 is a key too.
      let key = (random.next() % 8_000) << (random.next() % 3 * 24)
      let (number, isNew) = numbers.number(of: key, orAdd: round)
      #expect(isNew == (expected[key] == nil))
      expected[key] = expected[key] ?? round
      #expect(number == expected[key])
    }
  }
}
