import AisleCore

/// A shelf's or store's file in which keywords are added and removed.
///
/// Comments, order, and everything else stay byte for byte. Nothing is written: `bytes` is the changed content.
public struct KeywordFile: Sendable {
  /// A keyword in the file as written, with its sign and line.
  public struct Entry: Sendable, Hashable {
    /// The keyword with its strength sign.
    public let written: String
    /// Its line, from 1.
    public let line: Int

    /// Makes an entry.
    public init(written: String, line: Int) {
      self.written = written
      self.line = line
    }
  }

  /// The file's path, as named.
  public let path: String
  private let original: [UInt8]
  private let section: String?
  private let sections: [String]
  private var removed: [Entry] = []
  private var added: [(written: String, inPlaceOf: Entry?)] = []

  /// Starts with a file's contents.
  ///
  /// - Parameters:
  ///   - section: The section whose own keywords change, in a store's file; `nil` for a shelf's file.
  ///   - sections: The store's sections in walking order, where its file need not list them all: one that extends another's.
  public init(path: String, bytes: [UInt8], section: String?, among sections: [String] = []) {
    self.sections = sections
    self.path = path
    original = bytes
    self.section = section
  }

  /// Adds a keyword.
  ///
  /// - Parameter replaced: A removed keyword whose line it takes.
  public mutating func add(_ written: String, inPlaceOf replaced: Entry? = nil) { added.append((written, replaced)) }

  /// Removes a keyword of the file.
  public mutating func remove(_ entry: Entry) { removed.append(entry) }

  /// The line that takes a keyword away from a shelf of a layer below; `nil` where none does.
  ///
  /// - Parameter normalized: The keyword, normalized.
  package func removal(of normalized: String) -> Entry? {
    if section != nil { return nil }
    var found: Entry?
    original.withUnsafeBufferPointer { bytes in
      forEachLine(of: bytes) { line, _, written in
        let text = String(decoding: written, as: UTF8.self)
        guard found == nil, text.hasPrefix("-"), StoreParts.bare(String(text.dropFirst())) == normalized else { return }
        found = Entry(written: text, line: line)
      }
    }
    return found
  }

  /// The changed content, and the lines of the added keywords in the order they were added.
  ///
  /// - Parameter entries: The current keywords of the shelf's file; those of a section are read from its file.
  /// - Parameter isDraft: Whether to add keywords at the end of a shelf, which is faster.
  /// - Throws: `FileError` if the file is written in a way that cannot be changed line by line.
  public func edited(_ entries: [Entry], isDraft: Bool = false) throws(FileError) -> (bytes: [UInt8], lines: [Int]) {
    if let section {
      return try StoreKeywords(path: path, bytes: original, sections: sections).edited(section, removing: removed, adding: added)
    }
    return try shelf(entries, isDraft)
  }

  private func shelf(_ entries: [Entry], _ isDraft: Bool) throws(FileError) -> (bytes: [UInt8], lines: [Int]) {
    var edits = LineEdits(original)
    for entry in removed where !Self.holds(edits.line(entry.line), Self.text(entry.written)) {
      throw FileError(
        path: path, reason: "line \(entry.line) is no longer `\(entry.written)`: the file was changed in the meantime; try again")
    }
    for entry in removed where !added.contains(where: { $0.inPlaceOf == entry }) { edits.remove(entry.line) }
    let kept = isDraft ? [] : entries.filter { !removed.contains($0) }
    let end = Self.lastLine(of: edits)
    var places: [(after: Int, count: Int)?] = []
    var counts: [Int: Int] = [:]
    for (written, replaced) in added {
      if let replaced {
        edits.replace(replaced.line, with: Self.replacing(replaced.written, with: written, in: edits.line(replaced.line)))
        places.append(nil)
        continue
      }
      let after = KeywordPlace.predecessor(of: Self.text(written), among: kept.map { Self.text($0.written) }).map {
        kept[$0].line
      }
      let line = after ?? end
      edits.insert(Array(written.utf8), after: line)
      places.append((line, counts[line, default: 0]))
      counts[line, default: 0] += 1
    }
    let lines = zip(added, places).map { added, place in
      place.map { edits.number(ofAdded: $0.count, after: $0.after) } ?? edits.number(of: added.inPlaceOf?.line ?? 0)
    }
    return (edits.bytes, lines)
  }

  /// The last line that says something, so that what is added at the end stands before trailing blank lines.
  private static func lastLine(of edits: LineEdits) -> Int {
    var line = edits.count
    while line > 0, edits.line(line).allSatisfy({ $0 <= 0x20 }) { line -= 1 }
    return line
  }

  private static func holds(_ line: [UInt8], _ text: String) -> Bool {
    let text = Array(text.utf8)
    return line.indices.contains { line[$0...].starts(with: text) }
  }

  /// A line with another keyword in the place of the one on it; a comment after it stays.
  static func replacing(_ old: String, with new: String, in line: [UInt8]) -> [UInt8] {
    let text = String(decoding: line, as: UTF8.self)
    var start = text.startIndex
    while start < text.endIndex {
      if text[start...].hasPrefix(old) {
        return Array((text[..<start] + new + text[text.index(start, offsetBy: old.count)...]).utf8)
      }
      start = text.index(after: start)
    }
    return Array(new.utf8)
  }

  /// A keyword as it is written, without blanks after its sign.
  static func canonical(_ written: String) -> String {
    let text = text(written)
    return String(written.dropLast(text.count)) + String(text.drop { $0 == " " || $0 == "\t" })
  }

  /// A keyword without its sign.
  public static func text(_ written: String) -> String {
    guard let first = written.first, "~!?".contains(first) else { return written }
    return String(written.dropFirst())
  }
}
