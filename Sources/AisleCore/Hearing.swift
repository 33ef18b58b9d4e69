/// How the answers of a chain's strategies are taken, worked out once.
struct HearingPlan: Sendable {
  let policy: Chain.Policy
  let thresholds: [Float]
  /// For each strategy, the voice that it has where answers are weighed; `nil` for one whose answers are not.
  let speakers: [PhraseWeights.Voice?]
  /// For each strategy, the voices that are still to be asked after it.
  let later: [[PhraseWeights.Voice]]

  init(_ links: [(strategy: any Strategy, threshold: Float)], _ policy: Chain.Policy) {
    self.policy = policy
    thresholds = links.map(\.threshold)
    var speakers: [PhraseWeights.Voice?] = []
    for link in links {
      let voice = policy == .weigh ? PhraseWeights.Voice(strategy: link.strategy.metadata.id) : nil
      // Those that are weighed stand together, each once.
      let isApart = speakers.last == .some(nil) && speakers.contains { $0 != nil }
      speakers.append(isApart || speakers.contains(voice) ? nil : voice)
    }
    self.speakers = speakers
    later = speakers.indices.map { speakers[($0 + 1)...].compactMap(\.self) }
    lastSpeaker = speakers.count { $0 != nil } < 2 ? nil : speakers.lastIndex { $0 != nil }
  }

  /// The place of the last strategy whose answers are weighed; `nil` where fewer than two are.
  let lastSpeaker: Int?

  /// The confidence from which a decision of the strategy at a place is final.
  func threshold(of place: Int) -> Float { lastSpeaker != nil && speakers[place] != nil ? weighedThreshold : thresholds[place] }

  /// The confidence from which a choice among weighed answers is final.
  var weighedThreshold: Float { zip(thresholds, speakers).reduce(0) { $1.1 == nil ? $0 : max($0, $1.0) } }
}

extension PhraseWeights.Voice {
  /// The voice of a strategy, by its id.
  package init?(strategy id: String) {
    switch id {
    case "keyword": self = .keyword
    case "regex": self = .regex
    case "model": self = .model
    default: return nil
    }
  }
}

/// What the strategies of a chain have answered about a batch and what may still change.
struct Hearing {
  private let plan: HearingPlan
  private let arbiter: Arbiter?
  /// The items that were decided before; none where there are none.
  private var before: ContiguousArray<Bool> = []
  /// The items whose answers are weighed and that nothing final is said about, from when the first speaker has answered on.
  private var open: ContiguousArray<OpenItem>?
  /// Those who have answered, each with its answers: a place an open item.
  private var speakers: [PhraseWeights.Voice] = []
  private var answers: [ContiguousArray<Decision?>] = []
  /// The best answers that are not final: a place an item, made for the first of them.
  private var candidates: ContiguousArray<Candidate?> = []

  private struct OpenItem {
    let index: Int
    var opinions = Arbiter.Opinions()
  }

  private struct Candidate {
    let decision: Decision
    /// Whether it reaches its strategy's threshold.
    let isSure: Bool

    func isBetter(than other: Candidate) -> Bool {
      isSure == other.isSure ? decision.confidence > other.decision.confidence : isSure
    }
  }

  /// - Parameter arbiter: That of the batch's taxonomy, where there is one already.
  init(_ plan: HearingPlan, _ batch: borrowing Batch, _ arbiter: Arbiter? = nil) {
    self.plan = plan
    self.arbiter = plan.lastSpeaker == nil ? nil : arbiter ?? Arbiter(batch.taxonomy)
    let decisions = batch.decisions
    if decisions.contains(where: { $0 != nil }) { before = ContiguousArray(decisions.map { $0 != nil }) }
  }

  /// Takes back what the strategy at a place has decided and what is not final.
  mutating func take(_ place: Int, _ batch: inout Batch) {
    batch.credit(StrategyID(rawValue: UInt8(place)))
    guard let arbiter, let speaker = plan.speakers[place] else {
      return keep(threshold: plan.thresholds[place], isLast: place == plan.thresholds.count - 1, &batch) {
        Int($0.rawValue) == place
      }
    }
    hear(speaker, arbiter, place, &batch)
    if place == plan.lastSpeaker { settle(&batch) }
  }

  /// Takes the answers of a speaker, and decides the items whose choice nobody can change who is still to be asked. Patterns, which are few
  /// and slow, are asked only where the choice is not sure without them.
  private mutating func hear(_ speaker: PhraseWeights.Voice, _ arbiter: Arbiter, _ place: Int, _ batch: inout Batch) {
    let later = plan.later[place]
    let most = arbiter.most(of: later)
    let lane = speakers.count
    speakers.append(speaker)
    if open == nil { return hearFirst(speaker, arbiter, place, later, &batch) }
    var (left, said): (ContiguousArray<OpenItem>, ContiguousArray<Decision?>) = ([], [])
    for (slot, item) in (open ?? []).enumerated() {
      var item = item
      let decision = batch.withdraw(item.index)
      if let decision { arbiter.add(decision, lane, by: speaker, to: &item.opinions) }
      if !later.isEmpty, let choice = arbiter.choose(item.opinions, speakers, against: most) {
        func answer(_ lane: Int) -> Decision? { lane == answers.count ? decision : answers[lane][slot] }
        if isSure(choice.confidence ?? answer(choice.lane)?.confidence ?? 0, later) {
          decide(item, choice, arbiter, &batch, answer)
          continue
        }
      }
      for earlier in answers.indices { answers[earlier][left.count] = answers[earlier][slot] }
      left.append(item)
      said.append(decision)
    }
    answers.append(said)
    open = left
  }

  /// Takes the answers of the first speaker, and lists the items whose choice others could change.
  private mutating func hearFirst(
    _ speaker: PhraseWeights.Voice, _ arbiter: Arbiter, _ place: Int, _ later: [PhraseWeights.Voice], _ batch: inout Batch
  ) {
    let most = arbiter.most(of: later)
    var (left, said): (ContiguousArray<OpenItem>, ContiguousArray<Decision?>) = ([], [])
    for index in 0..<batch.count where before.isEmpty || !before[index] {
      let decision = batch.decisions[index]
      var item = OpenItem(index: index)
      if let decision {
        // One that an earlier strategy has decided.
        if decision.strategy != StrategyID(rawValue: UInt8(place)) { continue }
        // What the model alone says must be looked at in the end.
        let isSettled = most.map { arbiter.isSettled(decision, by: speaker, against: $0) } ?? true
        if isSettled, speaker != .model, !later.isEmpty, isSure(decision.confidence, later) { continue }
        arbiter.add(decision, 0, by: speaker, to: &item.opinions)
        _ = batch.withdraw(index)
      }
      left.append(item)
      said.append(decision)
    }
    answers = [said]
    open = left
  }

  /// Whether patterns need not be asked about an item, where they are among those still to be asked.
  private func isSure(_ confidence: Float, _ later: [PhraseWeights.Voice]) -> Bool {
    confidence >= Arbiter.surePattern || !later.contains(.regex)
  }

  /// Decides an item as chosen.
  private func decide(
    _ item: OpenItem, _ choice: Arbiter.Choice, _ arbiter: Arbiter, _ batch: inout Batch, _ answer: (_ lane: Int) -> Decision?
  ) {
    guard var decision = answer(choice.lane) else { return }
    if let confidence = choice.confidence {
      decision.confidence = confidence
      decision.evidence.secondOpinion = arbiter.witness(item.opinions, besides: choice.lane).flatMap(answer).flatMap { witness in
        witness.strategy.map { SecondOpinion(strategy: $0, section: witness.section, confidence: witness.confidence) }
      }
    } else if speakers[choice.lane] == .model {
      decision.confidence = arbiter.believed(decision.confidence)
    }
    batch.decide(item.index, decision)
  }

  /// Chooses among all answers that are weighed.
  private mutating func settle(_ batch: inout Batch) {
    guard let arbiter, let lastSpeaker = plan.lastSpeaker, let open else { return }
    for (slot, item) in open.enumerated() {
      guard let choice = arbiter.choose(item.opinions, speakers, against: nil) else { continue }
      decide(item, choice, arbiter, &batch) { answers[$0][slot] }
    }
    self.open = nil
    let speakers = plan.speakers
    keep(threshold: plan.weighedThreshold, isLast: lastSpeaker == plan.thresholds.count - 1, &batch) {
      speakers[Int($0.rawValue)] != nil
    }
  }

  /// Takes back the answers of some strategies that later ones may replace.
  private mutating func keep(threshold: Float, isLast: Bool, _ batch: inout Batch, of isMeant: (StrategyID) -> Bool) {
    guard plan.policy == .best && plan.thresholds.count > 1 || threshold > 0 && !(isLast && candidates.isEmpty) else { return }
    for index in 0..<batch.count where before.isEmpty || !before[index] {
      guard let decision = batch.decisions[index], let strategy = decision.strategy, isMeant(strategy) else { continue }
      let isSure = decision.confidence >= threshold
      if isSure, plan.policy != .best { continue }
      guard let taken = batch.withdraw(index) else { continue }
      if candidates.isEmpty { candidates = ContiguousArray(repeating: nil, count: batch.count) }
      let candidate = Candidate(decision: taken, isSure: isSure)
      if candidates[index].map({ candidate.isBetter(than: $0) }) ?? true { candidates[index] = candidate }
    }
  }

  /// Gives the items that nothing final was decided about the best that there is.
  mutating func end(_ batch: inout Batch) {
    settle(&batch)
    for (index, candidate) in candidates.enumerated() { if let candidate { batch.decide(index, candidate.decision) } }
  }
}
