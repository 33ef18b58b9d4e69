import AisleCore

/// One run of the kit: the calls made so far, and what failed.
struct ConformanceCheck {
  /// What failed so far.
  private(set) var failures: [ConformanceFailure] = []
  /// Whether a call did not come back.
  private(set) var isHanging = false

  private let strategy: any Strategy
  private let metadata: StrategyMetadata
  private let taxonomy: Taxonomy
  private let limits: StrategyConformance.Limits
  private let seed: UInt64
  private var ordinary: [String]
  private var manyCount = ConformanceScale.usualMany
  private var isPaced = false
  private var running = ConformanceCase.metadata
  private var observations: [Sample: Batch?] = [:]
  private var errors: Set<String> = []
  private var hasChangedItems = false
  private var contradictsItself = false

  /// A batch that several cases look at; the strategy is asked once.
  private enum Sample: CaseIterable { case ordinary, odd, many }

  init(_ strategy: any Strategy, _ taxonomy: Taxonomy, seed: UInt64, limits: StrategyConformance.Limits) {
    (self.strategy, self.taxonomy, self.seed, self.limits) = (strategy, taxonomy, seed, limits)
    metadata = strategy.metadata
    ordinary = ConformanceItems.ordinary(metadata, taxonomy)
  }

  /// Runs a case.
  mutating func run(_ conformanceCase: ConformanceCase) async {
    running = conformanceCase
    switch conformanceCase {
    case .metadata: report(MetadataCheck.faults(in: metadata))
    case .emptyBatch: _ = await decide(Batch(taxonomy: taxonomy), "no items")
    case .oneItem: _ = await decide(Batch(ordinary.prefix(1), taxonomy: taxonomy), "one item")
    case .manyItems: _ = await observe(.many)
    case .anyBytes: _ = await observe(.odd)
    case .examples: await checkExamples()
    case .items: for sample in Sample.allCases { _ = await observe(sample) }
    case .decided: await checkDecided()
    case .confidence: await checkDecisions(DecisionCheck.confidence)
    case .sections: await checkDecisions(DecisionCheck.section)
    case .spans: await checkDecisions(DecisionCheck.span)
    case .evidence:
      let rules = metadata.rules.count
      await checkDecisions { DecisionCheck.evidence($0, $1, $2, rules: rules) }
    case .determinism: await checkDeterminism()
    case .concurrency: await checkConcurrency()
    case .cancellation: await checkCancellation()
    }
  }

  // MARK: The budget

  /// Asks about fewer items from now on, where a strategy is too slow to be asked about all within the budget; the pace is taken before
  /// the first case that asks about many.
  ///
  /// - Returns: the new scale; `nil` where it stays as it was.
  mutating func keepToBudget(before conformanceCase: ConformanceCase) async -> ConformanceScale? {
    guard let budget = limits.budget, !isPaced, ![.metadata, .emptyBatch, .oneItem].contains(conformanceCase) else { return nil }
    isPaced = true
    running = conformanceCase
    let sample = spread(64)
    // The first call may be a start.
    guard await decide(Batch(sample.prefix(1), taxonomy: taxonomy), "one item") != nil else { return nil }
    let start = ContinuousClock.now
    guard await decide(Batch(sample, taxonomy: taxonomy), "\(sample.count) items") != nil else { return nil }
    let scale = ConformanceScale.fitting(
      budget, ordinary: ordinary.count, itemTime: (ContinuousClock.now - start) / max(1, sample.count))
    if scale.fullTime == .zero { return nil }
    ordinary = spread(scale.ordinary)
    manyCount = scale.many
    return scale
  }

  /// So many of the ordinary items, from all over them.
  private func spread(_ count: Int) -> [String] {
    let count = min(count, ordinary.count)
    return (0..<count).map { ordinary[$0 * ordinary.count / count] }
  }

  // MARK: Calling the strategy

  /// Calls the strategy and gives the batch back; `nil` when it did not decide it, which is reported.
  private mutating func decide(_ batch: Batch, _ what: String) async -> Batch? {
    guard !isHanging else { return nil }
    let outcome = await StrategyCall(strategy, batch).outcome(within: limits.call)
    var culprit: String?
    if case .threw(let error) = outcome, !errors.contains("\(error)") { culprit = await self.culprit(in: batch) }
    return judge(outcome, of: batch, what, culprit: culprit)
  }

  /// An item that the strategy throws on alone, found by halves; `nil` where a half that holds it is decided.
  private func culprit(in batch: Batch) async -> String? {
    var places = 0..<batch.count
    while places.count > 1 {
      let middle = places.lowerBound + places.count / 2
      var part = Batch(taxonomy: taxonomy)
      for place in places.lowerBound..<middle { part.append(batch.bytes(place)) }
      switch await StrategyCall(strategy, part).outcome(within: limits.call) {
      case .threw: places = places.lowerBound..<middle
      case .finished: places = middle..<places.upperBound
      case .hung: return nil
      }
    }
    guard batch.count > 1, let place = places.first else { return nil }
    var alone = Batch(taxonomy: taxonomy)
    alone.append(batch.bytes(place))
    guard case .threw = await StrategyCall(strategy, alone).outcome(within: limits.call) else { return nil }
    return Self.shown(batch, place)
  }

  /// The beginning of an item, in backticks.
  private static func shown(_ batch: Batch, _ place: Int) -> String {
    "`" + batch.item(place).unicodeScalars.prefix(60).map { $0.escaped(asASCII: false) }.joined() + "`"
  }

  private mutating func judge(_ outcome: Outcome, of batch: Batch, _ what: String, culprit: String? = nil) -> Batch? {
    switch outcome {
    case .finished(let decided):
      if decided.text == batch.text,
        decided.extents.elementsEqual(batch.extents, by: { $0.start == $1.start && $0.length == $1.length }),
        decided.decisions.count == batch.count
      {
        return decided
      }
      if !hasChangedItems {
        fail("a batch of \(what) came back with other items; decide items, but never add, remove, or rewrite them", .items)
      }
      hasChangedItems = true
    case .threw(let error):
      if errors.insert("\(error)").inserted {
        let alone = culprit.map { ", as the item \($0) alone does" } ?? ""
        fail("a batch of \(what) threw `\(error)`\(alone); throw only if nothing at all can be decided, otherwise abstain")
      }
    case .hung:
      isHanging = true
      fail(Task.isCancelled ? "the check itself was cancelled" : "a batch of \(what) was not finished within \(limits.call)")
    }
    return nil
  }

  private mutating func observe(_ sample: Sample) async -> Batch? {
    if let known = observations[sample] { return known }
    let observed =
      switch sample {
      case .ordinary: await decide(Batch(ordinary, taxonomy: taxonomy), "\(ordinary.count) items")
      case .odd: await decide(odd, "any bytes")
      case .many: await decide(Batch(many, taxonomy: taxonomy), "\(many.count) items")
      }
    observations[sample] = .some(observed)
    return observed
  }

  private var many: [String] { (0..<manyCount).map { ordinary[$0 % ordinary.count] } }

  private var odd: Batch {
    var batch = Batch(taxonomy: taxonomy)
    for item in ConformanceItems.odd { batch.append(item) }
    return batch
  }

  // MARK: Reporting

  private mutating func fail(_ message: String, _ conformanceCase: ConformanceCase? = nil) {
    failures.append(ConformanceFailure(strategy: metadata.id, conformanceCase: conformanceCase ?? running, message: message))
  }

  /// Reports the first of many faults, and how many there are.
  private mutating func report(_ faults: [String]) {
    let shown = faults.count > 20 ? 19 : faults.count
    for fault in faults.prefix(shown) { fail(fault) }
    if faults.count > shown { fail("and \(faults.count - shown) more like it") }
  }

  // MARK: Cases

  private mutating func checkExamples() async {
    guard let batch = await decide(Batch(metadata.examples.map(\.item), taxonomy: taxonomy), "the examples") else { return }
    var faults: [String] = []
    for (index, example) in metadata.examples.enumerated() {
      let decision = batch.decisions[index]
      if let section = example.section, taxonomy.section(named: section) == nil {
        faults.append("`\(example.item)` (\(example.topic)): the taxonomy has no section `\(section)`")
      } else if decision.map({ batch.sectionName($0.section) }) != example.section {
        let expected = example.section ?? "an abstention"
        faults.append("`\(example.item)` (\(example.topic)): expected \(expected), got \(Answer.describe(decision, in: batch))")
      }
    }
    report(faults)
  }

  private mutating func checkDecided() async {
    var batch = Batch(ordinary, taxonomy: taxonomy)
    let invented = batch.sectionID(named: "A Section of an Earlier Strategy")
    var earlier = Decision(section: invented, confidence: 0.25)
    earlier.evidence.note = batch.note("a note of an earlier strategy")
    for index in stride(from: 0, to: batch.count, by: 2) { batch.decide(index, earlier) }
    guard let after = await decide(batch, "items that are half decided") else { return }
    var faults: [String] = []
    for index in stride(from: 0, to: batch.count, by: 2) where after.decisions[index] != earlier {
      faults.append("`\(batch.item(index))` was already decided and is now \(Answer.describe(after.decisions[index], in: after))")
    }
    if !after.notes.starts(with: batch.notes) { faults.append("the notes of earlier decisions are gone") }
    if !after.inventedSections.starts(with: batch.inventedSections) {
      faults.append("the sections that were invented earlier are gone")
    }
    report(faults)
  }

  private mutating func checkDecisions(_ fault: (Decision, Int, Batch) -> String?) async {
    var faults: [String] = []
    for sample in Sample.allCases {
      guard let batch = await observe(sample) else { continue }
      for index in 0..<batch.count {
        guard let decision = batch.decisions[index], let fault = fault(decision, index, batch) else { continue }
        faults.append("\(Self.shown(batch, index)): \(fault)")
      }
    }
    report(faults)
  }

  private mutating func checkDeterminism() async {
    let all = await observe(.ordinary)
    guard let all else { return }
    let answers = (0..<all.count).map { Answer(all, $0) }
    let places = Array(ordinary.indices)
    var generator = SeededGenerator(seed: seed)
    var faults: [String] = []
    let orders = [
      ("in order", places), ("in reverse", places.reversed()), ("shuffled by seed \(seed)", places.shuffled(using: &generator)),
    ]
    for (size, (order, places)) in zip([places.count, 64, 7], orders) + [(1, orders[0]), (places.count, orders[2])] {
      for start in stride(from: 0, to: places.count, by: size) {
        let part = places[start..<min(start + size, places.count)]
        guard let batch = await decide(Batch(part.map { ordinary[$0] }, taxonomy: taxonomy), "\(part.count) items") else { break }
        for (index, place) in part.enumerated() where Answer(batch, index) != answers[place] {
          let (first, second) = (
            Answer.describe(all.decisions[place], in: all), Answer.describe(batch.decisions[index], in: batch)
          )
          faults.append("`\(ordinary[place])`: \(first) at first, but \(second) in batches of \(size) \(order)")
        }
      }
    }
    if let many = await observe(.many) {
      for index in 0..<many.count where Answer(many, index) != answers[index % ordinary.count] {
        let (first, second) = (all.decisions[index % ordinary.count], many.decisions[index])
        faults.append(
          "`\(many.item(index))`: \(Answer.describe(first, in: all)), but \(Answer.describe(second, in: many)) as item \(index) of \(many.count == ConformanceScale.usualMany ? "10,000" : "\(many.count)")"
        )
      }
    }
    contradictsItself = !faults.isEmpty
    report(faults)
  }

  private mutating func checkConcurrency() async {
    guard !contradictsItself, let expected = await observe(.ordinary) else { return }
    let batch = Batch(ordinary, taxonomy: taxonomy)
    let calls = (0..<8).map { _ in StrategyCall(strategy, batch) }
    var faults: [String] = []
    for call in calls {
      guard let decided = judge(await call.outcome(within: limits.call), of: batch, "\(batch.count) items, eight at once,") else {
        continue
      }
      for index in 0..<batch.count where Answer(decided, index) != Answer(expected, index) {
        let (alone, together) = (expected.decisions[index], decided.decisions[index])
        faults.append(
          "`\(ordinary[index])`: \(Answer.describe(alone, in: expected)) alone, but \(Answer.describe(together, in: decided)) with eight calls at once"
        )
      }
    }
    report(faults)
  }

  private mutating func checkCancellation() async {
    let before = StrategyCall(strategy, Batch(ordinary, taxonomy: taxonomy), cancelled: true)
    report(cancellationFaults(await before.outcome(within: limits.cancellation), "a call in a cancelled task"))
    let during = StrategyCall(strategy, Batch(many, taxonomy: taxonomy))
    try? await Task.sleep(for: .milliseconds(5))
    during.cancel()
    report(cancellationFaults(await during.outcome(within: limits.cancellation), "a call that was cancelled on its way"))
  }

  private func cancellationFaults(_ outcome: Outcome, _ what: String) -> [String] {
    switch outcome {
    case .finished: []
    case .threw(let error):
      error is CancellationError || errors.contains("\(error)") ? [] : ["\(what) threw `\(error)`; throw CancellationError"]
    case .hung: ["\(what) went on for more than \(limits.cancellation); pass the cancellation on, or end within that time"]
    }
  }
}
