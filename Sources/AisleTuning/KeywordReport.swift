public import AisleCore
public import AisleEvaluation
import AisleFiles
public import KeywordStrategy
public import RegexStrategy

/// The effect of each keyword, pattern, and move of a store on a corpus, and which shelves compete for which items.
public struct KeywordReport: Sendable {
  /// The most examples kept for each.
  public static let maximumExamples = 5

  /// A row for each keyword, then for each pattern, then for each move, in the order of the store.
  public let scores: [KeywordScore]
  /// The pairs of shelves in different sections whose keywords occur in the same items, most wrong answers first.
  public let fights: [ShelfFight]
  /// What was evaluated.
  public let evaluation: Evaluation

  /// Analyzes an evaluation.
  ///
  /// - Parameters:
  ///   - keywords: The chain's keyword strategy, in phrase mode, newly made: its `conflicts` are the duplicates.
  ///   - patterns: The chain's patterns, if any.
  ///   - alone: The chain's answer to each keyword on its own, by the keyword's number; see `asItems`.
  /// - Complexity: O(keywords + items × keywords per item).
  public init(
    _ evaluation: Evaluation, keywords: KeywordStrategy, patterns: RegexStrategy?, alone: ContiguousArray<Decision?>
  ) {
    var analysis = Analysis(evaluation)
    analysis.addMatches(keywords, patterns)
    analysis.addFaults(keywords, alone)
    scores = analysis.scores
    fights = analysis.fights.values.sorted {
      ($1.wrong, $1.items, $0.first, $0.second) < ($0.wrong, $0.items, $1.first, $1.second)
    }
    self.evaluation = evaluation
  }

  /// Each keyword of a store as an item, in order.
  public static func asItems(_ taxonomy: Taxonomy) -> Batch {
    let keywords = taxonomy.keywords
    var batch = Batch(taxonomy: taxonomy)
    batch.setItems(
      text: Array(keywords.bytes.elements),
      extents: ContiguousArray(keywords.entries.elements.map { Batch.Extent(start: $0.start, length: UInt32($0.length)) }))
    return batch
  }

  /// Where a keyword belongs: the name of its shelf, or of its section.
  public static func place(_ keyword: Keyword, in taxonomy: Taxonomy) -> String {
    keyword.shelf.map { taxonomy[$0].name } ?? taxonomy[keyword.section].name
  }
}

/// The rows while they are counted.
private struct Analysis {
  let evaluation: Evaluation
  let taxonomy: Taxonomy
  var scores: [KeywordScore]
  var fights: [FightKey: ShelfFight] = [:]
  private let patternStart: Int
  private let moveStart: Int
  /// For keywords that never decide: which other keyword did, and how often.
  private var losses: [Int: [KeywordID: Int]] = [:]

  struct FightKey: Hashable {
    let first: UInt32, second: UInt32
  }

  init(_ evaluation: Evaluation) {
    self.evaluation = evaluation
    taxonomy = evaluation.taxonomy
    patternStart = taxonomy.keywords.count
    moveStart = patternStart + taxonomy.patterns.count
    scores =
      taxonomy.keywords.indices.map { KeywordScore(.keyword(KeywordID(rawValue: UInt32($0)))) }
      + taxonomy.patterns.indices.map { KeywordScore(.pattern(PatternID(rawValue: UInt16($0)))) }
      + taxonomy.moves.indices.map { KeywordScore(.move($0)) }
  }

  mutating func addMatches(_ keywords: KeywordStrategy, _ patterns: RegexStrategy?) {
    let corpus = evaluation.corpus
    var batch = Batch(taxonomy: taxonomy)
    batch.setItems(
      text: corpus.text, extents: ContiguousArray(evaluation.items.map { evaluation.entry($0).item }))
    var found = [[Int]](repeating: [], count: evaluation.items.count)
    keywords.forEachMatches(in: &batch) { item, matches in
      for match in matches where !found[item].contains(Int(match.keyword.rawValue)) {
        found[item].append(Int(match.keyword.rawValue))
      }
    }
    patterns?.forEachMatches(in: &batch) { item, matches in found[item] += matches.map { patternStart + Int($0.rawValue) } }
    // The surest mistakes first, so that the worst become the examples.
    for place in evaluation.items.indices.sorted(by: { evaluation.items[$0].confidence > evaluation.items[$1].confidence }) {
      add(evaluation.items[place], found[place])
    }
  }

  private mutating func add(_ item: ScoredItem, _ found: [Int]) {
    let accepted = evaluation.expectations.accepted[Int(evaluation.entry(item).labels)]
    let winner = winner(item)
    let better = item.isRight ? nil : found.first { $0 < patternStart && accepted.contains(section($0)) }
    for place in found {
      let section = section(place)
      scores[place].items += 1
      if found.count == 1 { scores[place].alone += 1 } else { scores[place].overlaps += 1 }
      if found.contains(where: { self.section($0) != section }) { scores[place].conflicts += 1 }
      if place != winner, !item.isRight, accepted.contains(section) {
        scores[place].missed += 1
        keep(item, place, isMissed: true, better: nil)
      }
      if place != winner, let winner, winner < patternStart {
        losses[place, default: [:]][KeywordID(rawValue: UInt32(winner)), default: 0] += 1
      }
    }
    guard let winner else { return }
    if winner >= moveStart { scores[winner].items += 1 }
    if item.isRight { scores[winner].right += 1 } else { scores[winner].wrong += 1 }
    if !item.isRight { keep(item, winner, isMissed: false, better: better) }
    if winner < patternStart { addFights(item, winner, found, better) }
  }

  private mutating func addFights(_ item: ScoredItem, _ winner: Int, _ found: [Int], _ better: Int?) {
    var seen: Set<UInt32> = []
    for place in found where place < patternStart && section(place) != section(winner) {
      guard seen.insert(shelfNumber(place)).inserted else { continue }
      let (one, other) = (shelfNumber(winner), shelfNumber(place))
      let isFirst = name(one) < name(other)
      let key = isFirst ? FightKey(first: one, second: other) : FightKey(first: other, second: one)
      var fight = fights[key] ?? ShelfFight(first: name(key.first), second: name(key.second))
      fight.items += 1
      if isFirst { fight.firstWins += 1 } else { fight.secondWins += 1 }
      if !item.isRight {
        if isFirst { fight.firstWrong += 1 } else { fight.secondWrong += 1 }
        if fight.examples.count < KeywordReport.maximumExamples, !isHoldout(item) {
          fight.examples.append(example(item, false, better))
        }
      }
      fights[key] = fight
    }
  }

  /// The shelf of a keyword, or its section from 65,536 on.
  private func shelfNumber(_ place: Int) -> UInt32 {
    let entry = taxonomy.keywords.entries[place]
    return entry.shelfID.map { UInt32($0.rawValue) } ?? 65_536 + UInt32(entry.section)
  }

  private func name(_ shelf: UInt32) -> String {
    shelf < 65_536 ? taxonomy[ShelfID(rawValue: UInt16(shelf))].name : taxonomy[SectionID(rawValue: UInt16(shelf - 65_536))].name
  }

  /// What decided an item: its place in `scores`.
  private func winner(_ item: ScoredItem) -> Int? {
    guard let evidence = item.decision?.evidence else { return nil }
    if let move = evidence.move { return moveStart + Int(move) }
    return evidence.keyword.map { Int($0.rawValue) } ?? evidence.pattern.map { patternStart + Int($0.rawValue) }
  }

  private func section(_ place: Int) -> SectionID {
    if place < patternStart { return SectionID(rawValue: UInt16(taxonomy.keywords.entries[place].section)) }
    return place < moveStart
      ? taxonomy.patterns[place - patternStart].section : taxonomy[taxonomy.moves[place - moveStart].to].section
  }

  private func isHoldout(_ item: ScoredItem) -> Bool { evaluation.entry(item).split == .holdout }

  private func example(_ item: ScoredItem, _ isMissed: Bool, _ better: Int?) -> KeywordScore.Example {
    KeywordScore.Example(
      entry: item.entry, answer: item.answer, expected: item.truth, isMissed: isMissed,
      better: better.map { KeywordID(rawValue: UInt32($0)) })
  }

  private mutating func keep(_ item: ScoredItem, _ place: Int, isMissed: Bool, better: Int?) {
    if isHoldout(item) { return }
    let example = example(item, isMissed, better)
    if !isMissed {
      let end = scores[place].examples.firstIndex(where: \.isMissed) ?? scores[place].examples.count
      scores[place].examples.insert(example, at: end)
    } else {
      scores[place].examples.append(example)
    }
    if scores[place].examples.count > KeywordReport.maximumExamples { scores[place].examples.removeLast() }
  }

  // MARK: Faults

  mutating func addFaults(_ keywords: KeywordStrategy, _ alone: ContiguousArray<Decision?>) {
    for keyword in keywords.unmatchable { scores[Int(keyword.rawValue)].faults.append(.dead) }
    for pair in keywords.conflicts {
      scores[Int(pair.second.rawValue)].faults.append(.duplicate)
      scores[Int(pair.second.rawValue)].rival = spelled(pair.first)
    }
    for place in 0..<patternStart where scores[place].faults.isEmpty {
      let decision = place < alone.count ? alone[place] : nil
      let evidence = decision?.evidence
      if let decision, decision.section != section(place) {
        scores[place].faults.append(.contradicting)
        scores[place].rival =
          evidence?.move.map { "move `\(taxonomy.moves[Int($0)].word)`, \(location(taxonomy.moves[Int($0)].location))" }
          ?? evidence?.keyword.map { spelled($0) } ?? evidence?.pattern.map { spelled($0) }
      } else if let winner = evidence?.keyword, Int(winner.rawValue) != place {
        scores[place].faults.append(.shadowed)
        scores[place].rival = spelled(winner)
      } else if let rivals = losses[place], scores[place].items > 1, scores[place].right + scores[place].wrong == 0,
        taxonomy.keywords.entries[place].strength >= Keyword.Strength.good.rawValue
      {
        // Descriptions and flavors are there to lose.
        let most = rivals.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }
        if let most, rivals.values.reduce(0, +) == scores[place].items {
          scores[place].faults.append(.shadowed)
          scores[place].rival = spelled(most.key)
        }
      }
    }
  }

  private func spelled(_ keyword: KeywordID) -> String {
    let keyword = taxonomy.keywords[keyword]
    return
      "`\(keyword.strength.sign)\(keyword.text)` on \(KeywordReport.place(keyword, in: taxonomy)), \(location(keyword.location))"
  }

  private func spelled(_ pattern: PatternID) -> String {
    let pattern = taxonomy.patterns[Int(pattern.rawValue)]
    return "pattern \(pattern.name), \(location(pattern.location))"
  }

  private func location(_ place: SourceLocation) -> String { "\(place.path):\(place.line)" }
}
