/// How the answers of a chain's strategies are taken, worked out once.
struct HearingPlan: Sendable {
  let policy: Chain.Policy
  let thresholds: [Float]
  /// For each strategy, the voice that it has where answers are weighed; `nil` for one whose answers are not.
  let speakers: [PhraseWeights.Voice?]

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
  init?(strategy id: String) {
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
  /// What each strategy whose answers are weighed has said about each item, where that is not final.
  private var answers: [ContiguousArray<Decision?>] = []
  private var answerers: [PhraseWeights.Voice] = []
  /// The best answers that are not final: a place an item, made for the first of them.
  private var candidates: ContiguousArray<Candidate?> = []

  private struct Candidate {
    let decision: Decision
    /// Whether it reaches its strategy's threshold.
    let isSure: Bool

    func isBetter(than other: Candidate) -> Bool {
      isSure == other.isSure ? decision.confidence > other.decision.confidence : isSure
    }
  }

  init(_ plan: HearingPlan, _ batch: borrowing Batch) {
    self.plan = plan
    arbiter = plan.lastSpeaker == nil ? nil : Arbiter(batch.taxonomy)
    let decisions = batch.decisions
    if decisions.contains(where: { $0 != nil }) { before = ContiguousArray(decisions.map { $0 != nil }) }
  }

  /// Whether the strategy at one of some places has decided an item in this hearing.
  private func isDecided(_ index: Int, by places: ClosedRange<Int>, _ decision: Decision?) -> Bool {
    guard let strategy = decision?.strategy, places ~= Int(strategy.rawValue) else { return false }
    return before.isEmpty || !before[index]
  }

  /// Takes back what the strategy at a place has decided and what is not final.
  mutating func take(_ place: Int, _ batch: inout Batch) {
    batch.credit(StrategyID(rawValue: UInt8(place)))
    guard let arbiter, let lastSpeaker = plan.lastSpeaker, let speaker = plan.speakers[place] else {
      return keep(place...place, threshold: plan.thresholds[place], &batch)
    }
    let most = arbiter.most(of: plan.speakers[(place + 1)...].lazy.compactMap(\.self))
    var said = ContiguousArray<Decision?>()
    for index in 0..<batch.count {
      guard let decision = batch.decisions[index], isDecided(index, by: place...place, decision) else { continue }
      let isAlone = !answers.contains { $0[index] != nil }
      // What the model alone says must be looked at in the end.
      if isAlone, speaker != .model, arbiter.isSettled(decision, by: speaker, against: most) { continue }
      guard let taken = batch.withdraw(index) else { continue }
      if said.isEmpty { said = ContiguousArray(repeating: nil, count: batch.count) }
      said[index] = taken
    }
    if !said.isEmpty {
      answers.append(said)
      answerers.append(speaker)
    }
    if place == lastSpeaker { settle(&batch) } else if !answers.isEmpty { choose(against: most, &batch) }
  }

  /// Chooses among the answers that are weighed.
  private mutating func settle(_ batch: inout Batch) {
    guard let lastSpeaker = plan.lastSpeaker else { return }
    choose(against: 0, &batch)
    answers = []
    keep(0...lastSpeaker, threshold: plan.weighedThreshold, &batch)
  }

  /// Decides the items whose choice nobody can change who is still to be asked, at most `most` loud.
  private mutating func choose(against most: Float, _ batch: inout Batch) {
    guard let arbiter else { return }
    for index in 0..<batch.count {
      guard let chosen = arbiter.choose(answers, answerers, index, against: most) else { continue }
      batch.decide(index, chosen)
      for place in answers.indices { answers[place][index] = nil }
    }
  }

  /// Takes back the answers of some strategies that later ones may replace.
  private mutating func keep(_ places: ClosedRange<Int>, threshold: Float, _ batch: inout Batch) {
    let isLast = places.upperBound == plan.thresholds.count - 1
    guard plan.policy == .best && plan.thresholds.count > 1 || threshold > 0 && !(isLast && candidates.isEmpty) else { return }
    for index in 0..<batch.count {
      guard let decision = batch.decisions[index], isDecided(index, by: places, decision) else { continue }
      if places.count > 1, let strategy = decision.strategy, plan.speakers[Int(strategy.rawValue)] == nil { continue }
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
    if !answers.isEmpty { settle(&batch) }
    for (index, candidate) in candidates.enumerated() { if let candidate { batch.decide(index, candidate.decision) } }
  }
}
