import AisleCore
import Testing

@Suite struct BatchTests {
  private static let milk = Decision(section: SmallStore.dairy, confidence: 0.9)
  private static let lemon = Decision(section: SmallStore.produce, confidence: 0.3)

  private func isPadded(_ batch: Batch) -> Bool {
    batch.text.count >= Batch.padding && batch.text.suffix(Batch.padding).allSatisfy { $0 == 0 }
  }

  @Test func `items come back byte for byte, whatever they are`() {
    let items: [[UInt8]] = [
      Array("oat milk".utf8), [], [0], [0xFF, 0xC3], Array("é\r\n".utf8), [UInt8](repeating: 0x78, count: 100_000),
    ]
    var batch = Batch(taxonomy: SmallStore.taxonomy)
    for item in items { batch.append(item) }
    #expect(batch.count == items.count)
    for (index, item) in items.enumerated() { #expect(Array(batch.bytes(index)) == item) }
    #expect(batch.item(3) == "\u{FFFD}\u{FFFD}")
    #expect(batch.normalized(0) == "oat milk")
  }

  @Test func `the text always ends in the padding that readers may run into`() {
    var batch = Batch(taxonomy: SmallStore.taxonomy)
    #expect(isPadded(batch))
    for item in ["a", "", "\u{1}".padding(200)] {
      batch.append(Array(item.utf8))
      #expect(isPadded(batch))
    }
    _ = batch.takeStorage()
    #expect(isPadded(batch))
    batch.append("milk".utf8)
    batch.removeAll()
    #expect(isPadded(batch))
    #expect(
      Batch(["milk", "eggs"], taxonomy: SmallStore.taxonomy).text == Array("milkeggs".utf8)
        + [UInt8](repeating: 0, count: Batch.padding))
  }

  @Test func `an item that is decided stays as it is`() {
    var batch = Batch(["milk", "lemon"], taxonomy: SmallStore.taxonomy)
    batch.decide(0, Self.milk)
    batch.decide(0, Self.lemon)
    #expect(batch.decisions[0] == Self.milk)
    #expect(batch.decisions[1] == nil)
    #expect(Array(batch.undecided) == [1])
  }

  @Test func `a batch that is emptied forgets items, decisions, notes and inventions, and keeps its memory`() {
    var batch = Batch((0..<1_000).map { "item \($0)" }, taxonomy: SmallStore.taxonomy)
    batch.decide(0, Self.milk)
    #expect(batch.note("why") == 0)
    _ = batch.sectionID(named: "Pets")
    let capacity = (batch.text.capacity, batch.extents.capacity, batch.decisions.capacity)
    batch.removeAll()
    #expect(batch.count == 0 && batch.decisions.isEmpty && batch.notes.isEmpty && batch.inventedSections.isEmpty)
    #expect((batch.text.capacity, batch.extents.capacity, batch.decisions.capacity) == capacity)
    batch.append("milk".utf8)
    #expect(batch.item(0) == "milk" && batch.decisions[0] == nil)
  }

  @Test func `storage that is taken out, filled and put back holds the new items, all undecided`() {
    var batch = Batch(["milk", "eggs"], taxonomy: SmallStore.taxonomy)
    batch.decide(0, Self.milk)
    var (text, extents) = batch.takeStorage()
    #expect(batch.count == 0 && batch.decisions.isEmpty)
    #expect(extents.count == 2)
    text = Array("one,two".utf8) + [UInt8](repeating: 0, count: Batch.padding)
    extents = [Batch.Extent(start: 4, length: 3), Batch.Extent(start: 0, length: 3), Batch.Extent(start: 7, length: 0)]
    batch.setItems(text: text, extents: extents)
    #expect((0..<3).map { batch.item($0) } == ["two", "one", ""])
    #expect(batch.decisions.count == 3 && batch.decisions.allSatisfy { $0 == nil })
  }

  @Test func `a section that the taxonomy knows keeps its number, an invented one gets the next, once a name`() {
    var batch = Batch(["milk"], taxonomy: SmallStore.taxonomy)
    #expect(batch.sectionID(named: "Pantry") == SmallStore.pantry)
    #expect(batch.sectionID(named: "Pets").rawValue == 4)
    #expect(batch.sectionID(named: "pantry").rawValue == 5)
    #expect(batch.sectionID(named: "Pets").rawValue == 4)
    #expect(batch.inventedSections == ["Pets", "pantry"])
    #expect(
      (0..<6).map { batch.sectionName(SectionID(rawValue: $0)) } == [
        "Produce", "Dairy & Eggs", "Pantry", "Other", "Pets", "pantry",
      ])
    #expect(batch.sectionName(SectionID(rawValue: 6)) == "Other")
  }

  @Test func `notes are numbered as they come`() {
    var batch = Batch(taxonomy: SmallStore.taxonomy)
    #expect([batch.note("a"), batch.note("b"), batch.note("a")] == [0, 1, 2])
    #expect(batch.notes == ["a", "b", "a"])
  }

  @Test func `deciding and reading in place see the items and decisions`() {
    var batch = Batch(["milk", "", "lemon"], taxonomy: SmallStore.taxonomy)
    let lengths = batch.withStorage { text, extents, decisions in
      decisions[2] = Self.lemon
      return extents.map { Int($0.length) }
    }
    #expect(lengths == [4, 0, 5])
    #expect(batch.decisions[2] == Self.lemon)
    let initials = batch.withItems { text, extents, decisions in extents.map { text[Int($0.start)] } }
    #expect(initials == [UInt8(ascii: "m"), UInt8(ascii: "l"), UInt8(ascii: "l")])
    var empty = Batch(taxonomy: SmallStore.taxonomy)
    #expect(empty.withStorage { _, extents, decisions in extents.count + decisions.count } == 0)
  }

  @Test func `a copy of a batch is a batch of its own`() {
    let batch = Batch(["milk"], taxonomy: SmallStore.taxonomy)
    var copy = batch
    copy.decide(0, Self.milk)
    copy.append("eggs".utf8)
    #expect(batch.count == 1 && batch.decisions[0] == nil)
  }

  // MARK: Evidence

  @Test func `evidence keeps what was put in, and nothing is nil`() {
    var evidence = Evidence()
    #expect(
      evidence.keyword == nil && evidence.span == nil && evidence.rule == nil && evidence.move == nil && evidence.runnerUp == nil
        && evidence.note == nil)
    evidence = Evidence(keyword: KeywordID(rawValue: 0), span: 3..<7, rule: 0, runnerUp: KeywordID(rawValue: 5), move: 0)
    #expect(evidence.keyword?.rawValue == 0 && evidence.span == 3..<7 && evidence.rule == 0)
    #expect(evidence.runnerUp?.rawValue == 5 && evidence.move == 0 && evidence.note == nil)
    evidence.note = 0
    evidence.keyword = nil
    #expect(evidence.note == 0 && evidence.keyword == nil)
  }

  @Test func `a span too long for its field is cut, never wrong`() {
    var evidence = Evidence()
    evidence.span = 10..<100_000
    #expect(evidence.span == 10..<65_545)
    evidence.span = nil
    #expect(evidence.span == nil)
  }
}

extension String {
  /// The text, repeated up to a length.
  fileprivate func padding(_ count: Int) -> String { String(repeating: self, count: count) }
}
