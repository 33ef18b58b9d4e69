public import AisleCore

/// Decides items without a keyword by how much their words, and parts of words, resemble the products of each shelf.
public struct ModelStrategy: LocalStrategy {
  /// The least confidence of a decision; below it the model abstains, since the item is likely no good of any shelf.
  private static let leastConfidence: Float = 0.4

  private let placing: Placing

  /// Uses a model for a store.
  ///
  /// - Parameter model: The trained model; the default is the compiled-in one.
  public init(_ taxonomy: Taxonomy, model: ShelfModel? = nil) { placing = Placing(model, taxonomy) }

  /// The taxonomy whose sections it places the model's shelves in.
  public var boundTaxonomy: Taxonomy? { placing.taxonomy }

  /// What the strategy is.
  public var metadata: StrategyMetadata {
    StrategyMetadata(
      id: "model", summary: "how much an item's words and their parts resemble each shelf, as learned by `aisle train`",
      rationale: """
        It answers items without a keyword, and gives a second opinion on items with only a flavor or an ingredient. Use it after \
        keywords; it cannot name the file and line that it learned from.
        """,
      rules: [Rule("shelf", "the shelf whose products are most like the item")], examples: ModelExamples.all)
  }

  /// Decides the items that are more like the products of one section than of all others.
  public func decide(_ batch: inout Batch) {
    guard batch.decisions.contains(where: { $0 == nil }) else { return }
    Self.decide(&batch, KeptScorer(placing.placed))
  }

  private static func decide(_ batch: inout Batch, _ kept: KeptScorer) {
    let (placed, scorer) = (kept.placed, kept.scorer)
    if placed.model.shelves.isEmpty { return }
    let firstNote = batch.notes.count
    var notes: [String] = []
    batch.withStorage { text, extents, decisions in
      for index in extents.indices where decisions[index] == nil {
        let guess = scorer.guess(text + Int(extents[index].start), count: Int(extents[index].length))
        guard let guess else { continue }
        let confidence = placed.model.confidence(guess.share)
        if confidence < leastConfidence { continue }
        var evidence = Evidence()
        evidence.note = UInt32(firstNote + notes.count)
        notes.append(placed.notes[guess.shelf])
        evidence.rule = 0
        let section = SectionID(rawValue: UInt16(truncatingIfNeeded: guess.section))
        decisions[index] = Decision(section: section, confidence: confidence, evidence: evidence)
      }
    }
    if !notes.isEmpty { _ = batch.note(notes) }
  }
}

extension ModelStrategy: WorkingStrategy {
  /// What decides batches with a scorer that it keeps.
  package func makeWorker() -> (inout Batch) -> Void {
    var kept: KeptScorer?
    return { [placing] batch in
      let scorer = kept ?? KeptScorer(placing.placed)
      kept = scorer
      Self.decide(&batch, scorer)
    }
  }

  private final class KeptScorer {
    let placed: PlacedModel
    let scorer: ShelfScorer
    init(_ placed: PlacedModel) { (self.placed, scorer) = (placed, ShelfScorer(placed)) }
    deinit { scorer.deallocate() }
  }
}

/// A model with what a store makes of its shelves.
struct PlacedModel: Sendable {
  let model: ShelfModel
  /// Each shelf's section in the store; `sectionCount` for one that the store does not have.
  let sections: FlatTable<Int16>
  let sectionCount: Int
  let shares: ShareTable
  let selections: FlatTable<SlotTable.Selection>
  /// What a decision for each shelf says that it rests on.
  let notes: [String]

  init(_ model: ShelfModel, of taxonomy: Taxonomy) {
    let placed = Dictionary(taxonomy.shelves.map { ($0.name, Int16($0.section.rawValue)) }) { first, _ in first }
    let sectionCount = taxonomy.sections.count
    self.model = model
    self.sectionCount = sectionCount
    sections = FlatTable(ContiguousArray(model.shelves.map { placed[$0] ?? Int16(sectionCount) }))
    shares = ShareTable(unit: model.scale)
    selections = FlatTable(SlotTable.selections())
    notes = model.shelves.map { "like \($0)" }
  }
}

/// Makes the placed model when the first item needs it, once.
private final class Placing: Sendable {
  private let given: ShelfModel?
  let taxonomy: Taxonomy
  private let made = Guarded<PlacedModel?>(nil)

  init(_ given: ShelfModel?, _ taxonomy: Taxonomy) { (self.given, self.taxonomy) = (given, taxonomy) }

  var placed: PlacedModel {
    made.withLock { made in
      let placed = made ?? PlacedModel(given ?? .builtIn, of: taxonomy)
      made = placed
      return placed
    }
  }
}

extension ShelfModel {
  /// The compiled-in model.
  public static let builtIn: ShelfModel = {
    let text = CompiledModel.text
    let memory = FlatMemory(UnsafeRawPointer(text.utf8Start), count: text.utf8CodeUnitCount) { _, _ in }
    do { return try ShelfModel(FlatTable(memory, at: 0, count: memory.count), isSealed: false) } catch { return .empty }
  }()
}
