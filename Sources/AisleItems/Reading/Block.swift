/// A stretch of one input that holds whole records, followed by the padding that matchers need.
package struct Block {
  package var text: [UInt8]
  /// How many bytes of `text` are input.
  package var count: Int

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
  /// How many lines the record takes, counted up to this part.
  package var lines = 0

  /// Makes a part.
  package init(bytes: [UInt8], isFirst: Bool, isLast: Bool, lines: Int = 0) {
    self.bytes = bytes
    self.isFirst = isFirst
    self.isLast = isLast
    self.lines = lines
  }
}
