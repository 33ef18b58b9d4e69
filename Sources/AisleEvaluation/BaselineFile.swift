import AisleCore
import AisleFiles

/// Writes and reads baselines: a JSON object with one answer per line, so that diffs show the changed answers.
public enum BaselineFile {
  private static let format = "aisle-baseline"
  /// The largest baseline that is read: 1 GiB.
  private static let maximumBytes = 1 << 30
  /// No answer is shorter: `{"item":"","expected":[""],"section":""}`.
  private static let leastAnswerBytes = 40

  /// A baseline as the bytes of its file.
  public static func write(_ baseline: Baseline) -> [UInt8] {
    let output = ByteBuffer()
    output.append("{\n")
    for (name, value) in members(baseline.header) {
      output.append("  \"\(name)\": ")
      JSONText.append(value.utf8, to: output)
      output.append(",\n")
      if name == "format" { output.append("  \"version\": \(Baseline.version),\n") }
    }
    let table = baseline.spelledTable
    output.append("  \"right\": \(baseline.accuracy.count),\n  \"total\": \(table.rows.count),\n  \"answers\": [")
    let sections = table.sections.all.map { json($0.utf8) }
    let strategies = table.strategies.all.map { json($0.utf8) }
    let lists = table.lists.map { list in
      Array("[".utf8) + list.map { sections[Int($0)] }.joined(separator: ",".utf8) + "]".utf8
    }
    var bytes = output.bytes
    bytes.reserveCapacity(bytes.count + 160 * table.rows.count)
    var separator = "\n    "
    for row in table.rows {
      bytes += separator.utf8
      bytes += "{\"item\":".utf8
      append(table, row.item, to: &bytes)
      bytes += ",\"expected\":".utf8
      bytes += lists[Int(row.expected)]
      bytes += ",\"section\":".utf8
      bytes += sections[Int(row.section)]
      bytes += ",\"confidence\":\(Double(row.confidence) / 100)".utf8
      if case .spelled(let strategy, let reason) = row.grounds {
        bytes += ",\"strategy\":".utf8
        bytes += strategies[Int(strategy)]
        bytes += ",\"reason\":".utf8
        append(table, reason, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
      separator = ",\n    "
    }
    bytes += (table.rows.isEmpty ? "]\n}\n" : "\n  ]\n}\n").utf8
    return bytes
  }

  private static func append(_ table: AnswerTable, _ extent: Batch.Extent, to bytes: inout [UInt8]) {
    let text = table.bytes[Int(extent.start)..<Int(extent.start) + Int(extent.length)]
    if text.allSatisfy(isPlain) {
      bytes.append(UInt8(ascii: "\""))
      bytes += text
      bytes.append(UInt8(ascii: "\""))
    } else {
      bytes += json(text)
    }
  }

  /// Whether a byte stands for itself in a JSON text.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private static func json(_ text: some Collection<UInt8>) -> [UInt8] {
    let output = ByteBuffer()
    JSONText.append(text, to: output)
    return output.bytes
  }

  /// Reads a baseline.
  ///
  /// - Throws: `FileError` if the file cannot be read; `Finding` with the line if it is not a baseline, or one of another version.
  public static func read(_ path: String) throws -> Baseline {
    let window = try FileWindow(path, limit: maximumBytes)
    var reading = Reading(fileSize: window.fileSize, window: window)
    var scanner = JSONScanner(window.bytes)
    if (try? reading.read(&scanner)) != nil, let header = reading.header { return Baseline(header: header, table: reading.table) }
    // Something is wrong with it, or larger than a window: from the whole file it is known what, and where.
    return try parse(try FileReader.read(path, limit: maximumBytes), path: path)
  }

  /// What a file is, before a baseline replaces it.
  public enum Subject: Sendable, Hashable {
    /// An empty file.
    case nothing
    /// A baseline of any version, complete or broken; the store is `nil` if it is missing.
    case baseline(store: String?)
    /// Anything else.
    case other
  }

  /// Determines what a file is from the part before its answers.
  ///
  /// - Throws: `FileError` if it cannot be read.
  public static func subject(of path: String) throws -> Subject {
    let window = try FileWindow(path, limit: maximumBytes)
    if window.bytes.isEmpty { return .nothing }
    var scanner = JSONScanner(window.bytes)
    var texts: [String: String] = [:]
    // What is wrong further on does not make it another file.
    try? scanner.object { scanner, key throws(JSONFault) in
      let name = String(decoding: key, as: UTF8.self)
      switch name {
      case "format", "store": texts[name] = String(decoding: try scanner.string(), as: UTF8.self)
      case "answers": throw scanner.fault("nothing more")
      default: try scanner.skipValue()
      }
    }
    return texts["format"] == format ? .baseline(store: texts["store"]) : .other
  }

  static func parse(_ bytes: [UInt8], path: String) throws(Finding) -> Baseline {
    var reading = Reading(fileSize: bytes.count)
    var fault: JSONFault?
    var offset = 0
    bytes.withUnsafeBufferPointer { buffer in
      var scanner = JSONScanner(buffer)
      do throws(JSONFault) { try reading.read(&scanner) } catch { fault = error }
      offset = fault?.offset ?? scanner.offset
    }
    if let fault {
      let before = bytes[..<min(offset, bytes.count)]
      let line = 1 + before.count { $0 == 0x0A }
      let column = offset - ((before.lastIndex(of: 0x0A) ?? -1) + 1) + 1
      let known = reading.isBaseline ? "" : "; `aisle bless` writes baselines"
      throw Finding(SourceLocation(path: path, line: line, column: column), fault.placeless + known)
    }
    guard let header = reading.header else {
      throw Finding(SourceLocation(path: path), "not a baseline: a field is missing; write it again with `aisle bless`")
    }
    return Baseline(header: header, table: reading.table)
  }

  private static func members(_ header: Baseline.Header) -> [(String, String)] {
    [
      ("format", format), ("tool", header.tool), ("store", header.store), ("chain", header.chain), ("taxonomy", header.taxonomy),
      ("corpus", header.corpus),
    ]
  }

  /// A file being read.
  private struct Reading {
    private(set) var isBaseline = false
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
        let corpus = texts["corpus"], isBaseline, version != nil, hasAnswers
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
      switch key {
      case "format":
        let format = try text(&scanner)
        guard format == BaselineFile.format else { throw JSONFault(message: "not a baseline but `\(format)`", offset: place) }
        isBaseline = true
      case "version":
        let version = try scanner.number()
        guard version == Double(Baseline.version) else {
          throw JSONFault(
            message:
              "the baseline has version \(Int(clamping: Int64(version.isFinite ? version.rounded() : 0))), not \(Baseline.version); "
              + "write it again with `aisle bless`", offset: place)
        }
        self.version = Baseline.version
      case "tool", "store", "chain", "taxonomy", "corpus": texts[key] = try text(&scanner)
      case "total":
        // Room for all of them, if it is true.
        let total = try scanner.number()
        table.rows.reserveCapacity(min(max(Int(exactly: total.rounded()) ?? 0, 0), fileSize / leastAnswerBytes))
        table.bytes.reserveCapacity(fileSize / 2)
      case "answers":
        hasAnswers = true
        try scanner.array { scanner throws(JSONFault) in
          if let window, window.advance(to: scanner.offset) { scanner = JSONScanner(window.bytes) }
          try readAnswer(&scanner)
        }
      default: try scanner.skipValue()
      }
    }

    private mutating func readAnswer(_ scanner: inout JSONScanner) throws(JSONFault) {
      let place = scanner.offset
      var (item, reason): (Batch.Extent?, Batch.Extent?)
      var (section, strategy): (UInt32?, UInt32?)
      var confidence = 0.0
      expected.removeAll(keepingCapacity: true)
      try scanner.object { scanner, key throws(JSONFault) in
        switch key.first {
        case UInt8(ascii: "i"): item = try scanner.string { table.keep($0) }
        case UInt8(ascii: "e"):
          try scanner.array { scanner throws(JSONFault) in
            expected.append(try scanner.string { table.sections.number(of: $0) })
          }
        case UInt8(ascii: "c"): confidence = try scanner.number()
        case UInt8(ascii: "r"): reason = try scanner.string { table.keep($0) }
        case UInt8(ascii: "s"):
          if key.count == 7 {
            section = try scanner.string { table.sections.number(of: $0) }
          } else {
            strategy = try scanner.string { table.strategies.number(of: $0) }
          }
        default: try scanner.skipValue()
        }
      }
      guard let item, let section, !expected.isEmpty else {
        throw JSONFault(message: "an answer needs \"item\", \"expected\", and \"section\"", offset: place)
      }
      table.rows.append(
        AnswerTable.Row(
          item: item, expected: table.number(of: expected), section: section,
          grounds: .spelled(strategy: strategy ?? table.strategies.number(of: "none".utf8), reason: reason ?? table.keep([])),
          confidence: AnswerTable.hundredths(confidence), isRight: expected.contains(section)))
    }

    private func text(_ scanner: inout JSONScanner) throws(JSONFault) -> String {
      String(decoding: try scanner.string(), as: UTF8.self)
    }
  }
}
