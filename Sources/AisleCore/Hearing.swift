/// How the answers of a chain's strategies are taken, worked out once.
struct HearingPlan: Sendable {
  let policy: Chain.Policy
  let thresholds: [Float]
  /// For each strategy, the voice that it has where answers are weighed; `nil` for one whose answers are not.
  let speakers: [PhraseWeights.Voice?]

  init(_ links: [(strategy: any Strategy, threshold: Float)], _ policy: Chain.Policy) {
    self.policy = policy
    thresholds = links.map(\.threshold)
    speakers = links.map { policy == .weigh ? PhraseWeights.Voice(strategy: $0.strategy.metadata.id) : nil }
  }

  /// The place of the last strategy whose answers are weighed; `nil` where fewer than two are.
  var lastSpeaker: Int? { speakers.count { $0 != nil } < 2 ? nil : speakers.lastIndex { $0 != nil } }

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
  private let lastSpeaker: Int?
  private let arbiter: Arbiter?
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

  init(_ plan: HearingPlan, _ batch: inout Batch) {
    self.plan = plan
    lastSpeaker = plan.lastSpeaker
    arbiter = lastSpeaker == nil ? nil : Arbiter(batch.taxonomy)
  }

  /// Takes back what the strategy at a place has decided and what is not final.
  mutating func take(_ place: Int, _ batch: inout Batch) {
    batch.credit(StrategyID(rawValue: UInt8(place)))
    guard let arbiter, let lastSpeaker, let speaker = plan.speakers[place] else {
      return keep(place...place, threshold: plan.thresholds[place], &batch)
    }
    let most = arbiter.most(of: plan.speakers[(place + 1)...].lazy.compactMap(\.self))
    var said = ContiguousArray<Decision?>()
    for index in 0..<batch.count {
      guard let decision = batch.decisions[index], decision.strategy?.rawValue == UInt8(place) else { continue }
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
    if place == lastSpeaker { settle(&batch) } else if answers.count > 1 { choose(against: most, &batch) }
  }

  /// Chooses among the answers that are weighed.
  private mutating func settle(_ batch: inout Batch) {
    guard let lastSpeaker else { return }
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
      guard let decision = batch.decisions[index], let strategy = decision.strategy, places ~= Int(strategy.rawValue) else {
        continue
      }
      if plan.policy == .weigh, plan.speakers[Int(strategy.rawValue)] == nil, places.count > 1 { continue }
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
