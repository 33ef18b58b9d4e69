import AisleCore
import AisleEvaluation
import AisleFiles
import AisleTuning
import Foundation
import KeywordStrategy
import Testing

/// Weights fitted on a corpus whose answers are known: made-up words, right as often as the test says.
struct `A fit of the weights` {
  /// A store of two sections with goods `a…` and `b…` and flavors `f…`, and a corpus beside it.
  private final class Bench {
    let folder = FileManager.default.temporaryDirectory.appending(path: "aisle-fit-\(UUID().uuidString)")
    let taxonomy: Taxonomy

    init(weights: String = "") throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      var builder = TaxonomyBuilder(store: "small", name: "Small")
      for (letter, name) in [("a", "First"), ("b", "Second")] {
        let section = builder.addSection(Section(name: name, color: .gray))
        let keywords =
          Bench.words(letter).joined(separator: "\n") + "\n" + Bench.words("f" + letter).map { "~" + $0 }.joined(separator: "\n")
        Array(keywords.utf8).withUnsafeBufferPointer {
          builder.addShelf(name.lowercased(), text: $0, path: "\(name).txt", section: section)
        }
      }
      Array(weights.utf8).withUnsafeBufferPointer { builder.setWeights(text: $0, path: "weights.txt") }
      #expect(builder.findings == [])
      taxonomy = builder.build()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    static func words(_ prefix: String) -> [String] { (0..<200).map { prefix + "q" + word($0) } }

    /// A word of letters for a number, far from its neighbours.
    static func word(_ number: Int) -> String {
      String([number % 10, number / 10 % 10, number / 100, number % 10, 9 - number / 10 % 10].map { Array("bdfghjkmnp")[$0] })
    }

    func fit(_ files: [String: String]) throws -> WeightFit {
      for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
      let (corpus, faults) = try CorpusReader.read([folder.path])
      #expect(faults == [])
      let (expectations, unknown) = Expectations.resolve(corpus, in: taxonomy)
      #expect(unknown == [])
      return try WeightFit(KeywordStrategy(taxonomy), of: taxonomy, on: corpus, expectations)
    }
  }

  /// Items of the first section, so many in a hundred labelled as it.
  private func rows(_ items: [String], right: Int) -> String {
    items.enumerated().map { "\($1)\t\($0 % 100 < right ? "first" : "second")\n" }.joined()
  }

  @Test func `finds how often each kind of item is right`() throws {
    let (good, flavor) = (Bench.words("a"), Bench.words("fa"))
    let alone = good + good.map { "2 " + $0 }
    let unknown = good.map { "xyzzy \($0)" } + good.map { "plugh \($0)" }
    let flavors = zip(flavor, flavor.dropFirst()).map { "\($0) \($1)" }
    let fit = try Bench().fit(["items.tsv": rows(alone, right: 95) + rows(unknown, right: 60) + rows(flavors, right: 80)])
    func chance(_ strength: Keyword.Strength, _ factors: PhraseWeights.Factor...) -> Double {
      let odds = factors.reduce(fit.after.chance(strength) / (1 - fit.after.chance(strength))) { $0 * fit.after.factor($1) }
      return odds / (1 + odds)
    }
    #expect(abs(chance(.good, .alone) - 0.95) < 0.02)
    #expect(abs(chance(.good, .unknownWord) - 0.6) < 0.04)
    #expect(abs(chance(.flavor, .agreement) - 0.8) < 0.04)
    #expect(fit.changes == [])
    #expect(try #require(fit.crossValidated.calibrationError) < 0.06)
  }

  @Test func `takes what speaks against an answer for nothing where items say it speaks for it`() throws {
    let good = Bench.words("a")
    let fit = try Bench().fit(["items.tsv": rows(good, right: 70) + rows(good.map { "xyzzy \($0)" }, right: 99)])
    #expect(fit.after.factor(.unknownWord) == 1)
  }

  @Test func `changes the choice only where that clearly wins items`() throws {
    // The flavor comes first in the head and the good after a comma; people mean the flavor.
    let pairs = zip(Bench.words("fa"), Bench.words("b")).map { "\($0), \($1)" }
    let many = try Bench().fit(["items.tsv": rows(pairs, right: 95)])
    #expect(many.changes.count == 1)
    #expect(many.changes[0].won > many.changes[0].lost && many.changes[0].pValue < 0.05)
    let (flavor, good) = (many.after.weights[1][0], many.after.weights[2][1])
    #expect(flavor >= good)
    let few = try Bench().fit(["items.tsv": rows(Array(pairs.prefix(6)), right: 100)])
    #expect(few.changes == [])
    #expect(few.after.weights == few.before.weights)
  }

  @Test func `is the same each time, and has nothing left to do after itself`() throws {
    let corpus = rows(Bench.words("a"), right: 90) + rows(Bench.words("fa").map { "xyzzy \($0)" }, right: 50)
    let first = try Bench().fit(["items.tsv": corpus])
    #expect(try Bench().fit(["items.tsv": corpus]).after == first.after)
    #expect(first.after != first.before)
    let text = String(decoding: WeightsFile.write(first.after, into: []), as: UTF8.self)
    let second = try Bench(weights: text).fit(["items.tsv": corpus])
    #expect(second.before == first.after && second.after == first.after)
  }

  @Test func `never asks for items of the holdout`() throws {
    let items = Bench.words("a")
    func corpus(_ holdoutLabel: String) -> String {
      items.enumerated().map { number, item in
        let label = Corpus.Split(of: item.utf8) == .holdout ? holdoutLabel : number % 10 == 0 ? "second" : "first"
        return "\(item)\t\(label)\n"
      }.joined()
    }
    #expect(try Bench().fit(["items.tsv": corpus("first")]).after == Bench().fit(["items.tsv": corpus("second")]).after)
  }

  @Test func `counts the files that are named`() throws {
    let files = ["good.tsv": rows(Bench.words("a"), right: 99), "bad.tsv": rows(Bench.words("b"), right: 99)]
    let all = try Bench().fit(files)
    let one = try Bench(weights: "fitted on = good\n").fit(files)
    #expect(all.fittedCount > one.fittedCount)
    #expect(all.after.chance(.good) < one.after.chance(.good))
    #expect(
      performing: { try Bench(weights: "fitted on = goods\n").fit(files) },
      throws: {
        "\($0)" == "`fitted on` in weights.txt names the corpus file `goods`, which is not in this corpus; did you mean `good`?"
      })
    #expect(
      performing: { try Bench().fit(["items.tsv": "xyzzy plugh\tfirst\n"]) },
      throws: { "\($0)".hasPrefix("the files to fit on have no `tune` item that a keyword decides") })
  }

  /// Shelves and corpus change often, and each change moves the fit a little: what counts is that nothing is to be gained by a new one.
  @Test func `of Kroger gains next to nothing over the weights in its folder`() async throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let (taxonomy, findings) = try TaxonomyFolder(path: root.appending(path: "taxonomies").path).load("kroger")
    #expect(findings == [])
    let (corpus, _) = try CorpusReader.read([root.appending(path: "corpus").path])
    let (expectations, _) = Expectations.resolve(corpus, in: taxonomy)
    let keywords = KeywordStrategy(taxonomy)
    let fit = try WeightFit(keywords, of: taxonomy, on: corpus, expectations)
    #expect(fit.changes == [], "the choice has a better order; run `aisle tune fit --write`")
    let evaluator = Evaluator(taxonomy: taxonomy, corpus: corpus, expectations: expectations, split: .tune, jobs: 1)
    func figures(_ keywords: KeywordStrategy) async throws -> FitFigures {
      let chain = NamedChain(Chain([Chain.Link(keywords)]), names: ["keyword"])
      return FitFigures(try await evaluator.evaluate(chain, comparesStrategies: false))
    }
    let (before, after) = (try await figures(keywords), try await figures(keywords.weighing(by: fit.after)))
    let gain = try #require(before.logLoss) - #require(after.logLoss)
    #expect(gain < 0.003, "the confidences may be better; run `aisle tune fit --write`")
    #expect(try #require(before.calibrationError) < 0.03)
    #expect(try #require(before.sure.value) > 0.7 && #require(before.sureAccuracy.value) > 0.98)
  }
}
