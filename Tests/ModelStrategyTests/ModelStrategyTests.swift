import AisleCore
import Testing

@testable import ModelStrategy

/// The model: trained, written, read and asked.
struct ModelStrategyTests {
  /// A store of three shelves in two sections.
  private func taxonomy() -> Taxonomy {
    var builder = TaxonomyBuilder(store: "small", name: "Small")
    let shelves = [
      ("Food", "cheese", "cheddar cheese\nsharp cheddar\ngouda cheese\ngoat cheese\nswiss cheese\n"),
      ("Food", "apples", "gala apple\nfuji apple\ncrab apple\napple slices\n~apple\n"),
      ("Cleaning", "soap", "dish soap\nhand soap\nsoap bar\nliquid soap\nlaundry soap\n"),
    ]
    var sections: [String: SectionID] = [:]
    for (section, shelf, keywords) in shelves {
      let id = sections[section] ?? builder.addSection(Section(name: section, color: .gray))
      sections[section] = id
      Array(keywords.utf8).withUnsafeBufferPointer {
        builder.addShelf(shelf, text: $0, path: "shelves/\(shelf).txt", section: id)
      }
    }
    builder.setFallback(builder.addSection(Section(name: "Other", color: .slate)))
    return builder.build()
  }

  private func train(seed: UInt64 = 1) -> [UInt8] {
    var set = TrainingSet(taxonomy(), seed: seed)
    let named: [(item: String, shelf: String)] = [
      ("call the plumber", "Other"), ("ring mother", "Other"), ("granny smith", "apples"), ("anything", "no such shelf"),
    ]
    let added = set.add(named)
    #expect(added == 3)
    return ModelTrainer(shelves: set.shelves, examples: set.examples, seed: seed).train(sections: set.sections)
  }

  private func model(_ text: [UInt8]) throws -> ShelfModel { try ShelfModel(FlatTable(ContiguousArray(text))) }

  private func sections(_ items: [String], _ model: ShelfModel?) -> [String?] {
    var batch = Batch(items, taxonomy: taxonomy())
    ModelStrategy(taxonomy(), model: model).decide(&batch)
    return batch.decisions.map { $0.map { batch.sectionName($0.section) } }
  }

  @Test("The same examples and seed give the same bytes, another seed others")
  func determinism() {
    let first = train()
    #expect(first == train())
    #expect(first != train(seed: 2))
    #expect(first.count <= 2_000_000)
    #expect(first.allSatisfy { $0 == 10 || (32..<127).contains($0) && $0 != UInt8(ascii: "\\") || $0 == UInt8(ascii: "\\") })
    #expect(!String(decoding: first, as: UTF8.self).contains("\"\"\"#"))
  }

  @Test("What was learned decides new goods by their words and parts of words")
  func learned() throws {
    let trained = try model(train())
    #expect(
      sections(["smoked gouda cheese", "mild cheddar", "soapy liquid soap", "red apples", "CHEDDAR CHEESE, 8 oz"], trained)
        == ["Food", "Food", "Cleaning", "Food", "Food"])
  }

  @Test("What says nothing stays undecided", arguments: ["", "  ", "42", "7 x 12", "ab", "🙂"])
  func abstains(item: String) throws { #expect(sections([item], try model(train())) == [nil]) }

  @Test("What is decided already stays as it is, and notes name the shelf once")
  func decidedItems() throws {
    let taxonomy = taxonomy()
    var batch = Batch(["dish soap", "hand soap", "liquid soap"], taxonomy: taxonomy)
    batch.decide(1, Decision(section: SectionID(rawValue: 0), confidence: 0.3))
    ModelStrategy(taxonomy, model: try model(train())).decide(&batch)
    #expect(batch.decisions.map { $0?.section.rawValue } == [1, 0, 1])
    #expect(batch.notes == ["like soap"])
    #expect(batch.decisions[0]?.evidence.note == batch.decisions[2]?.evidence.note)
    #expect(batch.decisions.compactMap { $0?.confidence }.allSatisfy { (0...1).contains($0) })
  }

  @Test("A store without the shelf is not given its goods")
  func otherStore() throws {
    var builder = TaxonomyBuilder(store: "other", name: "Other")
    let id = builder.addSection(Section(name: "Fruit", color: .gray))
    Array("apple\n".utf8).withUnsafeBufferPointer { builder.addShelf("apples", text: $0, path: "apples.txt", section: id) }
    builder.setFallback(builder.addSection(Section(name: "Rest", color: .slate)))
    let taxonomy = builder.build()
    var batch = Batch(["gala apple", "dish soap"], taxonomy: taxonomy)
    ModelStrategy(taxonomy, model: try model(train())).decide(&batch)
    #expect(batch.decisions.map { $0?.section.rawValue } == [0, nil])
  }

  @Test("A file that is no model says on which line, and what to do")
  func faults() {
    let text = train()
    let lines = text.split(separator: 10, omittingEmptySubsequences: false)
    func broken(_ line: Int, _ new: String) -> [UInt8] {
      Array(lines.enumerated().map { $0 == line ? Array(new.utf8)[...] : $1 }.joined(separator: [10]))
    }
    let cases: [(text: [UInt8], line: Int)] = [
      ([], 1), (Array("kale\n".utf8), 1), (broken(0, "aisle-model 2"), 1), (broken(1, "32 60000"), 2),
      (broken(1, "31 60000 4"), 2),
      (broken(1, "32 60000 0"), 2), (broken(1, "32 60000 99999"), 2), (broken(2, "1 2 3 nan"), 3), (broken(3, "cheese 1"), 4),
      (broken(4, "apples x \(String(repeating: "Q", count: 32))"), 5), (Array(text.dropLast(2)), 8), (Array(text.prefix(200)), 6),
    ]
    for (text, line) in cases {
      do {
        _ = try model(text)
        Issue.record("\(String(decoding: text.prefix(60), as: UTF8.self)) is read")
      } catch let fault as ShelfModel.Fault {
        #expect(fault.line == line, "\(fault.line): \(fault)")
        #expect(fault.description.contains("aisle train") || fault.description.contains("a shelf is"))
      } catch { Issue.record("\(error)") }
    }
  }

  @Test("Whatever the weights are, an item has an answer or none", arguments: 1...20 as ClosedRange<UInt64>)
  func anyWeights(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var text = train()
    let start = text.count - 1 - 32 * 60_000
    for place in start..<text.count - 1 { text[place] = UInt8.random(in: 0...255, using: &generator) }
    let items = (0..<200).map { _ in
      String(
        decoding: (0..<Int.random(in: 0...300, using: &generator)).map { _ in UInt8.random(in: 1...255, using: &generator) },
        as: UTF8.self)
    }
    let found = sections(items, try model(text))
    #expect(found.count == items.count)
  }

  @Test("The exponential and the logarithm are good to five digits")
  func exponential() {
    for (x, expected) in [(0, 1), (1, 2.7182818), (-1, 0.36787944), (-12, 6.1442124e-6), (10, 22026.466), (-79, 4.9060947e-35)]
      as [(Float, Float)]
    {
      #expect(abs(Exponential.of(x) / expected - 1) < 1e-5, "\(x)")
    }
    #expect(Exponential.of(-81) == 0)
    for (x, expected) in [(1, 0), (2.7182818, 1), (0.001, -6.9077553), (999, 6.906755)] as [(Float, Float)] {
      #expect(abs(Exponential.logarithm(x) - expected) < 1e-4, "\(x)")
    }
  }

  @Test("Confidences rise with shares, and few cases leave them as they are")
  func confidences() throws {
    let trained = try model(train())
    let confidences = stride(from: Float(0), through: 1, by: 0.05).map(trained.confidence)
    #expect(zip(confidences, confidences.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(confidences.allSatisfy { (0...0.99).contains($0) })
    #expect(OddsLine([]).slope == 1)
    // Of shares of nine in ten, half are right: the line says so.
    let line = OddsLine(
      (0..<400).map { (share: 0.9, isRight: $0 % 2 == 0) } + (0..<400).map { (share: 0.5, isRight: $0 % 2 == 0) })
    #expect(abs(1 / (1 + Exponential.of(-(line.slope * 2.1972246 + line.offset))) - 0.5) < 0.03)
  }

  @Test("The compiled-in model is whole, and knows what it was trained on")
  func compiledIn() {
    let model = ShelfModel.builtIn
    #expect(model.shelves.count > 200)
    #expect(model.shelves.last == ShelfModel.nothing)
    #expect(model.shelves.contains("nut-butters"))
  }
}
