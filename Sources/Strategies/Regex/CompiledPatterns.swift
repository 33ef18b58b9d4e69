import AisleCore
import Synchronization

/// A taxonomy's patterns, indexed and compiled when an item needs them; all threads share it.
final class CompiledPatterns: Sendable {
  let limits: RegexLimits
  private let patterns: [Pattern]
  private let states: Guarded<[State]>
  private let isFiltering: Bool
  private let madeIndex = AtomicLazyReference<PatternIndex>()

  private struct State {
    var compiled: CompiledPattern?
    var isBroken = false
    var isReported = false
  }

  init(_ patterns: [Pattern], limits: RegexLimits, isFiltering: Bool = true) {
    self.patterns = patterns
    self.limits = limits
    self.isFiltering = isFiltering
    states = Guarded(Array(repeating: State(), count: patterns.count))
  }

  /// The patterns' index, made when it is first asked for.
  var index: PatternIndex { madeIndex.load() ?? madeIndex.storeIfNil(PatternIndex(patterns, isFiltering: isFiltering)) }

  /// How many there are.
  var count: Int { patterns.count }

  /// The place in the taxonomy of the pattern of a rank.
  func place(_ rank: Int) -> Int { index.places[rank] }

  /// The pattern of a rank, compiled; `nil` where it cannot be, which is reported once.
  func compiled(_ rank: Int, report: (PatternTrouble, Int) -> Void) -> CompiledPattern? {
    var fault: CompiledPattern.Fault?
    let compiled = states.withLock { states -> CompiledPattern? in
      if states[rank].isBroken { return nil }
      if let known = states[rank].compiled { return known }
      do throws(CompiledPattern.Fault) {
        let new = try CompiledPattern(
          patterns[place(rank)].expression, maximumBytes: Pattern.maximumBytes, isJustInTime: limits.isJustInTime)
        states[rank].compiled = new
        return new
      } catch {
        states[rank].isBroken = true
        fault = error
        return nil
      }
    }
    if let fault { report(.broken(fault), place(rank)) }
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
