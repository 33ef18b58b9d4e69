@_exported public import AisleCore
import Dispatch

#if Corrections
  import LearnedStrategy
#endif

/// Says which section of a store an item belongs to: what an app makes once, keeps, and asks from any thread.
///
/// ```swift
/// let aisle = try Aisle(store: "kroger", corrections: file)
/// let answer = aisle.categorize("2 lbs chicken thighs")
/// try aisle.correct("oat milk", to: "Snacks", by: "jane")
/// ```
///
/// It decides as the command does: by people's corrections, or else by keywords, patterns, and a trained model together, as far as the
/// package's traits include them. All of that happens on this machine, so a call takes microseconds, needs no `await`, and never fails. For
/// programs and language models there is `Categorizer`.
public final class Aisle: Sendable {
  /// The store with its sections and shelves.
  public let taxonomy: Taxonomy
  /// The store's sections, in walking order.
  public let sections: [Section]
  private let local: LocalChain
  private let strategies: [StrategyMetadata]
  /// The strategies that it asks, for a chain of your own with slower ones after them: see `Categorizer`.
  public var chain: Chain { local.chain }
  private let workspaces = Guarded<[Workspace]>([])

  #if Corrections
    /// The corrections; `nil` where there are to be none.
    let learned: LiveLearnedStrategy?
    /// Takes lines for people.
    let report: @Sendable (String) -> Void
  #endif

  /// A section of the store, with an id to keep in a database.
  public struct Section: Sendable, Hashable, Identifiable {
    /// The id: it stays the same when sections are added or change places. See `Taxonomy.stableSectionIDs`.
    public let id: String
    /// The name as people read it.
    public let name: String
    /// The hue that the section is shown in.
    public let color: SectionColor

    /// A store's sections, in walking order.
    package static func all(of taxonomy: Taxonomy) -> [Section] {
      zip(taxonomy.stableSectionIDs, taxonomy.sections).map { Section(id: $0, name: $1.name, color: $1.color) }
    }
  }

  /// Opens a compiled-in store, without corrections.
  ///
  /// - Parameters:
  ///   - store: The store's id; see `Taxonomy.builtInStores`.
  ///   - report: Receives warnings to show people; called from any thread.
  /// - Throws: `UnknownStore` for a store that is not compiled in.
  public convenience init(
    store: String = "kroger", report: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(UnknownStore) {
    self.init(try OpenedStore.open(store), report: report)
  }

  /// Uses a store of your own, without corrections.
  ///
  /// - Complexity: O(bytes of all keywords), which are indexed.
  public convenience init(taxonomy: Taxonomy, report: @escaping @Sendable (String) -> Void = { _ in }) {
    self.init(OpenedStore(taxonomy), report: report)
  }

  private convenience init(_ opened: OpenedStore, report: @escaping @Sendable (String) -> Void) {
    #if Corrections
      self.init(opened, learned: nil, report: report)
    #else
      self.init(opened, first: [], report: report)
    #endif
  }

  #if Corrections
    init(_ opened: OpenedStore, learned: LiveLearnedStrategy?, report: @escaping @Sendable (String) -> Void) {
      let first = learned.map { [LocalChain.Link($0)] } ?? []
      (taxonomy, sections, local, strategies) = Self.parts(opened, first, report)
      self.learned = learned
      self.report = report
    }
  #else
    private init(_ opened: OpenedStore, first: [LocalChain.Link], report: @escaping @Sendable (String) -> Void) {
      (taxonomy, sections, local, strategies) = Self.parts(opened, first, report)
    }
  #endif

  private static func parts(
    _ opened: OpenedStore, _ first: [LocalChain.Link], _ report: @escaping @Sendable (String) -> Void
  ) -> (Taxonomy, [Section], LocalChain, [StrategyMetadata]) {
    let taxonomy = opened.taxonomy
    let sections = Section.all(of: taxonomy)
    let chain = LocalChain(first + opened.links(report: report), policy: UsualChain.policy, of: taxonomy)
    return (taxonomy, sections, chain, chain.links.map(\.strategy.metadata))
  }

  // MARK: Categorizing

  /// Where an item belongs.
  public func categorize(_ item: String) -> Answer {
    let work = workspaces.withLock { $0.popLast() } ?? Workspace(local)
    defer { giveBack(work) }
    return work.answer(item, self)
  }

  /// Where items belong, in their order, decided on all cores where there are many.
  public func categorize(_ items: [String]) -> [Answer] {
    let pieces = (items.count + Self.piece - 1) / Self.piece
    if pieces < 2 { return answers(items[...]) }
    let answers = Guarded<[[Answer]]>(Array(repeating: [], count: pieces))
    DispatchQueue.concurrentPerform(iterations: pieces) { place in
      let part = self.answers(items[place * Self.piece..<min((place + 1) * Self.piece, items.count)])
      answers.withLock { $0[place] = part }
    }
    return answers.withLock { $0.flatMap(\.self) }
  }

  /// How many items are worth another thread.
  private static let piece = 256

  private func answers(_ items: ArraySlice<String>) -> [Answer] {
    var batch = Batch(items, taxonomy: taxonomy)
    local.decide(&batch)
    return (0..<batch.count).map { Answer($0, in: batch, sections: sections, strategies: strategies) }
  }

  // MARK: Workspaces

  /// A batch for one item and a worker of the chain, which keep their memory.
  ///
  /// Unchecked, since only one call has it at a time.
  private final class Workspace: @unchecked Sendable {
    private var batch: Batch
    private let worker: LocalChain.Worker

    init(_ chain: LocalChain) {
      batch = Batch(taxonomy: chain.taxonomy)
      worker = LocalChain.Worker(chain)
    }

    func answer(_ item: String, _ aisle: Aisle) -> Answer {
      var item = item
      batch.removeAll()
      item.withUTF8 { batch.append($0) }
      worker.decide(&batch)
      return Answer(0, in: batch, sections: aisle.sections, strategies: aisle.strategies)
    }

    /// Whether it is worth keeping: one long item must not hold its memory forever.
    var isSmall: Bool { batch.text.count < 4096 }
  }

  /// More workspaces than that are not kept.
  private static let kept = 64

  private func giveBack(_ work: Workspace) {
    if work.isSmall { workspaces.withLock { if $0.count < Self.kept { $0.append(work) } } }
  }
}
