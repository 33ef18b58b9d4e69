import AisleCore
import AisleEvaluation
import AisleFiles
import AisleReporting
import KeywordStrategy
import Testing

/// A small evaluation with something of everything: right, wrong and unplaced answers, several labels, hostile texts, two strategies,
/// a baseline that was better in one place and worse in another, and a gate that fails.
enum SampleReport {
  static let tool = "0.1.0"

  /// The report; `isPlain` leaves out what is only there when asked for: baseline, ablation, repeats and gate.
  static func make(isPlain: Bool = false) async throws -> Report {
    let taxonomy = try taxonomy(spare: "")
    let corpus = corpus(taxonomy)
    let expectations = Expectations.resolve(corpus, in: taxonomy).expectations
    let evaluator = Evaluator(taxonomy: taxonomy, corpus: corpus, expectations: expectations, jobs: 1)
    let evaluation = try await evaluator.evaluate(chain(taxonomy))
    if isPlain { return Report(tool: tool, evaluation: evaluation) }
    let older = try Self.taxonomy(spare: "soup\n")
    let before = Evaluator(
      taxonomy: older, corpus: corpus, expectations: Expectations.resolve(corpus, in: older).expectations, jobs: 1)
    let comparison = try Comparison(
      from: Baseline(try await before.evaluate(chain(older)), tool: "0.0.9"), to: Baseline(evaluation, tool: tool), seed: 1)
    var gate = Gate()
    gate.isStrict = true
    gate.floors = [Gate.Floor(.accuracy, least: 0.9), Gate.Floor(.section("Produce"), least: 0.5)]
    return Report(
      tool: tool, evaluation: evaluation, comparison: comparison,
      ablation: try await Ablation(of: evaluation, by: evaluator, seed: 1), repeats: Repeats([evaluation, evaluation]),
      verdicts: gate.judge(evaluation, against: comparison))
  }

  /// What the report says about changes alone.
  static func change() async throws -> ChangeReport {
    let report = try await make()
    return ChangeReport(tool: tool, comparison: try #require(report.comparison), verdicts: report.verdicts)
  }

  private static func chain(_ taxonomy: Taxonomy) -> NamedChain {
    NamedChain(
      Chain([
        Chain.Link(KeywordStrategy(taxonomy), threshold: 0.5),
        Chain.Link(KeywordStrategy(taxonomy, mode: .substring)),
      ]), names: ["keyword>=0.5", "keyword(mode=substring)"])
  }

  private static func taxonomy(spare: String) throws -> Taxonomy {
    var builder = TaxonomyBuilder(store: "corner", name: "Corner Shop")
    let produce = builder.addSection(Section(name: "Produce", color: .emerald))
    let dairy = builder.addSection(Section(name: "Dairy & Eggs", color: .blue))
    let pantry = builder.addSection(Section(name: "Pantry <dry>", color: .orange))
    let other = builder.addSection(Section(name: "Other", color: .gray))
    builder.setFallback(other)
    for (name, lines, section) in [
      ("fruit", "apple\nbanana\n~lemon\npeach\n", produce), ("greens", "kale\nbasil\nbutter lettuce\n", produce),
      ("milk", "milk\noat milk\nyogurt\n~cream\n", dairy), ("butter", "butter\n", dairy),
      ("soup", "broth\n" + spare, pantry), ("nut-butters", "peanut butter\nalmond\n", pantry),
      ("cards", "card\n", other),
    ] {
      Array(lines.utf8).withUnsafeBufferPointer {
        builder.addShelf(name, text: $0, path: "taxonomies/shelves/\(name).txt", section: section)
      }
    }
    return builder.build()
  }

  private static func corpus(_ taxonomy: Taxonomy) -> Corpus {
    let lists = """
      # Items of a small corpus.
      apples	fruit	plain
      2 bananas	fruit	plain,quantity
      kale	greens	plain
      butter lettuce	greens	compound
      oat milk	milk	compound
      almond milk	milk	compound
      lemon yogurt	milk	compound
      peanut butter	nut-butters	compound
      apple butter	nut-butters	compound
      cream of mushroom soup	soup	compound
      chicken broth	soup	plain
      lemon basil soup	soup	compound
      birthday card	Other	not-a-grocery
      """
    let odd = """
      <script>alert("milk")</script>	milk	messy
      peaches & cream, "fresh"	fruit|milk	messy
      pineapple	fruit	plain
      call mom ]]> \u{1B}[31m::error::	Other	not-a-grocery,messy
      broccolini | rabe	greens	plain
      a very long item that nobody would ever write on a list of groceries but that some reporter has to show in a table anyway	Other	messy
      """
    return CorpusReader.read([("corpus/lists.tsv", Array(lists.utf8)), ("corpus/odd.tsv", Array(odd.utf8))]).corpus
  }
}
