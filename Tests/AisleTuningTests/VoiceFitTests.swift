import AisleCore
import AisleEvaluation
import AisleFiles
import AisleTesting
import AisleTuning
import Foundation
import KeywordStrategy
import ModelStrategy
import RegexStrategy
import Testing

/// Voices fitted on a corpus for which strategies answer as the test says.
struct `A fit of the voices` {
  /// A strategy that gives every item one section, or every item with some word.
  private struct Insisting: Strategy {
    let id: String
    let section: UInt16
    let confidence: Float
    var word = ""

    var metadata: StrategyMetadata { StrategyMetadata(id: id, summary: "", rationale: "", examples: []) }

    func decide(_ batch: inout Batch) async throws {
      for index in 0..<batch.count where word.isEmpty || batch.item(index).contains(word) {
        batch.decide(index, Decision(section: SectionID(rawValue: section), confidence: confidence))
      }
    }
  }

  /// A store of two sections, and a corpus beside it.
  private final class Bench {
    let folder = FileManager.default.temporaryDirectory.appending(path: "aisle-voices-\(UUID().uuidString)")
    let taxonomy: Taxonomy

    init(weights: String = "") throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      var builder = TaxonomyBuilder(store: "small", name: "Small")
      for name in ["First", "Second"] {
        let section = builder.addSection(Section(name: name, color: .gray))
        Array("\(name) keyword".utf8).withUnsafeBufferPointer {
          builder.addShelf(name.lowercased(), text: $0, path: "\(name).txt", section: section)
        }
      }
      Array(weights.utf8).withUnsafeBufferPointer { builder.setWeights(text: $0, path: "weights.txt") }
      #expect(builder.findings == [])
      taxonomy = builder.build()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func fit(_ files: [String: String], _ strategies: [any Strategy]) async throws -> VoiceFit {
      for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
      let (corpus, faults) = try CorpusReader.read([folder.path])
      #expect(faults == [])
      let (expectations, unknown) = Expectations.resolve(corpus, in: taxonomy)
      #expect(unknown == [])
      return try await VoiceFit(strategies, of: taxonomy, on: corpus, expectations)
    }
  }

  private let keyword = Insisting(id: "keyword", section: 0, confidence: 0.9)
  private let model = Insisting(id: "model", section: 1, confidence: 0.9)

  /// Items, so many in a hundred of them labelled as the first section.
  private func rows(_ count: Int = 400, first: Int, word: String = "item") -> String {
    (0..<count).map { place in
      let letters = String(place).map { Array("bcdfghjkmn")[Int(String($0)) ?? 0] }
      return "\(word) x\(String(letters))\t\(place % 100 < first ? "first" : "second")\n"
    }.joined()
  }

  /// What the arbiter chooses with some weights, and how sure it is.
  private func choice(_ weights: PhraseWeights, _ strategies: [any Strategy]) async throws -> Decision {
    var builder = TaxonomyBuilder(store: "small", name: "Small")
    for name in ["First", "Second"] { _ = builder.addSection(Section(name: name, color: .gray)) }
    Array(WeightsFile.write(weights, into: [])).withUnsafeBufferPointer { builder.setWeights(text: $0, path: "weights.txt") }
    var batch = Batch(["item"], taxonomy: builder.build())
    try await Chain(strategies.map { Chain.Link($0) }, policy: .weigh).decide(&batch)
    return try #require(batch.decisions[0])
  }

  @Test(arguments: [(90, UInt16(0)), (10, UInt16(1))])
  func `makes the one louder that is right more often, and the choice as sure`(first: Int, section: UInt16) async throws {
    let fit = try await Bench().fit(["items.tsv": rows(first: first)], [keyword, model])
    let choice = try await choice(fit.after, [keyword, model])
    #expect(choice.section.rawValue == section)
    #expect(abs(choice.confidence - 0.9) < 0.06, "\(choice.confidence)")
  }

  @Test func `makes a choice on which all agree as sure as it is right`() async throws {
    let keyword = Insisting(id: "keyword", section: 0, confidence: 0.6)
    let agreeing = Insisting(id: "model", section: 0, confidence: 0.6)
    let dissenting = Insisting(id: "regex", section: 1, confidence: 0.3, word: "thing")
    let rows = rows(first: 80) + rows(first: 50, word: "thing")
    let fit = try await Bench().fit(["items.tsv": rows], [keyword, agreeing, dissenting])
    #expect(try await choice(fit.after, [keyword, agreeing, dissenting]).section.rawValue == 0)
    let confidence = try await choice(fit.after, [keyword, agreeing, dissenting]).confidence
    #expect(abs(confidence - 0.8) < 0.06, "\(confidence)")
  }

  @Test func `leaves alone what is not a voice, and has nothing left to do after itself`() async throws {
    let files = ["items.tsv": rows(first: 70)]
    let fit = try await Bench(weights: "odds rival = 0.25\n").fit(files, [keyword, model])
    #expect(fit.after != fit.before)
    for setting in PhraseWeights.Setting.allCases where !fit.settings.contains(setting) {
      #expect(fit.after.text(of: setting) == fit.before.text(of: setting))
    }
    let text = String(decoding: WeightsFile.write(fit.after, into: []), as: UTF8.self)
    let second = try await Bench(weights: text).fit(files, [keyword, model])
    #expect(second.before == fit.after && second.after == fit.after)
  }

  @Test func `never looks at the holdout`() async throws {
    func corpus(_ label: String) -> String {
      rows(first: 90).split(separator: "\n").map { line in
        let item = line.prefix { $0 != "\t" }
        return Corpus.Split(of: item.utf8) == .holdout ? "\(item)\t\(label)\n" : line + "\n"
      }.joined()
    }
    let first = try await Bench().fit(["items.tsv": corpus("first")], [keyword, model])
    let second = try await Bench().fit(["items.tsv": corpus("second")], [keyword, model])
    #expect(first.after == second.after)
  }

  @Test func `counts the files that are named`() async throws {
    let files = ["one.tsv": rows(first: 95), "two.tsv": rows(first: 5, word: "thing")]
    let fit = try await Bench(weights: "voices fitted on = one\nfitted on = two\n").fit(files, [keyword, model])
    #expect(try await choice(fit.after, [keyword, model]).section.rawValue == 0)
    #expect(fit.files == ["one"])
    await #expect(
      performing: { _ = try await Bench(weights: "voices fitted on = on\n").fit(files, [keyword, model]) },
      throws: {
        "\($0)"
          == "`voices fitted on` in weights.txt names the corpus file `on`, which is not in this corpus; did you mean `one`?"
      })
    await #expect(
      performing: { _ = try await Bench().fit(files, [keyword]) },
      throws: { "\($0)".hasPrefix("the files to fit on have no `tune` item for which answers differ") })
  }
}
