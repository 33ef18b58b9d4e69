import AisleCore
import AisleFiles

/// Writes and reads baselines: a JSON object with an answer a line, so that a change shows as the lines it changed.
public enum BaselineFile {
  private static let format = "aisle-baseline"
  /// The largest baseline that is read: 1 GiB.
  private static let maximumBytes = 1 << 30

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
    output.append("  \"right\": \(baseline.accuracy.count),\n  \"total\": \(baseline.answers.count),\n  \"answers\": [")
    var bytes = output.bytes
    bytes.reserveCapacity(bytes.count + 160 * baseline.answers.count)
    var quoted = Quoted()
    var separator = "\n    "
    for answer in baseline.answers {
      bytes += separator.utf8
      append(answer, &quoted, to: &bytes)
      separator = ",\n    "
    }
    bytes += (baseline.answers.isEmpty ? "]\n}\n" : "\n  ]\n}\n").utf8
    return bytes
  }

  /// Reads a baseline.
  ///
  /// - Throws: `FileError` when the file cannot be read; `Finding` with the line when it is no baseline, or one of another version.
  public static func read(_ path: String) throws -> Baseline {
    try parse(try FileReader.read(path, limit: maximumBytes), path: path)
  }

  static func parse(_ bytes: [UInt8], path: String) throws(Finding) -> Baseline {
    var reading = Reading()
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
      throw Finding(SourceLocation(path: path, line: line, column: column), fault.message + known)
    }
    guard let header = reading.header else {
      throw Finding(SourceLocation(path: path), "no baseline: a field is missing; write it anew with `aisle bless`")
    }
    return Baseline(header: header, answers: reading.answers)
  }

  private static func members(_ header: Baseline.Header) -> [(String, String)] {
    [
      ("format", format), ("tool", header.tool), ("store", header.store), ("chain", header.chain), ("taxonomy", header.taxonomy),
      ("corpus", header.corpus),
    ]
  }

  /// Texts that occur often, as JSON.
  private struct Quoted {
    private var known: [String: [UInt8]] = [:]
    private var lists: [[String]: [UInt8]] = [:]

    mutating func text(_ text: String) -> [UInt8] {
      if let known = known[text] { return known }
      let output = ByteBuffer()
      JSONText.append(text.utf8, to: output)
      known[text] = output.bytes
      return output.bytes
    }

    mutating func list(_ texts: [String]) -> [UInt8] {
      if let known = lists[texts] { return known }
      let bytes = Array("[".utf8) + texts.map { text($0) }.joined(separator: ",".utf8) + "]".utf8
      lists[texts] = bytes
      return bytes
    }
  }

  private static func append(_ answer: Baseline.Answer, _ quoted: inout Quoted, to output: inout [UInt8]) {
    output += "{\"item\":".utf8
    let isPlain = answer.item.utf8.withContiguousStorageIfAvailable { item in
      guard item.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) else {
        return false
      }
      output.append(UInt8(ascii: "\""))
      output.append(contentsOf: item)
      output.append(UInt8(ascii: "\""))
      return true
    }
    if isPlain != true {
      let buffer = ByteBuffer()
      JSONText.append(answer.item.utf8, to: buffer)
      output += buffer.bytes
    }
    output += ",\"expected\":".utf8
    output += quoted.list(answer.expected)
    output += ",\"section\":".utf8
    output += quoted.text(answer.section)
    output += ",\"confidence\":\(answer.confidence),\"strategy\":".utf8
    output += quoted.text(answer.strategy)
    output += ",\"reason\":".utf8
    output += quoted.text(answer.reason)
    output.append(UInt8(ascii: "}"))
  }

  /// A file being read.
  private struct Reading {
    private(set) var isBaseline = false
    private(set) var answers: [Baseline.Answer] = []
    private var texts: [String: String] = [:]
    private var version: Int?
    private var names: [[UInt8]: String] = [:]

    /// What was evaluated; `nil` when a field is missing.
    var header: Baseline.Header? {
      guard let tool = texts["tool"], let store = texts["store"], let chain = texts["chain"], let taxonomy = texts["taxonomy"],
        let corpus = texts["corpus"], isBaseline, version != nil
      else { return nil }
      return Baseline.Header(tool: tool, store: store, chain: chain, taxonomy: taxonomy, corpus: corpus)
    }

    mutating func read(_ scanner: inout JSONScanner) throws(JSONFault) {
      var reading = self
      defer { self = reading }
      try scanner.object { scanner, key throws(JSONFault) in
        try reading.readMember(String(decoding: key, as: UTF8.self), &scanner)
      }
      try scanner.end()
    }

    private mutating func readMember(_ key: String, _ scanner: inout JSONScanner) throws(JSONFault) {
      let place = scanner.offset
      switch key {
      case "format":
        let format = try text(&scanner)
        guard format == BaselineFile.format else { throw JSONFault(message: "no baseline but `\(format)`", offset: place) }
        isBaseline = true
      case "version":
        let version = try scanner.number()
        guard version == Double(Baseline.version) else {
          throw JSONFault(
            message:
              "baseline of version \(Int(clamping: Int64(version.isFinite ? version.rounded() : 0))), not \(Baseline.version); "
              + "write it anew with `aisle bless`", offset: place)
        }
        self.version = Baseline.version
      case "tool", "store", "chain", "taxonomy", "corpus": texts[key] = try text(&scanner)
      case "answers":
        var reading = self
        defer { self = reading }
        try scanner.array { scanner throws(JSONFault) in try reading.readAnswer(&scanner) }
      default: try scanner.skipValue()
      }
    }

    private mutating func readAnswer(_ scanner: inout JSONScanner) throws(JSONFault) {
      let place = scanner.offset
      var item: String?
      var section: String?
      var expected: [String] = []
      var (confidence, strategy, reason) = (0.0, "none", "")
      var reading = self
      defer { self = reading }
      try scanner.object { scanner, key throws(JSONFault) in
        switch key.first {
        case UInt8(ascii: "i"): item = try reading.text(&scanner)
        case UInt8(ascii: "e"): try scanner.array { scanner throws(JSONFault) in expected.append(try reading.name(&scanner)) }
        case UInt8(ascii: "c"): confidence = try scanner.number()
        case UInt8(ascii: "r"): reason = try reading.name(&scanner)
        case UInt8(ascii: "s"):
          if key.count == 7 { section = try reading.name(&scanner) } else { strategy = try reading.name(&scanner) }
        default: try scanner.skipValue()
        }
      }
      guard let item, let section, !expected.isEmpty else {
        throw JSONFault(message: "an answer needs \"item\", \"expected\" and \"section\"", offset: place)
      }
      reading.answers.append(
        Baseline.Answer(
          item: item, expected: expected, section: section, confidence: confidence, strategy: strategy, reason: reason))
    }

    private func text(_ scanner: inout JSONScanner) throws(JSONFault) -> String {
      String(decoding: try scanner.string(), as: UTF8.self)
    }

    /// A text that occurs often: the same memory for the same name.
    private mutating func name(_ scanner: inout JSONScanner) throws(JSONFault) -> String {
      let bytes = try scanner.string()
      if let known = names[bytes] { return known }
      let name = String(decoding: bytes, as: UTF8.self)
      names[bytes] = name
      return name
    }
  }
}
