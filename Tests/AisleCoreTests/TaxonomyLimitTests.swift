import AisleCore
import Testing

/// More of something than a taxonomy can number is a finding, not a crash.
@Suite struct TaxonomyLimitTests {
  @Test func `the 65,536th shelf is a finding, and told once`() throws {
    var builder = TaxonomyBuilder(store: "small", name: "Small")
    let section = builder.addSection(Section(name: "Other", color: .gray))
    let text = Array("milk\n".utf8)
    text.withUnsafeBufferPointer { text in
      for number in 0..<65_540 { builder.addShelf("s\(number)", text: text, path: "s\(number).txt", section: section) }
    }
    #expect(builder.findings.map(\.description) == ["s65535.txt: more than 65535 shelf files; merge some"])
    let taxonomy = builder.build()
    #expect(taxonomy.shelves.count == 65_535 && taxonomy.keywords.count == 65_535)
    #expect(taxonomy.keywords.last?.shelf.map { taxonomy[$0].name } == "s65534")
  }

  @Test func `keywords of too many files are a finding`() {
    var builder = TaxonomyBuilder(store: "small", name: "Small")
    let section = builder.addSection(Section(name: "Other", color: .gray))
    let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    for number in 0..<65_535 { builder.addShelf("s\(number)", text: none, path: "s\(number).txt", section: section) }
    builder.addKeyword("milk", section: section, at: SourceLocation(path: "s7.txt", line: 1, column: 1))
    #expect(builder.findings.isEmpty)
    builder.addKeyword("milk", section: section, at: SourceLocation(path: "small.yaml", line: 9, column: 3))
    #expect(builder.findings.map(\.description) == ["small.yaml:9:3: more than 65535 shelf files; merge some"])
  }

  @Test func `the 65,535th move is a finding`() {
    var builder = TaxonomyBuilder(store: "small", name: "Small")
    let section = builder.addSection(Section(name: "Other", color: .gray))
    builder.addShelf("a", text: UnsafeBufferPointer(start: nil, count: 0), path: "a.txt", section: section)
    let words = (0..<65_534).map { "w\($0)" }.joined(separator: ",")
    Array("\(words): * -> a\nx: * -> a\n".utf8).withUnsafeBufferPointer { builder.addMoves(text: $0, path: "moves.txt") }
    #expect(builder.findings.map(\.description) == ["moves.txt:2:1: more than 65534 moves; remove some"])
    #expect(builder.build().moves.count == 65_534)
  }
}
