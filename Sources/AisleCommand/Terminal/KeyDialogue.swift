/// A conversation on a terminal: text out, single keys in. It needs no cursor control, no color, and no size.
struct KeyDialogue {
  private let keys: KeyReader
  private let output = Descriptor.standardOutput

  init(_ keys: KeyReader) { self.keys = keys }

  /// Shows a text.
  ///
  /// - Throws: `StreamError`; `Interruption` after Ctrl-C.
  func tell(_ text: String) throws {
    var text = text
    try text.withUTF8 { try output.write(UnsafeRawBufferPointer($0)) }
  }

  /// Waits for a key.
  ///
  /// - Throws: `StreamError`; `Interruption` after Ctrl-C.
  func key() throws -> KeyReader.Key { try keys.next() }

  /// Takes a line that the person types, up to Enter; `nil` after Escape, and where the terminal is gone.
  ///
  /// - Parameter beginning: What has been typed of it already.
  /// - Throws: `StreamError`; `Interruption` after Ctrl-C.
  func askLine(beginning: String = "") throws -> String? {
    var text = beginning
    try tell(text)
    defer { try? tell("\n") }
    while true {
      switch try keys.next() {
      case .enter: return text
      case .escape, .end: return nil
      case .backspace:
        if text.popLast() != nil { try tell("\u{8} \u{8}") }
      case .character(let character):
        text.append(character)
        try tell(String(character))
      }
    }
  }
}
