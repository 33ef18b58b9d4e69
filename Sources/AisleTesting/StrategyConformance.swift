public import AisleCore

/// Checks that a strategy keeps the promises that `Strategy` lists.
///
/// It needs no test framework: it gives the failures as values, and any runner can say that there should be none.
///
/// ```swift
/// import AisleKit
/// import AisleTesting
/// import Testing
///
/// @Test func `my strategy is a proper strategy`() async throws {
///   let taxonomy = try #require(Taxonomy.builtIn("kroger"))
///   let failures = await StrategyConformance.check(MyStrategy(), taxonomy: taxonomy)
///   #expect(failures.isEmpty, "\(failures.map(\.description).joined(separator: "\n"))")
/// }
/// ```
///
/// A strategy that pays for each call may leave cases out: `cases: Set(ConformanceCase.allCases).subtracting([.manyItems])`.
/// A strategy that crashes takes the run with it, as it would take the tool; the last case that began is not known then, so run the
/// cases one by one to find it.
public enum StrategyConformance {
  /// How long a strategy may take.
  public struct Limits: Sendable, Hashable {
    /// The longest that one call may take.
    public var call: Duration
    /// The longest that a call may go on after its task was cancelled.
    public var cancellation: Duration
    /// About how long all cases may take together: a strategy too slow for it is asked about fewer items. `nil` for all items,
    /// however long they take.
    public var budget: Duration?

    /// Makes limits; the defaults leave room for a busy machine and an unoptimized build.
    public init(call: Duration = .seconds(120), cancellation: Duration = .seconds(10), budget: Duration? = nil) {
      self.call = call
      self.cancellation = cancellation
      self.budget = budget
    }
  }

  /// Runs the cases and gives what failed, in the order of `ConformanceCase`; nothing when the strategy keeps its promises.
  ///
  /// One fault is reported once where it can be: an error that several cases meet is reported by the first of them, a strategy that
  /// gives two answers to one question is not asked by several tasks, and after a call that does not come back nothing more is asked
  /// of the strategy. Such a call is left behind, cancelled.
  ///
  /// - Parameters:
  ///   - strategy: The strategy.
  ///   - taxonomy: The taxonomy that the strategy was made for. For the built-in strategies it is Kroger, as their examples are.
  ///   - cases: The cases to run.
  ///   - seed: What the order of the items is shuffled by.
  ///   - limits: How long a call may take, and all of them together.
  ///   - report: Is told of each case as it begins and ends.
  /// - Complexity: about 20,000 items are decided, and 10,000 more are begun on and cancelled.
  public static func check(
    _ strategy: any Strategy, taxonomy: Taxonomy, cases: Set<ConformanceCase> = Set(ConformanceCase.allCases), seed: UInt64 = 1,
    limits: Limits = Limits(), report: @escaping @Sendable (ConformanceEvent) -> Void = { _ in }
  ) async -> [ConformanceFailure] {
    var check = ConformanceCheck(strategy, taxonomy, seed: seed, limits: limits)
    for conformanceCase in ConformanceCase.allCases where cases.contains(conformanceCase) && !check.isHanging {
      report(.began(conformanceCase))
      if let scale = await check.keepToBudget(before: conformanceCase) { report(.reduced(scale)) }
      await check.run(conformanceCase)
      report(.finished(conformanceCase, check.failures.filter { $0.conformanceCase == conformanceCase }))
    }
    return check.failures
  }
}
