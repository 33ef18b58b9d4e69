public import AisleCore
public import AisleFiles

/// Runs a chain on the items of a corpus and scores the answers.
public struct Evaluator: Sendable {
  /// How many items are asked at once.
  private static let chunk = 4096

  let taxonomy: Taxonomy
  let corpus: Corpus
  let expectations: Expectations
  /// The items to score: indexes into `Corpus.entries`.
  public let entries: [UInt32]
  private let inapplicable: Int
  private let jobs: Int

  /// Prepares to score the items of a corpus, optionally only those of one split or with certain tags.
  ///
  /// - Parameters:
  ///   - tags: If not empty, only items with at least one of these tags are scored.
  ///   - jobs: How many chunks of items are processed at the same time, 1 or more.
  public init(
    taxonomy: Taxonomy, corpus: Corpus, expectations: Expectations, split: Corpus.Split? = nil, tags: Set<String> = [], jobs: Int
  ) {
    self.taxonomy = taxonomy
    self.corpus = corpus
    self.expectations = expectations
    self.jobs = jobs
    let isTagged = corpus.tags.map { tags.isEmpty || !tags.isDisjoint(with: $0) }
    var (entries, inapplicable): ([UInt32], Int) = ([], 0)
    entries.reserveCapacity(corpus.count)
    for (place, entry) in corpus.entries.enumerated() {
      guard split.map({ $0 == entry.split }) ?? true, isTagged[Int(entry.tags)] else { continue }
      if expectations.accepted[Int(entry.labels)].isEmpty { inapplicable += 1 } else { entries.append(UInt32(place)) }
    }
    self.entries = entries
    self.inapplicable = inapplicable
  }

  /// How many items are scored.
  public var count: Int { entries.count }

  /// Runs a chain.
  ///
  /// - Parameters:
  ///   - comparesStrategies: Whether to run each strategy alone too, for `Evaluation.overlaps`.
  ///   - seed: If given, the items are processed in a random order from this seed; the evaluation has them in the corpus's order.
  /// - Throws: Whatever a strategy throws.
  public func evaluate(_ chain: NamedChain, comparesStrategies: Bool = true, shuffledBy seed: UInt64? = nil) async throws
    -> Evaluation
  {
    let timed = chain.chain.links.map { TimedStrategy($0.strategy) }
    let before = chain.chain.links.map { ($0.strategy as? any MeteredStrategy)?.usage }
    // Strategies whose answers cost nothing are compared with each other.
    let compared = comparesStrategies ? chain.names.indices.filter { before[$0] == nil } : []
    let start = ContinuousClock.now
    let answers = try await ask(
      Chain(
        zip(timed, chain.chain.links).map { Chain.Link($0, threshold: $1.threshold) }, policy: chain.chain.policy),
      keeping: compared.count > 1 && compared[0] == 0 ? .decisionsAndFirst : .decisions, shuffledBy: seed)
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    // Beside the scoring, which takes one thread.
    async let overlaps = overlaps(chain, compared, answers.sections)
    let names = taxonomy.sections.map(\.name) + answers.invented
    let items = score(answers.decisions)
    let usage = zip(chain.chain.links, before).map { link, before in
      (link.strategy as? any MeteredStrategy).map { $0.usage.since(before) }
    }
    let strategies = Self.strategies(items, chain.names, timed.map(\.seconds), usage)
    return Evaluation(
      taxonomy: taxonomy, corpus: corpus, expectations: expectations, chain: chain, items: items, inapplicable: inapplicable,
      notes: answers.notes, sectionNames: names, metrics: Metrics(items, names: names), splits: splits(items, names),
      tags: tags(items), strategies: strategies, overlaps: try await overlaps, seconds: seconds,
      metadata: chain.chain.links.map(\.strategy.metadata))
  }

  // MARK: Asking

  /// A section for each item, `nil` where none was answered.
  private typealias Sections = ContiguousArray<SectionID?>

  /// What is kept of answers.
  private enum Kept {
    /// The chain's decisions.
    case decisions
    /// These, and which sections its first strategy answers alone: it is asked for every item.
    case decisionsAndFirst
    /// Which sections the chain answers, and no more.
    case sections
  }

  private struct Answers {
    var decisions: ContiguousArray<Decision?> = []
    /// What the chain's first strategy answers alone, or the chain, as was to be kept.
    var sections: Sections = []
    var notes: [String] = []
    var invented: [String] = []

    /// Takes in a batch's decisions and sections, with the numbers of its notes and invented sections made those of all batches.
    mutating func add(_ batch: Batch, _ answered: Sections, _ kept: Kept, known: Int) {
      if batch.notes.isEmpty, batch.inventedSections.isEmpty {
        if kept != .sections { decisions.append(contentsOf: batch.decisions) }
        sections.append(contentsOf: answered)
        return
      }
      let base = UInt32(notes.count)
      notes += batch.notes
      let places = batch.inventedSections.map { name in
        if let place = invented.firstIndex(of: name) { return place }
        invented.append(name)
        return invented.count - 1
      }
      func renumbered(_ section: SectionID) -> SectionID {
        let place = Int(section.rawValue) - known
        return place < 0 ? section : SectionID(rawValue: UInt16(known + places[place]))
      }
      func renumbered(_ decision: Decision?) -> Decision? {
        guard var decision else { return nil }
        decision.section = renumbered(decision.section)
        if let note = decision.evidence.note { decision.evidence.note = base + note }
        return decision
      }
      if kept != .sections { decisions.append(contentsOf: batch.decisions.lazy.map(renumbered)) }
      sections.append(contentsOf: answered.lazy.map { $0.map(renumbered) })
    }
  }

  /// Asks a chain for all items, `jobs` chunks at a time.
  private func ask(_ chain: Chain, keeping kept: Kept, shuffledBy seed: UInt64? = nil) async throws -> Answers {
    guard let seed else { return try await ask(chain, entries, kept) }
    var generator = SeededGenerator(seed: seed)
    let order = entries.indices.shuffled(using: &generator)
    let shuffled = try await ask(chain, order.map { entries[$0] }, kept)
    var answers = shuffled
    for (place, original) in order.enumerated() {
      if kept != .sections { answers.decisions[original] = shuffled.decisions[place] }
      if kept != .decisions { answers.sections[original] = shuffled.sections[place] }
    }
    return answers
  }

  private func ask(_ chain: Chain, _ entries: [UInt32], _ kept: Kept) async throws -> Answers {
    let starts = Array(stride(from: 0, to: entries.count, by: Self.chunk))
    return try await withThrowingTaskGroup(of: (Int, Batch, Sections).self) { group in
      func add(_ chunk: Int) {
        group.addTask { [corpus, taxonomy] in
          let range = starts[chunk]..<min(starts[chunk] + Self.chunk, entries.count)
          var batch = Batch(taxonomy: taxonomy)
          batch.setItems(
            text: corpus.text, extents: ContiguousArray(entries[range].map { corpus.entries[Int($0)].item }))
          guard kept == .decisionsAndFirst, let link = chain.links.first else {
            try await chain.decide(&batch)
            return (chunk, batch, kept == .sections ? Sections(batch.decisions.map { $0?.section }) : [])
          }
          let recorder = RecordingStrategy(link.strategy)
          let recording = Chain(
            [.init(recorder, threshold: link.threshold)] + chain.links.dropFirst(), policy: chain.policy)
          try await recording.decide(&batch)
          return (chunk, batch, recorder.sections)
        }
      }
      var answers = Answers()
      if kept != .sections { answers.decisions.reserveCapacity(entries.count) }
      if kept != .decisions { answers.sections.reserveCapacity(entries.count) }
      var done: [Int: (Batch, Sections)] = [:]
      var (started, finished) = (0, 0)
      while finished < starts.count {
        while started < starts.count, started < finished + 2 * jobs, started - finished - done.count < jobs {
          add(started)
          started += 1
        }
        if let (batch, sections) = done.removeValue(forKey: finished) {
          answers.add(batch, sections, kept, known: taxonomy.sections.count)
          finished += 1
        } else if let (chunk, batch, sections) = try await group.next() {
          done[chunk] = (batch, sections)
        }
      }
      return answers
    }
  }

  // MARK: Scoring

  private func score(_ decisions: ContiguousArray<Decision?>) -> ContiguousArray<ScoredItem> {
    ContiguousArray(
      zip(entries, decisions).map { entry, decision in
        let accepted = expectations.accepted[Int(corpus.entries[Int(entry)].labels)]
        let answer = decision?.section ?? taxonomy.fallback
        let isRight = accepted.contains(answer)
        return ScoredItem(
          entry: entry, truth: isRight ? answer : accepted[0], answer: answer, isRight: isRight, decision: decision)
      })
  }

  private func splits(_ items: ContiguousArray<ScoredItem>, _ names: [String]) -> [(split: Corpus.Split, metrics: Metrics)] {
    Corpus.Split.allCases.compactMap { split in
      let metrics = Metrics(items.lazy.filter { corpus.entries[Int($0.entry)].split == split }, names: names)
      return metrics.accuracy.total == 0 ? nil : (split, metrics)
    }
  }

  private func tags(_ items: ContiguousArray<ScoredItem>) -> [(tag: String, accuracy: Proportion)] {
    var lists = [(right: Int, total: Int)](repeating: (0, 0), count: corpus.tags.count)
    for item in items {
      let list = Int(corpus.entries[Int(item.entry)].tags)
      lists[list].total += 1
      lists[list].right += item.isRight ? 1 : 0
    }
    var counts: [String: (right: Int, total: Int)] = [:]
    for (tags, list) in zip(corpus.tags, lists) where list.total > 0 {
      for tag in Set(tags) {
        counts[tag, default: (0, 0)].right += list.right
        counts[tag, default: (0, 0)].total += list.total
      }
    }
    return counts.map { ($0, Proportion($1.right, of: $1.total)) }
      .sorted { ($1.accuracy.total, $0.tag) < ($0.accuracy.total, $1.tag) }
  }

  private static func strategies(
    _ items: ContiguousArray<ScoredItem>, _ names: [String], _ seconds: [Double], _ usage: [StrategyUsage?]
  ) -> [StrategyScore] {
    var counts = [(right: Int, total: Int)](repeating: (0, 0), count: names.count)
    for item in items {
      guard let place = item.decision?.strategy.map({ Int($0.rawValue) }) else { continue }
      counts[place].total += 1
      counts[place].right += item.isRight ? 1 : 0
    }
    return names.indices.map {
      StrategyScore(
        name: names[$0], decided: counts[$0].total, precision: Proportion(counts[$0].right, of: counts[$0].total),
        seconds: seconds[$0], usage: usage[$0])
    }
  }

  /// Compares what strategies answer when each is asked alone.
  ///
  /// - Parameters:
  ///   - places: Which of the chain's strategies.
  ///   - first: What the chain's first strategy answers, where that is known.
  private func overlaps(_ chain: NamedChain, _ places: [Int], _ first: Sections) async throws
    -> [StrategyOverlap]
  {
    if places.count < 2 { return [] }
    var answers: [Sections] = []
    for place in places {
      let isKnown = place == 0 && first.count == entries.count
      answers.append(isKnown ? first : try await ask(chain.selecting([place]).chain, keeping: .sections).sections)
    }
    var overlaps: [StrategyOverlap] = []
    for first in places.indices {
      for second in places.indices where second > first {
        overlaps.append(overlap(chain.names[places[first]], answers[first], chain.names[places[second]], answers[second]))
      }
    }
    return overlaps
  }

  private func overlap(
    _ first: String, _ answers: Sections, _ second: String, _ others: Sections
  ) -> StrategyOverlap {
    var (onlyFirst, onlySecond, both, conflicts, firstRight, secondRight) = (0, 0, 0, 0, 0, 0)
    for place in entries.indices {
      switch (answers[place], others[place]) {
      case (nil, nil): break
      case (_, nil): onlyFirst += 1
      case (nil, _): onlySecond += 1
      case (let one?, let other?):
        both += 1
        if one == other { continue }
        conflicts += 1
        let accepted = expectations.accepted[Int(corpus.entries[Int(entries[place])].labels)]
        firstRight += accepted.contains(one) ? 1 : 0
        secondRight += accepted.contains(other) ? 1 : 0
      }
    }
    return StrategyOverlap(
      first: first, second: second, onlyFirst: onlyFirst, onlySecond: onlySecond, both: both, conflicts: conflicts,
      firstRight: firstRight, secondRight: secondRight)
  }
}

extension StrategyUsage {
  /// What was used since an earlier count.
  func since(_ before: StrategyUsage?) -> StrategyUsage {
    guard let before else { return self }
    return StrategyUsage(
      requests: requests - before.requests, tokens: tokens - before.tokens,
      dollars: dollars.map { $0 - (before.dollars ?? 0) })
  }
}
