import AisleCore
import FileDamage
import Foundation
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

  private func train(seed: UInt64 = 1) async throws -> [UInt8] {
    var set = TrainingSet(taxonomy())
    let named: [(item: String, label: String)] = [
      ("call the plumber", "Other"), ("ring mother", "Other"), ("granny smith", "apples"), ("anything", "no such shelf"),
    ]
    let added = set.add(named)
    #expect(added == 3)
    _ = try await set.compose(200, judge: LastWord(), seed: seed)
    return await ModelTrainer(shelves: set.shelves, examples: set.examples, seed: seed).train(sections: set.sections)
  }

  /// Decides items by their last word alone, which must be a keyword, surely but for cheese.
  private struct LastWord: Strategy {
    var metadata: StrategyMetadata { StrategyMetadata(id: "last", summary: "", rationale: "", examples: []) }

    func decide(_ batch: inout Batch) {
      for index in 0..<batch.count {
        let last = batch.item(index).split(separator: " ").last.map(String.init)
        let place = batch.taxonomy.keywords.firstIndex { $0.text.split(separator: " ").last.map(String.init) == last }
        guard let place else { continue }
        var evidence = Evidence()
        evidence.keyword = KeywordID(rawValue: UInt32(place))
        let section = batch.taxonomy.keywords[place].section
        batch.decide(index, Decision(section: section, confidence: last == "cheese" ? 0.5 : 0.95, evidence: evidence))
      }
    }
  }

  private static let trained = Task { try await ModelStrategyTests().train() }

  private func model(_ text: [UInt8]) throws -> ShelfModel { try ShelfModel(FlatTable(ContiguousArray(text))) }

  private func sections(_ items: [String], _ model: ShelfModel?) -> [String?] {
    var batch = Batch(items, taxonomy: taxonomy())
    ModelStrategy(taxonomy(), model: model).decide(&batch)
    return batch.decisions.map { $0.map { batch.sectionName($0.section) } }
  }

  @Test("The same examples and seed give the same bytes, another seed others")
  func determinism() async throws {
    let first = try await train()
    #expect(try await train() == first)
    #expect(try await train(seed: 2) != first)
    #expect(first.count <= 2_000_000)
    #expect(first.allSatisfy { $0 == 10 || (32..<127).contains($0) })
    #expect(!String(decoding: first, as: UTF8.self).contains("\"\"\"#"))
  }

  @Test("An item labeled with a section is learned as one of that section's shelves, whichever fits best")
  func sectionLabels() async throws {
    var set = TrainingSet(taxonomy())
    let dairy = Set(set.sections.indices.filter { set.shelves[$0] == "cheese" }.map { set.sections[$0] })
    let section = try #require(dairy.first.map { taxonomy().sections[$0].name })
    #expect(set.add([("zorbelium spread", section), ("zorbelium slices", section), ("quxel", "No such section")]) == 2)
    let learned = try #require(set.examples.last)
    #expect(learned.item == "zorbelium slices" && !learned.shelves.isEmpty)
    #expect(learned.shelves.allSatisfy { dairy.contains(set.sections[$0]) })
    let text = await ModelTrainer(shelves: set.shelves, examples: set.examples).train(sections: set.sections)
    #expect(sections(["zorbelium"], try model(text)) == [section])
  }

  @Test("Items put together have the shelf of the keyword that decides them, and none that is not sure")
  func composed() async throws {
    var set = TrainingSet(taxonomy())
    let added = try await set.compose(500, judge: LastWord())
    let composed = set.examples.dropFirst(set.keywordCount)
    #expect(added == composed.count && added > 50)
    for example in composed {
      let last = example.item.split(separator: " ").last
      let shelf = last == "soap" || last == "bar" ? "soap" : last == "cheddar" ? "cheese" : "apples"
      #expect(example.shelves.map { set.shelves[$0] } == [shelf], "\(example.item)")
      #expect(example.origin == .composed && last != "cheese")
    }
    #expect(try await set.compose(500, judge: LastWord(), seed: 9) > 0)
    var empty = TrainingSet(TaxonomyBuilder(store: "none", name: "None").build())
    #expect(try await empty.compose(10, judge: LastWord()) == 0)
  }

  @Test("What was learned decides new goods by their words and parts of words")
  func learned() async throws {
    let trained = try model(await Self.trained.value)
    #expect(
      sections(["smoked gouda cheese", "mild cheddar", "soapy liquid soap", "red apples", "CHEDDAR CHEESE, 8 oz"], trained)
        == ["Food", "Food", "Cleaning", "Food", "Food"])
  }

  @Test("What says nothing stays undecided", arguments: ["", "  ", "42", "7 x 12", "ab", "🙂"])
  func abstains(item: String) async throws { #expect(sections([item], try model(await Self.trained.value)) == [nil]) }

  @Test("What is decided already stays as it is, and a note names the shelf")
  func decidedItems() async throws {
    let taxonomy = taxonomy()
    var batch = Batch(["dish soap", "hand soap", "liquid soap"], taxonomy: taxonomy)
    batch.decide(1, Decision(section: SectionID(rawValue: 0), confidence: 0.3))
    ModelStrategy(taxonomy, model: try model(await Self.trained.value)).decide(&batch)
    #expect(batch.decisions.map { $0?.section.rawValue } == [1, 0, 1])
    let notes = batch.decisions.map { $0?.evidence.note.map { batch.notes[Int($0)] } }
    #expect(notes == ["like soap", nil, "like soap"])
    #expect(batch.decisions.compactMap { $0?.confidence }.allSatisfy { (0...1).contains($0) })
  }

  @Test("A store without the shelf is not given its goods")
  func otherStore() async throws {
    var builder = TaxonomyBuilder(store: "other", name: "Other")
    let id = builder.addSection(Section(name: "Fruit", color: .gray))
    Array("apple\n".utf8).withUnsafeBufferPointer { builder.addShelf("apples", text: $0, path: "apples.txt", section: id) }
    builder.setFallback(builder.addSection(Section(name: "Rest", color: .slate)))
    let taxonomy = builder.build()
    var batch = Batch(["gala apple", "dish soap"], taxonomy: taxonomy)
    ModelStrategy(taxonomy, model: try model(await Self.trained.value)).decide(&batch)
    #expect(batch.decisions.map { $0?.section.rawValue } == [0, nil])
  }

  @Test("A file that is no model says on which line, and what to do")
  func faults() async throws {
    let text = try await Self.trained.value
    let lines = text.split(separator: 10, omittingEmptySubsequences: false)
    func broken(_ line: Int, _ new: String) -> [UInt8] {
      sealed(Array(lines.enumerated().map { $0 == line ? Array(new.utf8)[...] : $1 }.joined(separator: [10])))
    }
    let weights = Array(text.dropLast(ModelSeal.size))
    let cases: [(text: [UInt8], line: Int)] = [
      ([], 1), (Array("kale\n".utf8), 1), (broken(0, "aisle-model 1"), 1), (broken(0, "aisle-model 2"), 1),
      (broken(1, "15500"), 2), (broken(1, "15501 4"), 2), (broken(1, "15499 4"), 8),
      (broken(1, "15500 0"), 2), (broken(1, "15500 1366"), 2), (broken(2, "1 2 nan"), 3), (broken(2, "1 2"), 3),
      (sealing(weights.dropLast(2)), 8), (sealing(Array(lines.prefix(4).joined(separator: [10]))), 5), (weights, 8),
      (text + [10], 10), (Array(text.dropLast()), 8),
    ]
    for (text, line) in cases {
      do {
        _ = try model(text)
        Issue.record("\(String(decoding: text.prefix(60), as: UTF8.self)) is read")
      } catch let fault as ShelfModel.Fault {
        #expect(fault.line == line, "\(fault.line): \(fault)")
        #expect(fault.description.contains("aisle train"))
      } catch { Issue.record("\(error)") }
    }
  }

  /// A text whose last line, whatever it is, is made the one that belongs there.
  private func sealed(_ text: [UInt8]) -> [UInt8] { sealing(text.dropLast(ModelSeal.size)) }

  private func sealing(_ lines: [UInt8]) -> [UInt8] { lines + Array(lines.withUnsafeBufferPointer { ModelSeal.line($0) }.utf8) }

  @Test("No change of a model is overlooked", arguments: Damage.allCases)
  func damage(_ damage: Damage) async throws {
    let sound = Data(try await Self.trained.value)
    var random = SeededGenerator(seed: 60 + UInt64(Damage.allCases.firstIndex(of: damage) ?? 0))
    for round in 0..<12 {
      do {
        _ = try model(Array(damage.done(to: sound, &random)))
        Issue.record("round \(round) is read")
      } catch let fault as ShelfModel.Fault {
        #expect(fault.description.contains("aisle train"), "round \(round): \(fault)")
      }
    }
  }

  @Test("Whatever the weights are, an item has an answer or none", arguments: 1...20 as ClosedRange<UInt64>)
  func anyWeights(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    var text = try await Self.trained.value
    let lineCount = SlotTable.maximumLineCount
    let size = SlotTable(shelfCount: 1, lineCount: lineCount).size
    let start = text.count - ModelSeal.size - 1 - size
    for place in start..<start + size { text[place] = UInt8.random(in: 0...255, using: &generator) }
    // Words that are surely known: their marks are written over those of their lines.
    let reader = FeatureReader()
    reader.read("gouda cheese soap") { hash, _ in
      let address = SlotTable.Address(hash, lineCount: UInt64(lineCount))
      for slot in 0..<SlotTable.slotsPerLine {
        let place = start + Int(address.line) * SlotTable.marksWidth + 2 * slot
        (text[place], text[place + 1]) = (UInt8(address.mark & 0xFF), UInt8(address.mark >> 8))
      }
      return true
    }
    let items =
      ["gouda cheese soap", String(repeating: "gouda cheese ", count: 60)]
      + (0..<200).map { _ in
        String(
          decoding: (0..<Int.random(in: 0...300, using: &generator)).map { _ in UInt8.random(in: 1...255, using: &generator) },
          as: UTF8.self)
      }
    let found = sections(items, try model(sealed(text)))
    #expect(found.count == items.count)
  }

  @Test("A table holds what was written, for few shelves and for many", arguments: [1, 91, 92, 223, 273, 274, 800, 1365])
  func slots(shelfCount: Int) {
    let table = SlotTable(shelfCount: shelfCount, lineCount: 1)
    var (characters, written): ([UInt8], [(shelf: Int, steps: Int)]) = ([], [])
    for shelf in 0..<shelfCount {
      for steps in [-table.stepCount / 2, -1, 1, table.stepCount / 2] {
        let (first, second) = table.characters(shelf: shelf, steps: steps)
        #expect([first, second].allSatisfy { (36...126).contains($0) })
        characters += [first, second]
        written.append((shelf, steps))
      }
    }
    let none = SlotTable.noWeight
    characters += [none.0, none.1, 32, 32, 0, 255]
    written += [(0, 0), (0, 0), (0, 0)]
    let weights = characters.withUnsafeBufferPointer { table.weights($0, shelfCount: shelfCount) }
    #expect(weights.map { Int($0.steps) } == written.map(\.steps))
    #expect(zip(weights, written).allSatisfy { $0.steps == 0 || $0.shelf == $1.shelf })
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
  func confidences() async throws {
    let trained = try model(await Self.trained.value)
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
    let text = CompiledModel.text
    let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    #expect((Array(bytes) + [10]).withUnsafeBufferPointer { ModelSeal.holds($0) }, "train it again: see CONTRIBUTING.md")
  }
}
