import AisleCore
import Synchronization

/// Keeps count of the items that a strategy is asked about, decided ones too.
final class CountingStrategy: Strategy {
  private let strategy: any Strategy
  private let items = Atomic<Int>(0)

  init(_ strategy: any Strategy) { self.strategy = strategy }

  var metadata: StrategyMetadata { strategy.metadata }

  var count: Int { items.load(ordering: .relaxed) }

  func decide(_ batch: inout Batch) async throws {
    items.add(batch.count, ordering: .relaxed)
    try await strategy.decide(&batch)
  }
}

/// Puts items with an even number into a section of its own, though it is not sure of it.
struct InventiveStrategy: Strategy {
  let metadata = StrategyMetadata(id: "inventive", summary: "Invents a section.", rationale: "To test with.", examples: [])

  func decide(_ batch: inout Batch) async throws {
    for index in Array(batch.undecided) {
      guard let number = Int(batch.item(index).split(separator: " ").last ?? ""), number.isMultiple(of: 2) else { continue }
      let section = batch.sectionID(named: number < 5000 ? "Low" : "High")
      batch.decide(index, Decision(section: section, confidence: 0.5))
    }
  }
}
