#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Reads single keys from a terminal, without waiting for the end of a line.
///
/// It asks nothing of the terminal but to send keys: no cursor control, no colors, no size. The terminal is as it was before when
/// `close` returns.
final class KeyReader {
  /// A key that was pressed.
  enum Key: Equatable {
    case character(Character)
    case enter, backspace, escape
    /// The end of the input: the terminal has gone, or Ctrl-D.
    case end
  }

  private let input: Descriptor
  private let before: termios
  private var waiting: [UInt8] = []

  /// Begins to read keys; `nil` when the input is no terminal.
  init?(_ input: Descriptor = .standardInput) {
    var mode = termios()
    guard input.isTerminal, tcgetattr(input.number, &mode) == 0 else { return nil }
    (self.input, before) = (input, mode)
  }

  /// Takes single keys from now on. What is typed before is read as the terminal took it: Ctrl-D, for one, is lost.
  func open() {
    var mode = before
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(input.number, TCSADRAIN, &mode)
  }

  /// Gives the terminal back.
  func close() {
    var mode = before
    tcsetattr(input.number, TCSADRAIN, &mode)
  }

  /// The next key. Keys without a meaning, such as arrows, are passed over.
  ///
  /// - Throws: `StreamError`; `Interruption` after Ctrl-C.
  func next() throws -> Key {
    // Again before each key: whoever was in the foreground meanwhile may have changed it.
    open()
    while true {
      if waiting.isEmpty, try !fill() { return .end }
      if let key = takeKey() { return key }
    }
  }

  private func fill() throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = try buffer.withUnsafeMutableBytes { part in
      try part.baseAddress.map { try input.read(into: $0, count: part.count) } ?? 0
    }
    waiting += buffer[..<count]
    return count > 0
  }

  private func takeKey() -> Key? {
    let byte = waiting.removeFirst()
    switch byte {
    case 0x04: return .end
    case 0x0A, 0x0D: return .enter
    case 0x08, 0x7F: return .backspace
    case 0x1B:
      // An arrow or function key arrives as one piece that begins with Escape: ESC [ …letter, or ESC O letter.
      guard let second = waiting.first, second == UInt8(ascii: "[") || second == UInt8(ascii: "O") else { return .escape }
      waiting.removeFirst()
      while let next = waiting.first {
        waiting.removeFirst()
        if 0x40...0x7E ~= next { break }
      }
      return nil
    case 0x20..<0x7F: return .character(Character(Unicode.Scalar(byte)))
    case 0xC2...0xF4:
      let length = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3
      let text = String(validating: [byte] + waiting.prefix(length), as: UTF8.self)
      waiting.removeFirst(min(length, waiting.count))
      return text?.first.map { .character($0) }
    default: return nil
    }
  }
}
