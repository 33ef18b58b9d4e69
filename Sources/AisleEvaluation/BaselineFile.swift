import AisleCore
import AisleFiles

/// Writes and reads baselines: a JSON object with one answer per line, so that diffs show the changed answers.
public enum BaselineFile {
  static let format = "aisle-baseline"
  /// The largest baseline that is read: 1 GiB.
  private static let maximumBytes = 1 << 30
  /// No answer is shorter: `{"item":"","expected":[""],"section":""}`.
  static let leastAnswerBytes = 40

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

  /// Reads a baseline, or the answers in a report of format `json`.
  ///
  /// - Throws: `FileError` if the file cannot be read; `Finding` with the line if it is neither, or one of another version.
  public static func read(_ path: String) throws -> Baseline {
    let window = try FileWindow(path, limit: maximumBytes)
    var reading = BaselineReading(fileSize: window.fileSize, window: window)
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
    var reading = BaselineReading(fileSize: bytes.count)
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
      let known = reading.kind == nil ? "; `aisle bless` writes baselines" : ""
      throw Finding(SourceLocation(path: path, line: line, column: column), fault.placeless + known)
    }
    guard let header = reading.header else {
      let command = (reading.kind ?? .baseline).command
      throw Finding(SourceLocation(path: path), "not a baseline: a field is missing; write it again with `\(command)`")
    }
    return Baseline(header: header, table: reading.table)
  }

  private static func members(_ header: Baseline.Header) -> [(String, String)] {
    [
      ("format", format), ("tool", header.tool), ("store", header.store), ("chain", header.chain), ("taxonomy", header.taxonomy),
      ("corpus", header.corpus),
    ]
  }
}
