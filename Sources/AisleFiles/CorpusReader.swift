public import AisleCore

/// Reads corpus files.
public enum CorpusReader {
  /// The largest corpus that is read, in bytes of all files together: 1 GiB.
  public static let maximumBytes = 1 << 30

  /// Reads files, and the `*.tsv` files in folders in the order of their names. A file that is named twice, or in its folder too, is
  /// read once.
  ///
  /// - Returns: The corpus as far as it could be read, and all findings in the files, by file and line.
  /// - Throws: `FileError` if a file cannot be read or a folder has no corpus.
  /// - Complexity: O(bytes); about 0.2 µs per item.
  public static func read(_ paths: [String]) throws(FileError) -> (corpus: Corpus, findings: [Finding]) {
    var reading = Reading()
    for path in paths {
      guard FileReader.isFolder(path) else {
        try reading.add(path)
        continue
      }
      let names = (FileReader.list(path) ?? []).filter { $0.hasSuffix(".tsv") && !$0.hasPrefix(".") }
      if names.isEmpty { throw FileError(path: path, reason: "no corpus files in this folder; a corpus is a file NAME.tsv") }
      let folder = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
      for name in names { try reading.add("\(folder)/\(name)") }
    }
    return reading.finish()
  }

  /// Reads a corpus from memory, as if from files.
  public static func read(_ files: [(path: String, bytes: [UInt8])]) -> (corpus: Corpus, findings: [Finding]) {
    var reading = Reading()
    for (path, bytes) in files { reading.add(bytes, path) }
    return reading.finish()
  }

  private struct Reading {
    private var corpus = Corpus()
    private var findings: [Finding] = []
    private var labels = Interner(separator: UInt8(ascii: "|"))
    private var tags = Interner(separator: UInt8(ascii: ","))

    /// The files that were read, with all links followed.
    private var known: Set<String> = []

    mutating func add(_ path: String) throws(FileError) {
      guard known.insert(FileReader.resolved(path) ?? path).inserted else { return }
      if corpus.files.count == Int(UInt16.max) { throw FileError(path: path, reason: "more than 65,535 files; merge some") }
      let limit = CorpusReader.maximumBytes - corpus.text.count
      add(try FileReader.read(path, limit: limit, spare: Batch.padding), path)
    }

    mutating func add(_ bytes: [UInt8], _ path: String) {
      let file = UInt16(corpus.files.count)
      corpus.files.append(path)
      if let fault = TextCheck.firstFault(in: bytes, path: path) {
        findings.append(fault)
        return
      }
      let start = corpus.text.count
      if corpus.text.isEmpty { corpus.text = bytes } else { corpus.text.append(contentsOf: bytes) }
      // As many as there are where a line has as many bytes as an entry, or more.
      corpus.entries.reserveCapacity(corpus.entries.count + bytes.count / MemoryLayout<Corpus.Entry>.stride)
      corpus.text.withUnsafeBufferPointer { text in
        var line: UInt32 = 0
        var offset = start + ByteOrderMark.length(in: bytes)
        while offset < text.count {
          line += 1
          let newline = text[offset...].firstIndex(of: 0x0A) ?? text.count
          var end = newline
          if end > offset, text[end - 1] == 0x0D { end -= 1 }
          if let fault = addLine(text, offset..<end, line, file) {
            findings.append(Finding(SourceLocation(path: path, line: Int(line), column: fault.column), fault.message))
          }
          offset = newline + 1
        }
      }
    }

    consuming func finish() -> (corpus: Corpus, findings: [Finding]) {
      corpus.labels = labels.lists
      corpus.tags = tags.lists
      corpus.text.append(contentsOf: repeatElement(0, count: Batch.padding))
      return (corpus, findings)
    }

    private mutating func addLine(
      _ text: UnsafeBufferPointer<UInt8>, _ line: Range<Int>, _ number: UInt32, _ file: UInt16
    ) -> (column: Int, message: String)? {
      let tab = UInt8(ascii: "\t")
      if line.isEmpty || text[line.lowerBound] == UInt8(ascii: "#") && (line.count == 1 || text[line.lowerBound + 1] == 0x20) {
        return nil
      }
      func column(_ offset: Int) -> Int { offset - line.lowerBound + 1 }
      guard let first = text[line].firstIndex(of: tab) else {
        return (column(line.upperBound), "no label; write item<TAB>label<TAB>tags")
      }
      if text[line.lowerBound..<first].allSatisfy({ $0 == 0x20 }) { return (1, "no item; write item<TAB>label<TAB>tags") }
      let second = text[(first + 1)..<line.upperBound].firstIndex(of: tab) ?? line.upperBound
      if second < line.upperBound, let third = text[(second + 1)..<line.upperBound].firstIndex(of: tab) {
        return (column(third), "there is a fourth column; write three: item<TAB>label<TAB>tags")
      }
      guard let labelled = labels.place(of: UnsafeBufferPointer(rebasing: text[(first + 1)..<second])) else {
        return (column(first + 1), "a label is empty; write a shelf or section, or several as label|label")
      }
      let tagged = UnsafeBufferPointer(rebasing: text[min(second + 1, line.upperBound)..<line.upperBound])
      guard let tagList = tagged.isEmpty ? tags.emptyPlace : tags.place(of: tagged) else {
        return (column(second + 1), "a tag is empty; write tags as word,word")
      }
      let item = UnsafeBufferPointer(rebasing: text[line.lowerBound..<first])
      corpus.entries.append(
        Corpus.Entry(
          item: Batch.Extent(start: UInt32(line.lowerBound), length: UInt32(first - line.lowerBound)), labels: labelled,
          tags: tagList, line: number, file: file, split: Corpus.Split(of: item)))
      return nil
    }
  }
}

/// Gives each distinct list of names a number.
private struct Interner {
  private(set) var lists: [[String]] = []
  private let separator: UInt8
  private var written = NumberedTexts()
  /// The place in `lists` of each text in `written`; `nil` where a name in it is empty.
  private var places: [UInt32?] = []
  private var placeOfNone: UInt32?

  init(separator: UInt8) { self.separator = separator }

  /// The place of the empty list.
  var emptyPlace: UInt32 {
    mutating get {
      let place = placeOfNone ?? add([])
      placeOfNone = place
      return place
    }
  }

  /// The place of the list that some bytes spell; `nil` when a name in it is empty.
  mutating func place(of bytes: UnsafeBufferPointer<UInt8>) -> UInt32? {
    let number = Int(written.number(of: bytes))
    if number < places.count { return places[number] }
    let names = bytes.split(separator: separator, omittingEmptySubsequences: false).map {
      String(decoding: trimmed($0), as: UTF8.self)
    }
    let place = names.contains("") ? nil : add(names)
    places.append(place)
    return place
  }

  private mutating func add(_ names: [String]) -> UInt32 {
    lists.append(names)
    return UInt32(lists.count - 1)
  }

  private func trimmed(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>> {
    var name = name
    while name.first == 0x20 { name.removeFirst() }
    while name.last == 0x20 { name.removeLast() }
    return name
  }
}
