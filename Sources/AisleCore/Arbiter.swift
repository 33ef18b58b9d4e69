/// Weighs what several strategies answer about an item, and chooses among their sections.
///
/// Each answer speaks for its section by the log odds of its confidence, as far as `PhraseWeights.Voice` lets it, and the best keyword of
/// another section speaks for that one. The section for which most is said wins; on a tie, the one that was said first. So a sure word of
/// the trained model can outweigh an unsure keyword, and several unsure voices together can too.
struct Arbiter {
  private let voices: [(base: Float, slope: Float)]
  private let keywords: KeywordTable

  init(_ taxonomy: Taxonomy) {
    keywords = taxonomy.keywords
    let weights = taxonomy.weights
    voices = PhraseWeights.Voice.allCases.map { (Float(weights.voice($0).base), Float(weights.voice($0).slope)) }
  }

  /// What an answer counts.
  @inline(__always)
  private func say(_ speaker: PhraseWeights.Voice, _ confidence: Float) -> Float {
    let (base, slope) = voices[speaker.rawValue]
    return base + slope * Self.logOdds[Int((confidence > 0 ? min(confidence, Self.surest) : 0) * 1000 + 0.5)]
  }

  /// What the best keyword of another section counts.
  private var runnerUp: Float { voices[PhraseWeights.Voice.runnerUp.rawValue].base }

  /// Whether an answer stands though another is still to be asked: `most` is what that counts when it is sure.
  @inline(__always)
  func isSettled(_ decision: Decision, by speaker: PhraseWeights.Voice, against most: Float) -> Bool {
    say(speaker, decision.confidence) >= most + (decision.evidence.runnerUp == nil ? 0 : runnerUp)
  }

  /// What the loudest of several voices counts when it is sure.
  func most(of speakers: some Sequence<PhraseWeights.Voice>) -> Float {
    speakers.reduce(0) { max($0, say($1, $1 == .regex ? Self.surePattern : Self.sure)) }
  }

  /// The answer that wins, with the confidence that all of them give it; one that stands alone keeps its own.
  ///
  /// - Parameters:
  ///   - answers: What each speaker answers about each item.
  ///   - item: The item.
  ///   - most: What speakers count who have not answered yet; the lead must be no less.
  /// - Returns: `nil` where nobody answers the item, or those could change the choice.
  func choose(
    _ answers: [ContiguousArray<Decision?>], _ speakers: [PhraseWeights.Voice], _ item: Int, against most: Float
  ) -> Decision? {
    var (best, first, second): (Int?, Float, Float) = (nil, -.infinity, -.infinity)
    var (count, hasRunnerUp) = (0, false)
    for place in answers.indices {
      guard let answer = answers[place][item] else { continue }
      count += 1
      hasRunnerUp = hasRunnerUp || answer.evidence.runnerUp != nil
      var (sum, isFirst): (Float, Bool) = (0, true)
      for other in answers.indices {
        guard let decision = answers[other][item] else { continue }
        if decision.section == answer.section {
          if other < place { isFirst = false }
          sum += say(speakers[other], decision.confidence)
        } else if section(of: decision.evidence.runnerUp) == answer.section {
          sum += runnerUp
        }
      }
      guard isFirst else { continue }
      if sum > first {
        second = first
        (best, first) = (place, sum)
      } else {
        second = max(second, sum)
      }
    }
    guard let best, var decision = answers[best][item], most == 0 || first - max(second, 0) >= most + (hasRunnerUp ? runnerUp : 0)
    else { return nil }
    if count == 1 {
      // Names that no keyword knows are seldom products that the model knows: being sure of them misleads.
      let isGuess = speakers[best] == .model && first < voices[PhraseWeights.Voice.nobody.rawValue].base
      return isGuess ? nil : decision
    }
    let lead = second == -.infinity ? first + voices[PhraseWeights.Voice.agreement.rawValue].base : first - second
    let (base, slope) = voices[PhraseWeights.Voice.certainty.rawValue]
    decision.confidence = min(1 / (1 + Exponential.of(-(base + slope * lead))), Self.surest)
    decision.evidence.secondOpinion = opinion(answers, speakers, item, besides: best, decision.section)
    return decision
  }

  /// The answer that says most against the chosen one, or else for it.
  private func opinion(
    _ answers: [ContiguousArray<Decision?>], _ speakers: [PhraseWeights.Voice], _ item: Int, besides best: Int,
    _ section: SectionID
  ) -> SecondOpinion? {
    var (loudest, volume): (Decision?, Float) = (nil, -.infinity)
    for place in answers.indices where place != best {
      guard let decision = answers[place][item] else { continue }
      // Any answer against weighs more than all for it.
      let said = say(speakers[place], decision.confidence) + (decision.section == section ? 0 : 1000)
      if said > volume { (loudest, volume) = (decision, said) }
    }
    return loudest.flatMap { decision in
      decision.strategy.map { SecondOpinion(strategy: $0, section: decision.section, confidence: decision.confidence) }
    }
  }

  private func section(of keyword: KeywordID?) -> SectionID? {
    guard let keyword, Int(keyword.rawValue) < keywords.count else { return nil }
    return SectionID(rawValue: UInt16(keywords.firstEntry[Int(keyword.rawValue)].section))
  }

  /// How sure others are taken to be before they are asked. Patterns are, since asking them takes long, asked only where keywords are unsure.
  private static let (sure, surePattern): (Float, Float) = (0.95, 0.4)
  /// No confidence counts more.
  private static let surest: Float = 0.99

  /// The log odds of confidences, a place a thousandth; below 0.02 they count as that.
  private static let logOdds: [Float] = (0...1000).map { thousandths in
    let kept = min(max(Float(thousandths) / 1000, 0.02), surest)
    return Exponential.logarithm(kept / (1 - kept))
  }
}
