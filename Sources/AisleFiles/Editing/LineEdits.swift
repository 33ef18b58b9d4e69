/// Changes to the lines of a text, each by its number in the text as it is; the other lines stay byte for byte.
struct LineEdits {
  private var lines: [ArraySlice<UInt8>]
  private let endsWithNewline: Bool
  private let newline: [UInt8]
  private var removed: Set<Int> = []
  private var replaced: [Int: [UInt8]] = [:]
  private var inserted: [Int: [[UInt8]]] = [:]

  init(_ bytes: [UInt8]) {
    lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    endsWithNewline = lines.last?.isEmpty ?? true
    if endsWithNewline { lines.removeLast() }
    newline = lines.first?.last == 0x0D ? [0x0D, 0x0A] : [0x0A]
  }

  /// How many lines there are.
  var count: Int { lines.count }

  /// A line as it is now, without its end; numbers count from 1.
  func line(_ number: Int) -> [UInt8] {
    if let new = replaced[number] { return new }
    guard lines.indices.contains(number - 1) else { return [] }
    let line = lines[number - 1]
    return Array(line.last == 0x0D ? line.dropLast() : line)
  }

  mutating func remove(_ number: Int) { removed.insert(number) }

  mutating func replace(_ number: Int, with text: [UInt8]) { replaced[number] = text }

  /// Adds a line after another, and after those added there before; 0 is the top.
  mutating func insert(_ text: [UInt8], after number: Int) { inserted[min(number, count), default: []].append(text) }

  /// The changed text.
  var bytes: [UInt8] {
    var result: [UInt8] = []
    for text in inserted[0] ?? [] { result += text + newline }
    for (place, line) in lines.enumerated() {
      let number = place + 1
      if !removed.contains(number) {
        if let text = replaced[number] { result += text + (line.last == 0x0D ? [0x0D] : []) } else { result += line }
        if number < count || endsWithNewline { result.append(0x0A) }
      }
      let added = inserted[number] ?? []
      if !added.isEmpty, !result.isEmpty, result.last != 0x0A { result += newline }
      for text in added { result += text + newline }
    }
    return result
  }

  /// The number of the line that was added as the `place`-th after another.
  func number(ofAdded place: Int, after number: Int) -> Int {
    let number = min(number, count)
    let before = inserted.filter { $0.key < number }.values.reduce(0) { $0 + $1.count }
    return number - removed.count { $0 <= number } + before + place + 1
  }

  /// The number that a line has in the changed text.
  func number(of number: Int) -> Int {
    number - removed.count { $0 < number } + inserted.filter { $0.key < number }.values.reduce(0) { $0 + $1.count }
  }
}
