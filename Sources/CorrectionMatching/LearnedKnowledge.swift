import AisleCore

/// The corrections that a strategy answers from. Where their index proves damaged while it is used, those of the database take its place,
/// and what was asked is asked again.
final class LearnedKnowledge: Sendable {
  /// Corrections, and what their names mean in the store.
  final class State: Sendable {
    let corrections: LearnedCorrections
    let meanings: [NameMeanings]

    init(_ corrections: LearnedCorrections, in taxonomy: Taxonomy) {
      self.corrections = corrections
      meanings = corrections.layers.map { NameMeanings($0.index, in: taxonomy) }
    }
  }

  private let taxonomy: Taxonomy
  private let state: Guarded<State>

  init(_ corrections: LearnedCorrections, in taxonomy: Taxonomy) {
    self.taxonomy = taxonomy
    state = Guarded(State(corrections, in: taxonomy))
  }

  /// Whether there may be anything to find.
  var hasCorrections: Bool { !current.corrections.layers.isEmpty }

  private var current: State { state.withLock { $0 } }

  /// Asks the corrections.
  ///
  /// - Parameter body: Called once more, with others and `true`, where what it read proved damaged.
  /// - Returns: what the last call gave, which read nothing damaged.
  func asking<Answer>(_ body: (State, Bool) -> Answer) -> Answer {
    var known = current
    var answer = body(known, false)
    while known.corrections.isDamaged {
      known = renewed(known)
      answer = body(known, true)
    }
    return answer
  }

  /// The corrections that take the place of damaged ones: read by whoever finds the damage first, while others wait.
  private func renewed(_ damaged: State) -> State {
    state.withLock { state in
      if state === damaged { state = State(damaged.corrections.renewed(), in: taxonomy) }
      return state
    }
  }
}
