import AisleCore
import Synchronization

/// A strategy that remembers what it answered to the last batch that it was asked about.
///
/// As a chain's first it is asked for every item, so nobody needs to ask it again to know what it says alone.
final class RecordingStrategy: Strategy {
  private let strategy: any Strategy
  private let recorded = Mutex<ContiguousArray<SectionID?>>([])

  init(_ strategy: any Strategy) { self.strategy = strategy }

  var metadata: StrategyMetadata { strategy.metadata }
  var boundTaxonomy: Taxonomy? { strategy.boundTaxonomy }

  /// A section for each item of the last batch; `nil` where it abstained.
  var sections: ContiguousArray<SectionID?> { recorded.withLock { $0 } }

  func decide(_ batch: inout Batch) async throws {
    try await strategy.decide(&batch)
    let sections = ContiguousArray(batch.decisions.lazy.map { $0?.section })
    recorded.withLock { $0 = sections }
  }
}
