/// Weighs what several strategies answer about an item, and chooses among their sections.
///
/// Each answer speaks for its section by the log odds of its confidence, as far as `PhraseWeights.Voice` lets it, and the best keyword of
/// another section speaks for that one. The section for which most is said wins; on a tie, the one that was said first. So a sure word of
/// the trained model can outweigh an unsure keyword, and several unsure voices together can too.
///
/// The voices are fitted to English. In other languages the trained model is asked only about items that nobody else answers.
package final class Arbiter: Sendable {
  private let voices: [(base: Float, slope: Float)]
  private let keywords: KeywordTable
  private let isEnglish: Bool

  init(_ taxonomy: Taxonomy) {
    keywords = taxonomy.keywords
    isEnglish = taxonomy.isEnglish
    let weights = taxonomy.weights
    voices = PhraseWeights.Voice.allCases.map { (Float(weights.voice($0).base), Float(weights.voice($0).slope)) }
  }

  /// What is said about an item: in each lane a section and what its answer counts, in the order in which they were given. The last lane is
  /// that of the best keyword of another section.
  struct Opinions {
    fileprivate var sections = SIMD4<UInt16>(repeating: .max)
    fileprivate var said = SIMD4<Float>()
    /// The lanes of answers, from 0 on.
    fileprivate static let answers = 0..<3
    fileprivate static let runnerUp = 3

    @inline(__always)
    fileprivate func holds(_ lane: Int) -> Bool { sections[lane] != .max }

    @inline(__always)
    fileprivate mutating func set(_ lane: Int, _ section: SectionID, _ said: Float) {
      sections[lane] = section.rawValue
      self.said[lane] = said
    }

    /// What all say for the section of a lane.
    @inline(__always)
    fileprivate func total(_ lane: Int) -> Float {
      said.replacing(with: 0, where: SIMD4<UInt32>(truncatingIfNeeded: sections) .!= UInt32(sections[lane])).sum()
    }
  }

  /// Whose answer wins, and how sure the choice is; `nil` for one that stands alone and keeps its own confidence.
  struct Choice {
    let lane: Int
    let confidence: Float?
  }

  /// What an answer counts.
  @inline(__always)
  private func say(_ speaker: PhraseWeights.Voice, _ confidence: Float) -> Float {
    let (base, slope) = voices[speaker.rawValue]
    return base + slope * oddsTable.address[Self.place(confidence)]
  }

  /// The log odds of a confidence as an answer counts them.
  package static func logOdds(_ confidence: Float) -> Float { oddsTable[place(confidence)] }

  /// A confidence's place among the log odds.
  @inline(__always)
  private static func place(_ confidence: Float) -> Int { Int((confidence > 0 ? min(confidence, surest) : 0) * 1000 + 0.5) }

  /// What the best keyword of another section counts.
  private var runnerUp: Float { voices[PhraseWeights.Voice.runnerUp.rawValue].base }

  /// Whether an answer stands though another is still to be asked: `most` is what that counts when it is sure.
  @inline(__always)
  func isSettled(_ decision: Decision, by speaker: PhraseWeights.Voice, against most: Float) -> Bool {
    say(speaker, decision.confidence) >= most + (decision.evidence.runnerUp == nil ? 0 : runnerUp)
  }

  /// What the loudest of several voices counts when it is sure, those of patterns aside; `nil` where there is none.
  func most(of speakers: [PhraseWeights.Voice]) -> Float? {
    speakers.lazy.filter { $0 != .regex }.map { $0 == .model && !self.isEnglish ? -.infinity : self.say($0, Self.sure) }.max()
  }

  /// Adds an answer to what is said about an item, in the lane of its speaker.
  @inline(__always)
  func add(_ decision: Decision, _ lane: Int, by speaker: PhraseWeights.Voice, to opinions: inout Opinions) {
    opinions.set(lane, decision.section, say(speaker, decision.confidence))
    if let other = section(of: decision.evidence.runnerUp), other != decision.section, !opinions.holds(Opinions.runnerUp) {
      opinions.set(Opinions.runnerUp, other, runnerUp)
    }
  }

  /// The answer that wins.
  ///
  /// - Parameter most: What those count who have not answered yet; the lead must be no less. `nil` where all have.
  /// - Returns: `nil` where nobody answers the item, or those could change the choice.
  @inline(__always)
  func choose(_ opinions: Opinions, _ speakers: [PhraseWeights.Voice], against most: Float?) -> Choice? {
    var (best, first, second): (Int?, Float, Float) = (nil, -.infinity, -.infinity)
    var count = 0
    for lane in speakers.indices where opinions.holds(lane) {
      count += 1
      if (0..<lane).contains(where: { opinions.sections[$0] == opinions.sections[lane] }) { continue }
      let total = opinions.total(lane)
      if total > first {
        second = first
        (best, first) = (lane, total)
      } else {
        second = max(second, total)
      }
    }
    guard let best else { return nil }
    if let most, first - max(second, 0) < most + (opinions.holds(Opinions.runnerUp) ? runnerUp : 0) { return nil }
    if count == 1 {
      // Names that no keyword knows are seldom products that the model knows: being sure of them misleads.
      let isGuess = isEnglish && speakers[best] == .model && first < voices[PhraseWeights.Voice.nobody.rawValue].base
      return isGuess ? nil : Choice(lane: best, confidence: nil)
    }
    let lead = second == -.infinity ? first + voices[PhraseWeights.Voice.agreement.rawValue].base : first - second
    return Choice(lane: best, confidence: certainty(lead))
  }

  /// How sure the model is taken to be of what it alone answers. It is sure of names too, of which it knows a syllable.
  func believed(_ confidence: Float) -> Float {
    let slope = voices[PhraseWeights.Voice.nobody.rawValue].slope
    return slope == 0 ? confidence : 1 / (1 + Exponential.of(-slope * Self.logOdds(confidence)))
  }

  /// How sure a choice is, from its lead over the next section.
  private func certainty(_ lead: Float) -> Float {
    let (base, slope) = voices[PhraseWeights.Voice.certainty.rawValue]
    return min(1 / (1 + Exponential.of(-(base + slope * lead))), Self.surest)
  }

  /// The lane that says most against the chosen one, or else for it.
  func witness(_ opinions: Opinions, besides best: Int) -> Int? {
    // Any answer against weighs more than all for it.
    Opinions.answers.filter { $0 != best && opinions.holds($0) }.max { lane, other in
      let (isAgainst, otherIs) = (
        opinions.sections[lane] != opinions.sections[best], opinions.sections[other] != opinions.sections[best]
      )
      return isAgainst == otherIs ? opinions.said[lane] < opinions.said[other] : otherIs
    }
  }

  private func section(of keyword: KeywordID?) -> SectionID? {
    guard let keyword, Int(keyword.rawValue) < keywords.count else { return nil }
    return SectionID(rawValue: UInt16(keywords.firstEntry[Int(keyword.rawValue)].section))
  }

  /// How sure others are taken to be before they are asked.
  private static let sure: Float = 0.95
  /// How sure a choice must be for patterns not to be asked.
  static let surePattern: Float = 0.9
  /// No confidence counts more.
  private static let surest: Float = 0.99

  /// The log odds of confidences, a place a thousandth; below 0.02 they count as that.
  private static let oddsTable = FlatTable<Float>(
    ContiguousArray(
      (0...1000).map { thousandths in
        let kept = min(max(Float(thousandths) / 1000, 0.02), surest)
        return Exponential.logarithm(kept / (1 - kept))
      }))
  /// The same table, at hand without asking whether it is made.
  private let oddsTable = Arbiter.oddsTable
}
