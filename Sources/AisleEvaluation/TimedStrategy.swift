import AisleCore
import Synchronization

/// A strategy that keeps count of the time it takes.
final class TimedStrategy: Strategy {
  private let strategy: any Strategy
  private let nanoseconds = Atomic<Int64>(0)

  init(_ strategy: any Strategy) { self.strategy = strategy }

  var metadata: StrategyMetadata { strategy.metadata }
  var boundTaxonomy: Taxonomy? { strategy.boundTaxonomy }

  /// The time that it took so far, all calls together, in seconds.
  var seconds: Double { Double(nanoseconds.load(ordering: .relaxed)) / 1e9 }

  func decide(_ batch: inout Batch) async throws {
    let start = ContinuousClock.now
    try await strategy.decide(&batch)
    let parts = (ContinuousClock.now - start).components
    nanoseconds.wrappingAdd(parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000, ordering: .relaxed)
  }
}
