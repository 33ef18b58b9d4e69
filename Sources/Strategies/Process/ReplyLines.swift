/// The standard output of a program, cut into lines.
struct ReplyLines {
  /// The longest line that is taken, in bytes.
  static let longestLine = 1 << 20

  private var bytes: [UInt8] = []
  private var searched = 0

  /// Whether something came that no line end has followed yet, or that nobody has taken.
  var isEmpty: Bool { bytes.isEmpty }
  /// Whether a line is longer than any may be.
  var isTooLong: Bool { searched > Self.longestLine }
  /// Whether a line waits to be taken.
  var hasLine: Bool { bytes[searched...].contains(0x0A) }

  mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

  /// The next line without its end; `nil` while there is none.
  mutating func next() -> [UInt8]? {
    guard let end = bytes[searched...].firstIndex(of: 0x0A) else {
      searched = bytes.count
      return nil
    }
    let line = Array(bytes[..<end])
    bytes.removeFirst(end + 1)
    searched = 0
    return line
  }
}
