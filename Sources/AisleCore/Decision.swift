/// Where an item belongs, how sure the strategy is, and why.
///
/// A plain value of 36 bytes that needs no allocation. Names and texts are looked up in the taxonomy and the batch.
public struct Decision: Sendable, Equatable {
  /// The section.
  public var section: SectionID
  /// The strategy that decided: its place in the chain, set by the chain; `nil` before.
  public internal(set) var strategy: StrategyID?
  /// How likely the section is right, in 0…1. A value that is set later is not checked.
  public var confidence: Float
  /// What the decision is based on.
  public var evidence: Evidence

  /// Makes a decision; the chain fills in the strategy.
  ///
  /// - Parameters:
  ///   - section: The section.
  ///   - confidence: A value below 0 or NaN counts as 0, and a value above 1 as 1.
  ///   - evidence: What the decision rests on.
  public init(section: SectionID, confidence: Float, evidence: Evidence = Evidence()) {
    self.section = section
    self.confidence = confidence > 0 ? min(confidence, 1) : 0
    self.evidence = evidence
  }
}

/// What a decision is based on. Strategies fill in what they have and leave the rest `nil`.
public struct Evidence: Sendable, Equatable {
  private var keywordNumber: UInt32 = .max
  private var runnerUpNumber: UInt32 = .max
  private var noteNumber: UInt32 = .max
  private var spanStart: UInt32 = 0
  private var spanLength: UInt16 = 0
  private var moveNumber: UInt16 = .max
  private var ruleNumber: UInt8 = .max
  private var witnessStrategy: UInt8 = .max
  private var patternNumber: UInt16 = .max
  private var witnessSection: UInt16 = 0
  private var witnessConfidence: UInt16 = 0

  /// Makes empty evidence.
  public init() {}

  /// Makes the evidence of a keyword in one call.
  ///
  /// - Parameters:
  ///   - keyword: The keyword that won.
  ///   - span: The bytes that the keyword matched, from the item's start; at most 65,535 long.
  ///   - rule: The place in `StrategyMetadata.rules`.
  ///   - runnerUp: The best keyword for another section.
  ///   - move: The place in `Taxonomy.moves`.
  public init(keyword: KeywordID, span: Range<Int>, rule: UInt8, runnerUp: KeywordID?, move: UInt16?) {
    self.init()
    self.keyword = keyword
    self.span = span
    self.rule = rule
    self.runnerUp = runnerUp
    self.move = move
  }

  /// The keyword that won.
  public var keyword: KeywordID? {
    get { keywordNumber >= Self.shelfMark ? nil : KeywordID(rawValue: keywordNumber) }
    set { keywordNumber = newValue?.rawValue ?? .max }
  }

  /// The shelf, where it is known without a keyword: from a correction. Setting it takes the keyword's place.
  public var shelf: ShelfID? {
    get {
      keywordNumber >= Self.shelfMark && keywordNumber != .max
        ? ShelfID(rawValue: UInt16(truncatingIfNeeded: keywordNumber)) : nil
    }
    set { keywordNumber = newValue.map { Self.shelfMark | UInt32($0.rawValue) } ?? .max }
  }

  /// The numbers from here on are no keywords', of which there are at most `KeywordTable.maximumCount`: less it is a shelf's.
  private static let shelfMark: UInt32 = 1 << 31

  /// The part of the item that it matched, in bytes from the item's start; `nil` when empty.
  public var span: Range<Int>? {
    get { spanLength == 0 ? nil : Int(spanStart)..<Int(spanStart) + Int(spanLength) }
    set {
      spanStart = UInt32(clamping: newValue?.lowerBound ?? 0)
      spanLength = UInt16(clamping: newValue?.count ?? 0)
    }
  }

  /// The rule by which it won: its place in the strategy's `StrategyMetadata.rules`.
  public var rule: UInt8? {
    get { ruleNumber == .max ? nil : ruleNumber }
    set { ruleNumber = newValue ?? .max }
  }

  /// The move that took the product to another shelf: its place in `Taxonomy.moves`.
  public var move: UInt16? {
    get { moveNumber == .max ? nil : moveNumber }
    set { moveNumber = newValue ?? .max }
  }

  /// The best keyword for another section.
  public var runnerUp: KeywordID? {
    get { runnerUpNumber == .max ? nil : KeywordID(rawValue: runnerUpNumber) }
    set { runnerUpNumber = newValue?.rawValue ?? .max }
  }

  /// The pattern that matched.
  public var pattern: PatternID? {
    get { patternNumber == .max ? nil : PatternID(rawValue: patternNumber) }
    set { patternNumber = newValue?.rawValue ?? .max }
  }

  /// What another strategy answered, if the arbiter weighed several: the answer that says most against this decision, or else for it.
  public var secondOpinion: SecondOpinion? {
    get {
      guard witnessStrategy != .max else { return nil }
      return SecondOpinion(
        strategy: StrategyID(rawValue: witnessStrategy), section: SectionID(rawValue: witnessSection),
        confidence: Float(witnessConfidence) / 10_000)
    }
    set {
      witnessStrategy = newValue?.strategy.rawValue ?? .max
      witnessSection = newValue?.section.rawValue ?? 0
      witnessConfidence = newValue.map { $0.confidence > 0 ? UInt16(min($0.confidence, 1) * 10_000) : 0 } ?? 0
    }
  }

  /// A text of the strategy's own: its place in `Batch.notes`.
  public var note: UInt32? {
    get { noteNumber == .max ? nil : noteNumber }
    set { noteNumber = newValue ?? .max }
  }
}

/// The answer of a strategy other than the one that decided.
public struct SecondOpinion: Sendable, Hashable {
  /// The strategy: its place in the chain.
  public let strategy: StrategyID
  /// The section that it says.
  public let section: SectionID
  /// How sure it is, in 0…1, to four decimals.
  public let confidence: Float
}

/// Why one of several possible answers won.
public struct Rule: Sendable, Hashable {
  /// A short name, as `--explain` prints it, e.g. `head`.
  public let name: String
  /// What the rule says, in one line.
  public let summary: String

  /// Makes a rule.
  public init(_ name: String, _ summary: String) {
    self.name = name
    self.summary = summary
  }
}

/// A strategy's place in a chain, from 0.
public struct StrategyID: Sendable, Hashable, RawRepresentable {
  /// The place in the chain.
  public let rawValue: UInt8

  /// Makes the id of the strategy at a place in the chain.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
}
