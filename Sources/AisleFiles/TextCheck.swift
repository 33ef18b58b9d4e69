import AisleCore

/// Finds what makes a data file no plain text.
enum TextCheck {
  /// The first NUL byte or invalid UTF-8 sequence, as a finding; `nil` for plain text.
  ///
  /// - Complexity: O(bytes), without allocation for valid text.
  static func firstFault(in bytes: [UInt8], path: String) -> Finding? {
    if !bytes.contains(0), isValidUTF8(bytes) { return nil }
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

  private static func isValidUTF8(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { buffer in
      buffer.allSatisfy { $0 < 0x80 } || String(validating: buffer, as: UTF8.self) != nil
    }
  }
}
