import AisleCore
import Synchronization

/// A taxonomy's patterns, the most confident first, with what tells soon that one cannot match, each compiled when it is needed.
final class RankedPatterns: Sendable {
  /// How many there are.
  let count: Int
  /// Says which may match; patterns go by their rank.
  let prefilter: Prefilter
  /// The places in the taxonomy, by rank.
  let places: [Int]
  private let expressions: [String]
  private let states: Mutex<[State]>

  private struct State {
    var compiled: CompiledPattern?
    var isBroken = false
    var isReported = false
  }

  init(_ patterns: [Pattern]) {
    count = patterns.count
    // The sort is stable: among equals the earlier comes first.
    let ranked = patterns.indices.sorted { (-patterns[$0].confidence, $0) < (-patterns[$1].confidence, $1) }
    places = ranked
    expressions = ranked.map { patterns[$0].expression }
    prefilter = Prefilter(expressions.map { ExpressionReader.requirement(of: $0) })
    states = Mutex(Array(repeating: State(), count: patterns.count))
  }

  /// The pattern of a rank, compiled; `nil` where it cannot be, which is reported once.
  func compiled(_ rank: Int, _ limits: RegexLimits, report: (PatternTrouble, Int) -> Void) -> CompiledPattern? {
    var fault: CompiledPattern.Fault?
    let compiled = states.withLock { states -> CompiledPattern? in
      if states[rank].isBroken { return nil }
      if let known = states[rank].compiled { return known }
      do throws(CompiledPattern.Fault) {
        let new = try CompiledPattern(
          expressions[rank], maximumBytes: Pattern.maximumBytes, isJustInTime: limits.isJustInTime)
        states[rank].compiled = new
        return new
      } catch {
        states[rank].isBroken = true
        fault = error
        return nil
      }
    }
    if let fault { report(.broken(fault), places[rank]) }
    return compiled
  }

  /// Whether a limit that a pattern hit is the first.
  func isFirstLimit(_ rank: Int) -> Bool {
    states.withLock { states in
      defer { states[rank].isReported = true }
      return !states[rank].isReported
    }
  }
}
