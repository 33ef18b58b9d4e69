public import AisleCore
public import AisleFiles

/// The items of lists that are to be labeled, each once: `Corpus.key` tells which are the same.
///
/// A list has an item a line. In a file whose name ends in `.tsv`, the item is the first column and lines that begin with `# ` are
/// comments, as in a corpus and in what `aisle categorize` writes.
public struct LabelList: Sendable {
  /// The largest list, in bytes: 64 MiB.
  public static let maximumBytes = 64 << 20

  /// The items, in the order of the files.
  public private(set) var items: [String] = []
  /// The lines that were left out because no line of a corpus can hold their item, and why.
  public private(set) var findings: [Finding] = []
  private var known: Set<[UInt8]> = []

  /// Makes an empty list.
  public init() {}

  /// Adds the items of a file.
  ///
  /// - Throws: `FileError` if it cannot be read, or its name is that of a format without items as lines.
  public mutating func add(_ path: String) throws(FileError) {
    let name = path.lowercased()
    if let format = ["csv", "jsonl", "ndjson", "json"].first(where: { name.hasSuffix(".\($0)") }) {
      throw FileError(
        path: path, reason: "is \(format) by its name; write its items to a file of lines with `aisle categorize --format tsv`")
    }
    let bytes = try FileReader.read(path, limit: Self.maximumBytes)
    add(bytes, path: path, isTable: name.hasSuffix(".tsv"))
  }

  /// Adds the items of a text, as if from a file.
  ///
  /// - Parameter isTable: Whether the item is the first column of a line that may have several.
  public mutating func add(_ bytes: [UInt8], path: String, isTable: Bool) {
    let text = bytes.dropFirst(ByteOrderMark.length(in: bytes))
    for (place, line) in text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      var item = line.last == 0x0D ? line.dropLast() : line
      let isComment = item.starts(with: Array("# ".utf8)) || item.elementsEqual("#".utf8)
      if isTable, isComment { continue }
      if isTable { item = item.prefix { $0 != 0x09 } }
      if item.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
      let location = SourceLocation(path: path, line: place + 1)
      guard !item.contains(0), let text = String(validating: item, as: UTF8.self) else {
        findings.append(Finding(location, "not valid UTF-8 text; left out"))
        continue
      }
      if isComment {
        findings.append(Finding(location, "begins with `#` like a comment in a corpus; left out"))
      } else if item.contains(0x09) {
        findings.append(Finding(location, "has a tab; left out; name the file .tsv if the item is its first column"))
      } else if known.insert(Corpus.key(of: item)).inserted {
        items.append(text)
      }
    }
  }

  /// Removes the items that a corpus has a label for.
  ///
  /// - Returns: How many there were.
  public mutating func remove(labeledIn corpus: Corpus) -> Int {
    let labeled = Set(corpus.entries.map { Corpus.key(of: corpus.bytes($0)) })
    let before = items.count
    items.removeAll { labeled.contains(Corpus.key(of: $0.utf8)) }
    return before - items.count
  }
}
