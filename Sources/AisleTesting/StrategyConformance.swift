public import AisleCore

/// Checks that a strategy meets the requirements of `Strategy`.
///
/// It needs no test framework: it returns the failures as values, and any test runner can require that there are none.
///
/// ```swift
/// import AisleKit
/// import AisleTesting
/// import Testing
///
/// @Test func `my strategy conforms`() async throws {
///   let taxonomy = try #require(Taxonomy.builtIn("kroger"))
///   let failures = await StrategyConformance.check(MyStrategy(), taxonomy: taxonomy)
///   #expect(failures.isEmpty, "\(failures.map(\.description).joined(separator: "\n"))")
/// }
/// ```
///
/// A strategy that pays for each call may omit cases: `cases: Set(ConformanceCase.allCases).subtracting([.manyItems])`.
/// A strategy that crashes also ends the run, as it would end the tool. To find the case that crashes, run the cases one by
/// one.
public enum StrategyConformance {
  /// How long a strategy may take.
  public struct Limits: Sendable, Hashable {
    /// The longest that one call may take.
    public var call: Duration
    /// The longest that a call may continue after its task was cancelled.
    public var cancellation: Duration
    /// Approximately how long all cases together may take; a slower strategy is asked about fewer items. `nil` for all items,
    /// however long they take.
    public var budget: Duration?

    /// Makes limits; the defaults leave room for a busy machine and an unoptimized build.
    public init(call: Duration = .seconds(120), cancellation: Duration = .seconds(10), budget: Duration? = nil) {
      self.call = call
      self.cancellation = cancellation
      self.budget = budget
    }
  }

  /// Runs the cases and returns the failures, in the order of `ConformanceCase`; none if the strategy conforms.
  ///
  /// A fault is reported once if possible: an error that several cases hit is reported by the first of them, and a strategy with
  /// inconsistent answers is not called concurrently. After a call that does not return, the call is cancelled and abandoned, and
  /// the strategy is not called again.
  ///
  /// - Parameters:
  ///   - strategy: The strategy.
  ///   - taxonomy: The taxonomy that the strategy was made for. For the built-in strategies it is Kroger, as their examples are.
  ///   - cases: The cases to run.
  ///   - seed: The seed for shuffling the items.
  ///   - limits: How long a call may take, and all of them together.
  ///   - report: Is told about each case as it begins and ends.
  /// - Complexity: About 20,000 items are decided, and 10,000 more are started and cancelled.
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
