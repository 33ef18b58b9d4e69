import AisleCore
import AisleKit
import CAisle

/// A store that C has open.
final class OpenStore: Sendable {
  let taxonomy: Taxonomy
  let chain: LocalChain
  let sections: [Aisle.Section]
  let strategies: [StrategyMetadata]
  let names: Names
  private let places: ShelfPlaces
  private let workspaces = Guarded<[Workspace]>([])

  /// The texts that C may ask for.
  struct Names: Sendable {
    let store: CTexts
    let sections: CTexts
    let sectionIDs: CTexts
    let colors: CTexts
    let shelves: CTexts
    let strategies: CTexts
  }

  /// Makes a store ready to be asked: what is made when it is first needed is made now, so that no call later takes longer than others.
  init(_ opened: OpenedStore, first: [LocalChain.Link]) {
    taxonomy = opened.taxonomy
    sections = Aisle.Section.all(of: taxonomy)
    chain = LocalChain(first + opened.links { _ in }, policy: UsualChain.policy, of: taxonomy)
    strategies = chain.links.map(\.strategy.metadata)
    places = ShelfPlaces(taxonomy)
    names = Names(
      store: CTexts([taxonomy.store, taxonomy.name]), sections: CTexts(sections.map(\.name)),
      sectionIDs: CTexts(sections.map(\.id)),
      colors: CTexts(sections.map(\.color.rawValue)), shelves: CTexts(taxonomy.shelves.map(\.name)),
      strategies: CTexts(strategies.map(\.id)))
  }

  // MARK: Answers

  /// What C is told about an item.
  @inline(__always)
  func answer(_ decision: Decision?) -> aisle_answer {
    guard let decision else {
      return aisle_answer(section: Int16(taxonomy.fallback.rawValue), strategy: -1, shelf: -1, confidence: 0)
    }
    return aisle_answer(
      section: Int16(truncatingIfNeeded: decision.section.rawValue),
      strategy: decision.strategy.map { Int16($0.rawValue) } ?? -1, shelf: places.shelf(of: decision),
      confidence: decision.confidence)
  }

  /// Where one item belongs.
  func categorize(_ item: UnsafeBufferPointer<UInt8>) -> aisle_answer {
    let work = workspaces.withLock { $0.popLast() } ?? Workspace(chain)
    defer { workspaces.withLock { if $0.count < Self.kept { $0.append(work) } } }
    return work.answer(UnsafeBufferPointer(rebasing: item.prefix(Self.readBytes)), self)
  }

  /// Where one item belongs and why, as JSON.
  func explain(_ item: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var batch = Batch(taxonomy: taxonomy)
    batch.append(item)
    chain.decide(&batch)
    return Answer(0, in: batch, sections: sections, strategies: strategies).json
  }

  /// How much of an item is copied: no strategy reads more of it, and one that minds how long it is calls this long.
  static let readBytes = 2 * Words.maximumBytes

  /// A batch for one item and a worker of the chain, which keep their memory.
  ///
  /// Unchecked, since only one call has it at a time.
  private final class Workspace: @unchecked Sendable {
    private var batch: Batch
    private let worker: LocalChain.Worker
    private let memo = AnswerMemo()

    init(_ chain: LocalChain) {
      batch = Batch(taxonomy: chain.taxonomy)
      worker = LocalChain.Worker(chain)
    }

    func answer(_ item: UnsafeBufferPointer<UInt8>, _ store: OpenStore) -> aisle_answer {
      memo.answer(item) {
        batch.setItem(item)
        worker.decide(&batch)
        return store.answer(batch.decisions[0])
      }
    }
  }

  /// More workspaces than that are not kept.
  private static let kept = 64
}

// MARK: What C holds

extension OpenStore {
  /// What C gets for a store; `close` takes it back.
  func handle() -> OpaquePointer { OpaquePointer(Unmanaged.passRetained(self).toOpaque()) }

  /// Does something with the store that C holds, without counting references, which threads would wait for each other over.
  @inline(__always)
  static func with<Result>(_ handle: OpaquePointer, _ body: (OpenStore) -> Result) -> Result {
    Unmanaged<OpenStore>.fromOpaque(UnsafeRawPointer(handle))._withUnsafeGuaranteedRef(body)
  }

  static func close(_ handle: OpaquePointer) { Unmanaged<OpenStore>.fromOpaque(UnsafeRawPointer(handle)).release() }
}
