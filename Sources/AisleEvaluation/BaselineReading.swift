import AisleCore
import AisleFiles

/// A saved evaluation being read: a baseline, or a report of format `json`, which has the same answers among other things.
struct BaselineReading {
  /// What the file is.
  enum Kind: String {
    case baseline = "aisle-baseline"
    case report = "aisle-report"

    /// The command that writes it.
    var command: String { self == .baseline ? "aisle bless" : "aisle eval --reporter json" }
  }

  /// What the file says that it is; `nil` as long as it has not.
  private(set) var kind: Kind?
  private(set) var table = AnswerTable()
  private var texts: [String: String] = [:]
  private var version: Int?
  private var hasAnswers = false
  private var expected: [UInt32] = []
  private let fileSize: Int
  /// What the scanner looks through, where it has not the whole file.
  private let window: FileWindow?

  init(fileSize: Int, window: FileWindow? = nil) {
    self.fileSize = fileSize
    self.window = window
  }

  /// What was evaluated; `nil` when a field is missing.
  var header: Baseline.Header? {
    guard let tool = texts["tool"], let store = texts["store"], let chain = texts["chain"], let taxonomy = texts["taxonomy"],
      let corpus = texts["corpus"], kind != nil, version != nil, hasAnswers
    else { return nil }
    return Baseline.Header(tool: tool, store: store, chain: chain, taxonomy: taxonomy, corpus: corpus)
  }

  mutating func read(_ scanner: inout JSONScanner) throws(JSONFault) {
    try scanner.object { scanner, key throws(JSONFault) in
      try readMember(String(decoding: key, as: UTF8.self), &scanner)
    }
    try scanner.end()
  }

  private mutating func readMember(_ key: String, _ scanner: inout JSONScanner) throws(JSONFault) {
    let place = scanner.offset
    switch (key, kind) {
    case ("format", _):
      let format = try text(&scanner)
      kind = Kind(rawValue: format)
      if kind == nil { throw JSONFault(message: "not a baseline but `\(format)`", offset: place) }
    case ("version", _):
      let version = try scanner.number()
      guard version == Double(Baseline.version) else {
        let (kind, found) = (kind ?? .baseline, Int(exactly: version).map { "\($0)" } ?? "\(version)")
        throw JSONFault(
          message:
            "the \(kind) has version \(found), not \(Baseline.version); "
            + "write it again with `\(kind.command)`", offset: place)
      }
      self.version = Baseline.version
    case ("store", .report): texts[key] = try member("id", of: &scanner)
    case ("corpus", .report): texts[key] = try member("fingerprint", of: &scanner)
    case ("chain", .report):
      var names: [String] = []
      try scanner.array { scanner throws(JSONFault) in names.append(try text(&scanner)) }
      texts[key] = names.joined(separator: ",")
    case ("tool", _), ("store", _), ("chain", _), ("taxonomy", _), ("corpus", _): texts[key] = try text(&scanner)
    case ("total", .baseline), ("total", nil):
      // Room for all of them, if it is true.
      let total = try scanner.number()
      table.rows.reserveCapacity(min(max(Int(exactly: total.rounded()) ?? 0, 0), fileSize / BaselineFile.leastAnswerBytes))
      table.bytes.reserveCapacity(fileSize / 2)
    case ("answers", .baseline), ("answers", nil), ("items", .report):
      hasAnswers = true
      try scanner.array { scanner throws(JSONFault) in
        if let window, window.advance(to: scanner.offset) { scanner = JSONScanner(window.bytes) }
        try readAnswer(&scanner)
      }
    default: try scanner.skipValue()
    }
  }

  /// An answer of a baseline, or an item of a report, in which the reason is in two parts.
  private mutating func readAnswer(_ scanner: inout JSONScanner) throws(JSONFault) {
    let place = scanner.offset
    var (item, reason): (Batch.Extent?, Batch.Extent?)
    var (section, strategy): (UInt32?, UInt32?)
    var (keyword, rule) = ("", "")
    var confidence = 0.0
    expected.removeAll(keepingCapacity: true)
    try scanner.object { scanner, key throws(JSONFault) in
      switch (key.first, key.count) {
      case (UInt8(ascii: "i"), 4): item = try scanner.string { table.keep($0) }
      case (UInt8(ascii: "e"), 8):
        try scanner.array { scanner throws(JSONFault) in
          expected.append(try scanner.string { table.sections.number(of: $0) })
        }
      case (UInt8(ascii: "c"), 10): confidence = try scanner.number()
      case (UInt8(ascii: "r"), 6): reason = try scanner.string { table.keep($0) }
      case (UInt8(ascii: "s"), 7): section = try scanner.string { table.sections.number(of: $0) }
      case (UInt8(ascii: "s"), 8): strategy = try scanner.string { table.strategies.number(of: $0) }
      case (UInt8(ascii: "k"), 7) where scanner.peek() == UInt8(ascii: "\""): keyword = try text(&scanner)
      case (UInt8(ascii: "r"), 4) where scanner.peek() == UInt8(ascii: "\""): rule = try text(&scanner)
      default: try scanner.skipValue()
      }
    }
    guard let item, let section, !expected.isEmpty else {
      throw JSONFault(message: "an answer needs \"item\", \"expected\", and \"section\"", offset: place)
    }
    table.rows.append(
      AnswerTable.Row(
        item: item, expected: table.number(of: expected), section: section,
        grounds: .spelled(
          strategy: strategy ?? table.strategies.number(of: "none".utf8),
          reason: reason ?? table.keep(Explanation.reason(keyword: keyword, rule: rule).utf8)),
        confidence: AnswerTable.hundredths(confidence), isRight: expected.contains(section)))
  }

  private func text(_ scanner: inout JSONScanner) throws(JSONFault) -> String {
    String(decoding: try scanner.string(), as: UTF8.self)
  }

  /// A member of an object, a text; `nil` if the object has none of this name.
  private func member(_ name: String, of scanner: inout JSONScanner) throws(JSONFault) -> String? {
    var found: String?
    try scanner.object { scanner, key throws(JSONFault) in
      if key.elementsEqual(name.utf8) { found = try text(&scanner) } else { try scanner.skipValue() }
    }
    return found
  }
}
