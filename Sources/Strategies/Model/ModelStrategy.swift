public import AisleCore

/// Decides items that no keyword names by what their words, and parts of words, have in common with the goods of each shelf.
public struct ModelStrategy: Strategy {
  /// The least confidence of a decision; below it the model abstains, since the item is likely no good of any shelf.
  private static let leastConfidence: Float = 0.4

  private let taxonomy: Taxonomy
  /// The model that was given; the compiled-in one is read when the first item needs it.
  private let given: ShelfModel?

  /// Takes up a model for a store.
  ///
  /// - Parameter model: The one that was trained; by default the one that is compiled in.
  public init(_ taxonomy: Taxonomy, model: ShelfModel? = nil) {
    self.taxonomy = taxonomy
    given = model
  }

  /// What the strategy is.
  public var metadata: StrategyMetadata {
    StrategyMetadata(
      id: "model", summary: "what the words and their parts have in common with the goods of each shelf, as `aisle train` found",
      rationale: """
        It has an answer where no keyword stands in the item, and a second opinion where only a flavor or an ingredient does. Use \
        it after keywords; it cannot say which line of which file it learned from.
        """,
      rules: [Rule("shelf", "the shelf whose goods are most like the item")], examples: ModelExamples.all)
  }

  /// Decides the items that are more like the goods of one section than of all others.
  public func decide(_ batch: inout Batch) {
    guard batch.decisions.contains(where: { $0 == nil }) else { return }
    let model = given ?? .builtIn
    if model.shelves.isEmpty { return }
    let scorer = ShelfScorer(model, of: taxonomy)
    defer { scorer.deallocate() }
    var guesses: [(index: Int, guess: ShelfScorer.Guess, confidence: Float)] = []
    guesses.reserveCapacity(batch.count)
    _ = batch.withItems { text, extents, decisions in
      for index in extents.indices where decisions[index] == nil {
        let guess = scorer.guess(text + Int(extents[index].start), count: Int(extents[index].length))
        guard let guess else { continue }
        let confidence = model.confidence(guess.share)
        if confidence >= Self.leastConfidence { guesses.append((index, guess, confidence)) }
      }
    }
    var notes = [UInt32?](repeating: nil, count: model.shelves.count)
    for (index, guess, confidence) in guesses {
      let note = notes[guess.shelf] ?? batch.note("like \(model.shelves[guess.shelf])")
      notes[guess.shelf] = note
      var evidence = Evidence()
      evidence.note = note
      evidence.rule = 0
      let section = SectionID(rawValue: UInt16(guess.section))
      batch.decide(index, Decision(section: section, confidence: confidence, evidence: evidence))
    }
  }
}

extension ShelfModel {
  /// The model that is compiled in.
  public static let builtIn: ShelfModel = {
    let text = CompiledModel.text
    let memory = FlatMemory(UnsafeRawPointer(text.utf8Start), count: text.utf8CodeUnitCount) { _, _ in }
    do { return try ShelfModel(FlatTable(memory, at: 0, count: memory.count)) } catch { return .empty }
  }()
}
