import AisleCore
import AisleItems
import Testing

/// What presenters owe to strategies and signals that the command line cannot bring about at will.
@Suite struct PresenterTests {
  @Test("Sections that a strategy invents may have longer names than all known ones", arguments: [10, 1000, 100_000])
  func inventedSections(length: Int) {
    var builder = TaxonomyBuilder(store: "small", name: "Small")
    _ = builder.addSection(Section(name: "Other", color: .gray))
    let taxonomy = builder.build()
    let items = (0..<50).map { "item \($0)" } + [String(repeating: "z", count: 100_000)]
    let text = items.joined(separator: "\n") + "\n"
    let work = Workspace(taxonomy: taxonomy)
    var bytes = Array(text.utf8) + [UInt8](repeating: 0, count: Batch.padding)
    LineParser().parse(&bytes, count: text.utf8.count, into: &work.list)
    work.batch.setItems(text: bytes, extents: work.list.extents)
    work.inputCount = text.utf8.count
    let name = String(repeating: "Pets", count: length / 4)
    for index in items.indices where index % 2 == 0 {
      let section = work.batch.sectionID(named: "\(name) \(index % 3)")
      work.batch.decide(index, Decision(section: section, confidence: 1))
    }
    let output = OutputBuffer(capacity: 1)
    TSVPresenter(taxonomy: taxonomy, input: .lines, explained: nil).present(work, output)
    let expected = items.enumerated().map { "\($1)\t\($0 % 2 == 0 ? "\(name) \($0 % 3)" : "Other")\n" }.joined()
    #expect(output.bytes.elementsEqual(expected.utf8))
  }

  @Test("A line end or tab in the name of a section that a strategy invents does not break the line")
  func brokenName() {
    var builder = TaxonomyBuilder(store: "small", name: "Small")
    _ = builder.addSection(Section(name: "Other", color: .gray))
    let taxonomy = builder.build()
    for explained in [nil, [StrategyMetadata]()] {
      let work = Workspace(taxonomy: taxonomy)
      var bytes = Array("kale\n".utf8) + [UInt8](repeating: 0, count: Batch.padding)
      LineParser().parse(&bytes, count: 5, into: &work.list)
      work.batch.setItems(text: bytes, extents: work.list.extents)
      work.batch.decide(0, Decision(section: work.batch.sectionID(named: "Pets\t&\r\nCo"), confidence: 1))
      let output = OutputBuffer(capacity: 1)
      TSVPresenter(taxonomy: taxonomy, input: .lines, explained: explained).present(work, output)
      let text = String(decoding: output.bytes, as: UTF8.self)
      #expect(text.hasPrefix("kale\tPets\\t&\\r\\nCo"), "\(text)")
      #expect(text.split(separator: "\n").count == 1)
    }
  }

  @Test("The end of a CSV row is found past the newlines in its fields")
  func rowEnds() {
    let rows = ["a,b\n", "\"x\ny\",\"\"\"\n\"\n", "6\" kale\n", "\"\"\n", "\n"]
    let bytes = Array(rows.joined().utf8)
    let ends = rows.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.utf8.count) }
    let presenter = CSVPresenter(input: .csv, header: nil, target: "section", explained: nil, fallback: "Other")
    bytes.withUnsafeBytes { bytes in
      for offset in 0...bytes.count {
        #expect(presenter.recordEnd(from: offset, in: bytes) == ends.first { $0 >= offset }, "\(offset)")
        if offset < bytes.count { #expect(presenter.isRecordEnd(offset, in: bytes) == ends.contains(offset + 1), "\(offset)") }
      }
    }
  }

  @Test("A quotation mark at the end of what was read is judged by what follows")
  func scanInPieces() {
    let rows = CSVParser(column: 0, columnCount: 1)
    let text = Array("\"a\"\"\n\"\"\",b\"\n\"\"\nrest".utf8)
    let whole = text.withUnsafeBufferPointer { bytes in
      var scan = RecordScan()
      return rows.firstRecordEnd(bytes, &scan)
    }
    for cut in 0...text.count {
      var scan = RecordScan()
      let end =
        text[..<cut].withUnsafeBufferPointer { rows.firstRecordEnd($0, &scan) }
        ?? text[cut...].withUnsafeBufferPointer { rows.firstRecordEnd($0, &scan) }.map { $0 + cut }
      #expect(end == whole, "cut at \(cut)")
    }
  }

  @Test("A block has no more records than it may", arguments: [1, 2, 100, 1024, 5000])
  func recordLimit(limit: Int) {
    let lengths = (0..<6000).map { $0 * 7919 % 13 }
    let text = Array(lengths.map { String(repeating: "x", count: $0) + "\n" }.joined().utf8) + [0x78]
    let ends = lengths.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1 + 1) }
    text.withUnsafeBufferPointer { bytes in
      for parser: any RecordParser in [LineParser(), CSVParser(column: 0, columnCount: 1)] {
        #expect(parser.lastRecordEnd(bytes, limit: limit) == ends[limit])
        #expect(parser.lastRecordEnd(bytes, limit: 6001) == ends[6000])
      }
    }
  }
}
