public import AisleCore

/// What a chain, and each of its strategies alone, says about items that are to be labeled.
public struct LabelOpinions: Sendable {
  private let taxonomy: Taxonomy
  private let metadata: [StrategyMetadata]
  /// The items, decided by the chain.
  private let batch: Batch
  /// The items, decided by one strategy alone: its place in the chain, and what it says.
  private let alone: [(place: Int, batch: Batch)]

  /// Asks a chain about items, and then each of its strategies alone. Programs and language models are not asked again.
  ///
  /// - Throws: Whatever a strategy throws.
  public init(_ items: [String], taxonomy: Taxonomy, chain: Chain) async throws {
    self.taxonomy = taxonomy
    metadata = chain.links.map(\.strategy.metadata)
    var batch = Batch(items, taxonomy: taxonomy)
    try await chain.ask(&batch)
    self.batch = batch
    var alone: [(place: Int, batch: Batch)] = []
    for (place, link) in chain.links.enumerated() where chain.links.count > 1 && !(link.strategy is any MeteredStrategy) {
      var batch = Batch(items, taxonomy: taxonomy)
      try await Chain([Chain.Link(link.strategy)]).ask(&batch)
      alone.append((place, batch))
    }
    self.alone = alone
  }

  /// The number of items.
  public var count: Int { batch.count }

  /// An item.
  public func item(_ index: Int) -> String { batch.item(index) }

  /// How sure the chain is about an item, in 0…1; 0 for one that no strategy decides.
  public func confidence(_ index: Int) -> Float { batch.decisions[index]?.confidence ?? 0 }

  /// Whether strategies, each asked alone, name different sections for an item.
  public func isDisputed(_ index: Int) -> Bool {
    let sections = alone.lazy.compactMap { $0.batch.decisions[index]?.section }
    return sections.first.map { first in sections.contains { $0 != first } } ?? false
  }

  /// An item with everything that is said about it.
  public func question(_ index: Int) -> LabelQuestion {
    let decision = batch.decisions[index]
    let answer = candidate(decision, in: batch, reason: "")
    var candidates: [LabelCandidate] = []
    func add(_ candidate: LabelCandidate) {
      let known = [answer] + candidates
      // A section alone says no more than one of its shelves.
      let isCovered = known.contains { $0.label == candidate.label || $0.section == candidate.section && isSection(candidate) }
      if candidate.label != nil, !isCovered, candidates.count < LabelQuestion.mostCandidates { candidates.append(candidate) }
    }
    if let keyword = decision?.evidence.runnerUp.flatMap({ taxonomy.keywords.keyword($0) }) {
      add(candidate(keyword.shelf, keyword.section, reason: "runner-up \(keyword.strength.sign)\(keyword.text)"))
    }
    for (place, batch) in alone {
      guard let decision = batch.decisions[index] else { continue }
      let note = Explanation(
        decision, section: "", note: batch.note(of: decision), taxonomy: taxonomy, metadata: [metadata[place]])
      add(
        candidate(
          decision, in: batch,
          reason: "\(metadata[place].id) \(note.confidenceText)\(note.keyword.isEmpty ? "" : ", \(note.keyword)")"))
    }
    return LabelQuestion(
      item: batch.item(index), answer: answer, confidence: confidence(index), reasons: reasons(index), candidates: candidates)
  }

  private func isSection(_ candidate: LabelCandidate) -> Bool {
    candidate.label == candidate.section || candidate.label == Expectations.leftOver
  }

  /// What a decision says as a label.
  private func candidate(_ decision: Decision?, in batch: Batch, reason: String) -> LabelCandidate {
    guard let decision else { return candidate(nil, taxonomy.fallback, reason: reason) }
    if Int(decision.section.rawValue) >= taxonomy.sections.count {
      return LabelCandidate(label: nil, section: batch.sectionName(decision.section), reason: reason)
    }
    return candidate(shelf(of: decision, in: batch), decision.section, reason: reason)
  }

  private func candidate(_ shelf: ShelfID?, _ section: SectionID, reason: String) -> LabelCandidate {
    let name = taxonomy[section].name
    let label = shelf.map { taxonomy[$0].name } ?? (section == taxonomy.fallback ? Expectations.leftOver : name)
    return LabelCandidate(label: label, section: name, reason: reason)
  }

  /// The shelf that a decision's evidence names, if the decision's section holds it.
  private func shelf(of decision: Decision, in batch: Batch) -> ShelfID? {
    let evidence = decision.evidence
    var named: ShelfID? = evidence.move.flatMap { taxonomy.move($0)?.to } ?? evidence.shelf
    if named == nil { named = evidence.keyword.flatMap { taxonomy.keywords.keyword($0)?.shelf } }
    if named == nil { named = evidence.pattern.flatMap { taxonomy.pattern($0)?.shelf } }
    // The model notes `like SHELF`.
    if named == nil, let shelf = batch.note(of: decision)?.split(separator: " ").last {
      named = taxonomy.shelf(named: String(shelf))
    }
    return named.flatMap { taxonomy.shelf($0)?.section == decision.section ? $0 : nil }
  }

  private func reasons(_ index: Int) -> [String] {
    guard let decision = batch.decisions[index] else { return ["no strategy decides"] }
    let explanation = Explanation(index, in: batch, metadata: metadata)
    var evidence = explanation.strategy
    if !explanation.keyword.isEmpty { evidence += ": \(explanation.keyword)" }
    if !explanation.sourceText.isEmpty { evidence += ", \(explanation.sourceText)" }
    var reasons = [evidence]
    let rule = decision.evidence.rule.flatMap { place in decision.strategy.flatMap { metadata[Int($0.rawValue)].rule(at: place) }
    }
    if let rule { reasons.append("\(explanation.rule): \(rule.summary)") }
    if !explanation.secondOpinion.isEmpty { reasons.append("second opinion: \(explanation.secondOpinion)") }
    return reasons
  }
}
