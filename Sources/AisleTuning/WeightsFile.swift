public import AisleCore

/// Writes weights into the text of `weights.txt`; comments, spaces, and the order of lines stay as they are.
public enum WeightsFile {
  /// The text with new values for some weights.
  ///
  /// - Parameter text: The current file; empty for a new one.
  public static func write(_ weights: PhraseWeights, into text: [UInt8]) -> [UInt8] {
    var left = PhraseWeights.Setting.allCases
    var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    if lines.last?.isEmpty == true { lines.removeLast() }
    if text.isEmpty {
      lines = ["# How the phrase rules weigh keywords, and how likely the winner is right.", ""].map { Array($0.utf8) }
    }
    for place in lines.indices {
      guard let (setting, value) = read(lines[place]), let number = left.firstIndex(of: setting) else { continue }
      left.remove(at: number)
      replace(&lines[place], value, with: Array(weights.text(of: setting).utf8))
    }
    let standard = PhraseWeights()
    for setting in left where weights.text(of: setting) != standard.text(of: setting) || text.isEmpty {
      let value = weights.text(of: setting)
      if !value.isEmpty { lines.append(Array("\(setting.name) = \(value)".utf8)) }
    }
    return Array(lines.map { $0 + [0x0A] }.joined())
  }

  /// The setting that a line is, and where its value lies.
  private static func read(_ line: [UInt8]) -> (PhraseWeights.Setting, Range<Int>)? {
    var end = line.count
    for place in line.indices where line[place] == UInt8(ascii: "#") && (place == 0 || isBlank(line[place - 1])) {
      end = place
      break
    }
    guard let sign = line[..<end].firstIndex(of: UInt8(ascii: "=")) else { return nil }
    let name = String(decoding: line[..<sign], as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard let setting = PhraseWeights.Setting(name: name) else { return nil }
    var start = sign + 1
    while start < end, isBlank(line[start]) { start += 1 }
    while end > start, isBlank(line[end - 1]) { end -= 1 }
    return (setting, start..<end)
  }

  /// Puts a value in the place of another, and keeps a comment behind it in its column where there is room.
  private static func replace(_ line: inout [UInt8], _ range: Range<Int>, with value: [UInt8]) {
    var behind = Array(line[range.upperBound...])
    let blanks = behind.prefix(while: isBlank).count
    if blanks < behind.count {
      let room = max(range.count + blanks - value.count, 2)
      behind = [UInt8](repeating: 0x20, count: room) + behind.dropFirst(blanks)
    }
    line.replaceSubrange(range.lowerBound..., with: value + behind)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
}
