import AisleCore

/// Finds what makes a data file no plain text.
enum TextCheck {
  /// The first NUL byte or invalid UTF-8 sequence, as a finding; `nil` for plain text.
  ///
  /// - Complexity: O(bytes), without allocation for valid text.
  static func firstFault(in bytes: [UInt8], path: String) -> Finding? {
    if bytes.withUnsafeBufferPointer(isText) { return nil }
    var decoder = UTF8()
    var line = 1
    var column = 1
    var iterator = bytes.makeIterator()
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue("\0"):
        return Finding(SourceLocation(path: path, line: line, column: column), "NUL byte; save the file as plain UTF-8 text")
      case .scalarValue(let scalar):
        if scalar == "\n" { (line, column) = (line + 1, 1) } else { column += UTF8.width(scalar) }
      case .error:
        return Finding(SourceLocation(path: path, line: line, column: column), "not valid UTF-8; save the file as UTF-8")
      case .emptyInput: return nil
      }
    }
  }

  /// How many bytes are looked at together: few enough for a copy of them to cost little.
  private static let piece = 1 << 15

  private static func isText(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var start = 0
    while start < bytes.count {
      var end = min(start + piece, bytes.count)
      // A character's bytes stay together.
      while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
      let piece = UnsafeBufferPointer(rebasing: bytes[start..<end])
      // Without a way out of the loops, which are faster so.
      if piece.reduce(.max, min) == 0 { return false }
      if piece.reduce(0, |) >= 0x80, String(validating: piece, as: UTF8.self) == nil { return false }
      start = end
    }
    return true
  }
}
