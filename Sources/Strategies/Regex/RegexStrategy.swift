public import AisleCore
import Synchronization

/// Decides items by the taxonomy's patterns: regular expressions for text that keywords cannot express.
///
/// Making one costs almost nothing. The patterns are indexed when the first item reaches them, in a few microseconds each, and a pattern
/// is compiled when the first item arrives that it may match.
public struct RegexStrategy: LocalStrategy {
  /// The resources that a pattern may use on one item.
  public let limits: RegexLimits
  private let taxonomy: Taxonomy
  private let patterns: CompiledPatterns
  private let warn: @Sendable (Finding) -> Void

  /// Prepares a taxonomy's patterns.
  ///
  /// - Parameters:
  ///   - warn: Is told once, from any thread, about each pattern that cannot be compiled or hits a limit. Such a pattern abstains.
  /// - Complexity: O(patterns).
  public init(
    _ taxonomy: Taxonomy, limits: RegexLimits = RegexLimits(), warn: @escaping @Sendable (Finding) -> Void = { _ in }
  ) {
    self.init(taxonomy, limits: limits, isFiltering: true, warn: warn)
  }

  /// - Parameter isFiltering: `false` for trying every pattern on every item.
  init(_ taxonomy: Taxonomy, limits: RegexLimits, isFiltering: Bool, warn: @escaping @Sendable (Finding) -> Void = { _ in }) {
    self.taxonomy = taxonomy
    self.limits = limits
    self.warn = warn
    patterns = CompiledPatterns(taxonomy.patterns, limits: limits, isFiltering: isFiltering)
  }

  /// The taxonomy whose patterns it tries.
  public var boundTaxonomy: Taxonomy? { taxonomy }

  /// What the strategy is. Its examples are those of the patterns.
  public var metadata: StrategyMetadata {
    StrategyMetadata(
      id: "regex",
      summary: "PCRE2 patterns from the store's files, for text that keywords cannot express: 93/7, 12pk, phone numbers",
      rationale: """
        Some items contain no word that a shelf could list: a fat percentage, a number of cans, an address. A pattern describes what \
        they look like, and its examples are checked. Use it after the keywords, for items that they are not sure about.
        """,
      rules: [Rule("pattern", "the matching pattern with the highest confidence")],
      examples: taxonomy.patterns.flatMap { pattern in
        pattern.matches.map { StrategyExample($0.item, taxonomy[pattern.section].name, topic: pattern.name) }
      })
  }

  /// Decides the items that a pattern matches.
  public func decide(_ batch: inout Batch) {
    if patterns.count == 0 { return }
    batch.withStorage { text, extents, decisions in
      guard let first = decisions.firstIndex(where: { $0 == nil }) else { return }
      let matcher = PatternMatcher(patterns, report: report)
      for index in first..<extents.count where decisions[index] == nil {
        let item = text + Int(extents[index].start)
        guard let found = matcher.match(item, count: Int(extents[index].length)) else { continue }
        decisions[index] = decision(found)
      }
    }
  }

  /// Tells which patterns match each item of a batch, the most confident first: for analysis.
  package func forEachMatches(in batch: inout Batch, _ body: (_ item: Int, _ patterns: [PatternID]) -> Void) {
    if patterns.count == 0 { return }
    let matcher = PatternMatcher(patterns, report: report)
    batch.withStorage { text, extents, _ in
      for item in extents.indices {
        let found = matcher.matches(text + Int(extents[item].start), count: Int(extents[item].length))
        if !found.isEmpty { body(item, found.map { PatternID(rawValue: UInt16($0.pattern)) }) }
      }
    }
  }

  private func decision(_ found: PatternMatcher.Found) -> Decision {
    let pattern = taxonomy.patterns[found.pattern]
    var evidence = Evidence()
    evidence.pattern = PatternID(rawValue: UInt16(found.pattern))
    evidence.span = found.span
    evidence.rule = 0
    return Decision(section: pattern.section, confidence: pattern.confidence, evidence: evidence)
  }

  private func report(_ trouble: PatternTrouble, _ number: Int) { warn(trouble.finding(taxonomy.patterns[number])) }
}

/// Why a pattern abstains though it might match.
enum PatternTrouble {
  case broken(CompiledPattern.Fault)
  case limit(String)

  /// The trouble as a finding in the pattern's file.
  func finding(_ pattern: Pattern) -> Finding {
    let place = pattern.location
    switch self {
    case .broken(let fault):
      let isPlaced = place.column > 0
      return Finding(
        SourceLocation(path: place.path, line: place.line, column: isPlaced ? place.column + fault.offset : 0),
        "pattern `\(pattern.name)` is not a valid regular expression: \(fault.message)")
    case .limit(let message):
      return Finding(
        place,
        "pattern `\(pattern.name)` was abandoned on an item: \(message); rewrite it so that fewer parts can match in several ways"
      )
    }
  }
}
