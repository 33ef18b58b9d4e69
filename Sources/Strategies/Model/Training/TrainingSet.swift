public import AisleCore

/// The training data of a model: a store's keywords, items whose shelf is known, and items composed of keywords.
public struct TrainingSet: Sendable {
  /// The names of the shelves; the last one stands for no shelf.
  public let shelves: [String]
  /// Each shelf's section in the store; no shelf has a section of its own.
  public let sections: [Int]
  /// The examples.
  public private(set) var examples: [ModelTrainer.Example] = []
  private let taxonomy: Taxonomy
  /// How many examples are keywords.
  public let keywordCount: Int

  /// How much a keyword counts by its strength: descriptors say least about their shelf.
  private static let weights: [Keyword.Strength: Float] = [.descriptor: 0.3, .flavor: 0.6, .good: 1, .decisive: 1.2]
  /// How much goods that are put together count.
  private static let composedWeight: Float = 0.25
  /// How much a named good counts: people wrote it and its shelf is sure.
  private static let namedWeight: Float = 4

  /// Collects the keywords of a store's shelves, but not those of its sections.
  public init(_ taxonomy: Taxonomy) {
    self.taxonomy = taxonomy
    shelves = taxonomy.shelves.map(\.name) + [ShelfModel.nothing]
    sections = taxonomy.shelves.map { Int($0.section.rawValue) } + [taxonomy.sections.count]
    for keyword in taxonomy.keywords {
      guard let shelf = keyword.shelf else { continue }
      examples.append(
        ModelTrainer.Example(keyword.text, shelves: [Int(shelf.rawValue)], weight: Self.weights[keyword.strength] ?? 1))
    }
    keywordCount = examples.count
  }

  /// Adds items whose shelf or section is known; the fallback section stands for no shelf. Items of shelves and sections that the store
  /// does not have are left out.
  ///
  /// - Returns: The number of items added.
  public mutating func add(_ named: some Sequence<(item: String, label: String)>) -> Int {
    let before = examples.count
    var places: [String: [Int]] = [:]
    for (place, section) in sections.dropLast().enumerated() {
      places[taxonomy.sections[section].name, default: []].append(place)
    }
    for (place, shelf) in shelves.enumerated() { places[shelf] = [place] }
    places[taxonomy[taxonomy.fallback].name] = [shelves.count - 1]
    for good in named {
      guard let shelves = places[good.label] else { continue }
      examples.append(ModelTrainer.Example(good.item, shelves: shelves, weight: Self.namedWeight, origin: .named))
    }
    return examples.count - before
  }

  /// Adds items composed of keywords the way people and stores write them, each with the shelf of the keyword that decides it. From
  /// these, the model learns the rules of a strategy for items that name several products.
  ///
  /// - Parameters:
  ///   - count: How many to compose; those that the strategy is not sure of are left out.
  ///   - judge: A strategy that decides by keywords.
  /// - Returns: The number of items added.
  /// - Throws: Whatever the strategy throws.
  public mutating func compose(_ count: Int, judge: some Strategy, seed: UInt64 = 1) async throws -> Int {
    guard var composer = ItemComposer(taxonomy, seed: seed) else { return 0 }
    let before = examples.count
    var left = count
    while left > 0 {
      var batch = Batch((0..<min(left, Self.batchSize)).map { _ in composer.next() }, taxonomy: taxonomy)
      left -= batch.count
      try await judge.decide(&batch)
      for (index, decision) in batch.decisions.enumerated() {
        guard let decision, decision.confidence >= Self.leastConfidence, let shelf = shelf(decision) else { continue }
        examples.append(
          ModelTrainer.Example(batch.item(index), shelves: [shelf], weight: Self.composedWeight, origin: .composed))
      }
    }
    return examples.count - before
  }

  private static let batchSize = 10_000
  /// A composed item is kept if its decision is as sure as this.
  private static let leastConfidence: Float = 0.9

  /// The shelf that a decision's keyword puts an item on; `nil` where the section is not that shelf's.
  private func shelf(_ decision: Decision) -> Int? {
    guard let keyword = decision.evidence.keyword else { return nil }
    let moved = decision.evidence.move.map { taxonomy.moves[Int($0)].to }
    guard let shelf = moved ?? taxonomy.keywords[keyword].shelf, taxonomy[shelf].section == decision.section else { return nil }
    return Int(shelf.rawValue)
  }
}
