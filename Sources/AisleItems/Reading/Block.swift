/// A stretch of one input that holds whole records, followed by the padding that matchers need.
package struct Block {
  package var text: [UInt8]
  /// How many bytes of `text` are input.
  package var count: Int
  /// The items right before it on the same list, where it was cut from one.
  package var preceding: [String] = []

  /// Makes a block of a text that ends in the padding.
  package init(text: [UInt8], count: Int) {
    self.text = text
    self.count = count
  }
}

/// Part of a record that is too long for a block, without its line end.
package struct OversizedPart {
  package var bytes: [UInt8]
  package var isFirst: Bool
  package var isLast: Bool
  /// The record's line end, known with its last part.
  package var lineEnd = "\n"
  /// How many line ends there are from the record's start up to the end of this part.
  package var lines = 0
  /// How many of these lines end before the record's first byte.
  package var linesBefore = 0

  /// How many lines end before the quoted CSV field that goes on behind this part; `nil` where none does.
  package var linesBeforeQuote: Int?

  /// Makes a part.
  package init(bytes: [UInt8], isFirst: Bool, isLast: Bool, lines: Int = 0) {
    self.bytes = bytes
    self.isFirst = isFirst
    self.isLast = isLast
    self.lines = lines
  }

  /// The length of `bytes` without a return or an unfinished UTF-8 sequence at their end, which wait for what follows.
  package static func wholeCharacters(_ bytes: ArraySlice<UInt8>) -> Int {
    if bytes.last == 0x0D { return bytes.count - 1 }
    for (back, byte) in bytes.suffix(3).reversed().enumerated() where byte & 0xC0 != 0x80 {
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > back + 1 ? bytes.count - back - 1 : bytes.count
    }
    return bytes.count
  }
}
