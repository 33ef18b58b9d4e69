import AisleCore

/// What the kit asks strategies.
enum ConformanceItems {
  /// Items as people write them: the strategy's examples, the taxonomy's own keywords in several dresses, and words that nobody knows.
  static func ordinary(_ metadata: StrategyMetadata, _ taxonomy: Taxonomy) -> [String] {
    var items = metadata.examples.map(\.item)
    let step = max(taxonomy.keywords.count / 400, 1)
    for (place, number) in stride(from: 0, to: taxonomy.keywords.count, by: step).enumerated() {
      let keyword = taxonomy.keywords[number].text
      let other = taxonomy.keywords[(number * 7 + 3) % taxonomy.keywords.count].text
      switch place % 6 {
      case 0: items.append(keyword)
      case 1: items.append("2 lbs \(keyword)")
      case 2: items.append("\(keyword) with \(other)")
      case 3: items.append("\(other) \(keyword)")
      case 4: items.append("\(keyword.uppercased()), 12 OZ (pack of 6)")
      default: items.append("Crème \(keyword)")
      }
    }
    return items + everyday
  }

  /// Some everyday items, for a taxonomy and a strategy that bring none.
  private static let everyday = [
    "oat milk", "milk", "2 lbs chicken thighs", "peanut butter", "apple juice", "birthday card", "eggs", "Brot", "jalapeño",
    "half & half",
    "tomatoes, diced, 28oz can", "chocolate milk", "milk chocolate", "mac 'n' cheese", "xyzzy", "call mom", "牛乳", "🥛", "M&M's",
    "7-up",
  ]

  /// Items that no one would write and that come in all the same.
  static let odd: [[UInt8]] = [
    [],
    Array(" ".utf8),
    Array(repeating: 0x20, count: 10_000),
    [0],
    Array("milk\0milk".utf8),
    Array("milk\r".utf8),
    Array("\t\u{B}\u{1B}[31mmilk\u{7F}".utf8),
    [0xFF],
    [0xFE, 0xFF, 0x00, 0x6D],
    Array("milk ".utf8) + [0xC3],
    Array("milk ".utf8) + [0xE2, 0x82],
    Array("milk ".utf8) + [0xF0, 0x9F, 0xA5],
    [0x80, 0x80, 0x80],
    [0xC0, 0xAF],
    [0xED, 0xA0, 0x80] + Array("milk".utf8),
    [0xF4, 0x90, 0x80, 0x80],
    [0xF8, 0x88, 0x80, 0x80, 0x80],
    Array("\u{FEFF}milk".utf8),
    Array("\u{202E}klim".utf8),
    Array("e\u{301}\u{301}\u{301}clair".utf8),
    Array("\u{301}".utf8),
    Array("&&&&''''``,,,,((((".utf8),
    Array(repeating: UInt8(ascii: ","), count: 5_000),
    Array(repeating: UInt8(ascii: "&"), count: 5_000),
    Array(repeating: UInt8(ascii: "x"), count: 1 << 20),
    Array(String(repeating: "milk ", count: 50_000).utf8),
    Array(String(repeating: "é", count: 3_000).utf8),
    Array(String(repeating: "x", count: 2_047).utf8) + Array("é milk".utf8),
    Array(String(repeating: "\u{1100}\u{1161} 각 ﷺ", count: 500).utf8),
    Array((0...255).map { UInt8($0) }),
  ]
}
