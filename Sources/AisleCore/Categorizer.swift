/// Says which section each item belongs to: a taxonomy and the chain that decides.
public struct Categorizer: Sendable {
  /// The store's sections.
  public let taxonomy: Taxonomy
  /// The strategies.
  public let chain: Chain

  /// Makes a categorizer.
  ///
  /// The strategies must have been made from this very taxonomy, or from one with the same contents: decisions refer to sections and
  /// keywords by numbers, which mean something else in another taxonomy.
  ///
  /// - Throws: `TaxonomyMismatch` naming the strategy that was made for another taxonomy.
  public init(taxonomy: Taxonomy, chain: Chain) throws(TaxonomyMismatch) {
    try chain.check(for: taxonomy)
    self.taxonomy = taxonomy
    self.chain = chain
  }

  /// Makes a categorizer of strategies that decide at once.
  public init(_ local: LocalChain) { (taxonomy, chain) = (local.taxonomy, local.chain) }

  /// Decides a batch, off the caller's actor; items that no strategy decides stay `nil` and belong to the taxonomy's fallback section.
  ///
  /// - Throws: `TaxonomyMismatch` for a batch of another taxonomy; what a strategy throws.
  @concurrent
  public func categorize(_ batch: inout Batch) async throws { try await ask(&batch) }

  /// The same where the caller is: see `Chain.ask`.
  package func ask(_ batch: inout Batch) async throws {
    guard batch.taxonomy.hasSameNumbers(as: taxonomy) else {
      throw TaxonomyMismatch(strategy: nil, found: batch.taxonomy.store, expected: taxonomy.store)
    }
    try await chain.ask(&batch)
  }

  /// Categorizes items, in order, off the caller's actor.
  ///
  /// - Throws: Whatever a strategy throws; the built-in local strategies never do.
  @concurrent
  public func categorize(_ items: some Sequence<String> & Sendable) async throws -> [CategorizedItem] {
    var batch = Batch(items, taxonomy: taxonomy)
    try await chain.ask(&batch)
    let strategies = chain.links.map(\.strategy.metadata)
    return (0..<batch.count).map { CategorizedItem(index: $0, in: batch, strategies: strategies) }
  }

  /// Categorizes one item, off the caller's actor.
  ///
  /// - Throws: Whatever a strategy throws; the built-in local strategies never do.
  @concurrent
  public func categorize(_ item: String) async throws -> CategorizedItem {
    try await categorize([item])[0]
  }
}

/// An item with its section, spelled out.
public struct CategorizedItem: Sendable, Equatable {
  /// The item as it was given.
  public let item: String
  /// The section: one of the taxonomy's, one that a strategy invented, or the fallback.
  public let section: Section
  /// How likely the section is right, in 0…1; 0 for the fallback.
  public let confidence: Float
  /// The id of the strategy that decided; `nil` for the fallback.
  public let strategy: String?
  /// The keyword that won, if any.
  public let keyword: Keyword?
  /// The pattern that matched, if any.
  public let pattern: Pattern?
  /// The part of the item that the keyword or pattern matched.
  public let match: String?
  /// The rule by which it won, e.g. `head`.
  public let rule: String?
  /// The word that moved the product to another shelf, if any: `frozen`.
  public let move: Move?
  /// The best keyword for another section.
  public let runnerUp: Keyword?
  /// The strategy's own words about its decision: a correction with its author and time, or the reason that a model or program
  /// gave.
  public let note: String?

  init(index: Int, in batch: Batch, strategies: [StrategyMetadata]) {
    item = batch.item(index)
    guard let decision = batch.decisions[index] else {
      section = batch.taxonomy[batch.taxonomy.fallback]
      confidence = 0
      strategy = nil
      keyword = nil
      pattern = nil
      match = nil
      rule = nil
      move = nil
      runnerUp = nil
      note = nil
      return
    }
    let name = batch.sectionName(decision.section)
    let known = Int(decision.section.rawValue) < batch.taxonomy.sections.count
    section = known ? batch.taxonomy[decision.section] : Section(name: name, color: .forUnknownSection(named: name))
    confidence = decision.confidence
    let metadata = decision.strategy.map { strategies[Int($0.rawValue)] }
    strategy = metadata?.id
    keyword = decision.evidence.keyword.flatMap { batch.taxonomy.keywords.keyword($0) }
    pattern = decision.evidence.pattern.flatMap { batch.taxonomy.pattern($0) }
    match = decision.evidence.span.flatMap { span in
      let bytes = batch.bytes(index)
      guard span.upperBound <= bytes.count else { return nil }
      return String(decoding: bytes[bytes.startIndex + span.lowerBound..<bytes.startIndex + span.upperBound], as: UTF8.self)
    }
    rule = decision.evidence.rule.flatMap { metadata?.rule(at: $0)?.name }
    move = decision.evidence.move.flatMap { batch.taxonomy.move($0) }
    runnerUp = decision.evidence.runnerUp.flatMap { batch.taxonomy.keywords.keyword($0) }
    note = batch.note(of: decision)
  }
}
