import AisleCore
import AisleTesting
@testable import CorrectionMatching
@testable import LearnedStrategy
import Testing

/// Items that come again are not judged again: they must be decided as if they were, in whatever batch they come.
@Suite struct VerdictMemoTests {
  private static let taxonomy: Taxonomy = {
    var builder = TaxonomyBuilder(store: "kroger", name: "Small")
    for section in ["Snacks", "Dairy", "Other"] { _ = builder.addSection(Section(name: section, color: .gray)) }
    return builder.build()
  }()

  private static let fallback = Decision(section: taxonomy.fallback, confidence: 1)

  private static let words = ["oat", "milk", "kale", "chips", "dragon", "fruit", "12", "oz", "of", "(2)", "crunchy", "mélange"]

  private static func item(_ random: inout SeededGenerator, most: Int) -> String {
    (0..<Int.random(in: 0...most, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
  }

  /// What a batch says about its items: sections, confidences, rules and notes.
  private static func told(_ batch: Batch) -> [String] {
    batch.decisions.indices.map { item in
      guard let decision = batch.decisions[item] else { return "-" }
      let note = decision.evidence.note.map { batch.notes[Int($0)] }
      return "\(decision.section) \(decision.confidence) \(String(describing: decision.evidence.rule)) \(note ?? "no note")"
    }
  }

  /// Lists, on which most items come again; goods that are all different, for which looking up is given up for a while; both in turn;
  /// and items too long to be remembered.
  @Test(arguments: [(30, 0, 3), (0, 400, 6), (200, 200, 4), (40, 0, 60)])
  func `an item is decided as if it had not come before`(again: Int, new: Int, most: Int) {
    var random = SeededGenerator(seed: UInt64(again + new))
    let corrections = LearnedCorrections((0..<80).map { _ in Correction(Self.item(&random, most: most) + " x", "Snacks") })
    let strategy = LearnedStrategy(Self.taxonomy, corrections)
    let usual = (0..<max(again, 1)).map { _ in Self.item(&random, most: most) + " x" }
    var decided = 0
    for round in 0..<20 {
      var items = (0..<4 * again).map { _ in usual.randomElement(using: &random) ?? "" }
      items += (0..<new).map { "\(Self.item(&random, most: most)) x \(round * new + $0)" } + [usual[0]]
      items.shuffle(using: &random)
      var batch = Batch(items, taxonomy: Self.taxonomy)
      // One that a strategy before has decided.
      let taken = Int.random(in: items.indices, using: &random)
      batch.decide(taken, Self.fallback)
      var alone = batch
      strategy.decide(&batch)
      LearnedStrategy(Self.taxonomy, corrections).decide(&alone)
      // Batches of a few items have no memo.
      let expected = stride(from: 0, to: items.count, by: 60).flatMap { start in
        var few = Batch(items[start..<min(start + 60, items.count)], taxonomy: Self.taxonomy)
        if few.decisions.indices.contains(taken - start) { few.decide(taken - start, Self.fallback) }
        strategy.decide(&few)
        return Self.told(few)
      }
      #expect(Self.told(batch) == expected, "round \(round)")
      #expect(Self.told(alone) == expected, "round \(round), a memo of its own")
      decided += batch.decisions.count { $0 != nil }
    }
    #expect(decided > 100, "\(decided) decided")
  }
}
