import AisleCore
import Dispatch
import Synchronization
import Testing

/// Where strategies run when the main actor asks: an app's screen must not wait for a program or a language model.
@Suite struct CallerActorTests {
  /// Notes whether it runs on the main queue, where the main actor's work is done.
  private final class Whereabouts: Strategy {
    let metadata = StrategyMetadata(id: "where", summary: "s", rationale: "r", examples: [])
    private let seen = Mutex<[Bool]>([])

    /// For each call, whether it was there.
    var wasOnMain: [Bool] { seen.withLock { $0 } }

    func decide(_ batch: inout Batch) async throws {
      let isMain = Self.isMain()
      seen.withLock { $0.append(isMain) }
    }

    private static let mark = DispatchSpecificKey<Bool>()

    init() { DispatchQueue.main.setSpecific(key: Self.mark, value: true) }

    private static func isMain() -> Bool { DispatchQueue.getSpecific(key: mark) ?? false }
  }

  @Test @MainActor func `a categorizer and a chain leave the main actor`() async throws {
    let strategy = Whereabouts()
    let chain = Chain([Chain.Link(strategy)])
    let categorizer = try Categorizer(taxonomy: SmallStore.taxonomy, chain: chain)
    _ = try await categorizer.categorize("milk")
    _ = try await categorizer.categorize(["milk", "kale"])
    var batch = Batch(["milk"], taxonomy: SmallStore.taxonomy)
    try await categorizer.categorize(&batch)
    try await chain.decide(&batch)
    #expect(strategy.wasOnMain == [false, false, false, false])
    // What shows that it would be noticed.
    try await strategy.decide(&batch)
    #expect(strategy.wasOnMain.last == true)
  }
}
