public import AisleCore
public import AisleEvaluation
public import AisleFiles

/// The items for tuning keywords: those of a corpus, and those that people corrected.
///
/// Corrections belong to the tune split, whatever their words.
public struct TuningItems: Sendable {
  /// An item with its correct sections.
  public struct Item: Sendable {
    /// The location of its bytes.
    public let extent: Batch.Extent
    /// The correct sections, best first.
    public let accepted: [SectionID]
    /// The shelf that its best label names; `nil` if that is a section.
    public let shelf: ShelfID?
    /// The part of the corpus that it is in.
    public let split: Corpus.Split
    /// Whether a person corrected it.
    public let isCorrection: Bool
  }

  /// The items.
  public private(set) var items: [Item] = []
  private var text: [UInt8]

  /// Makes a list of the corpus items that have a section in a store.
  public init(_ corpus: Corpus, _ expectations: Expectations, entries: [UInt32], taxonomy: Taxonomy) {
    text = corpus.text
    let shelves = corpus.labels.map { labels in labels.first.flatMap { taxonomy.shelf(named: $0) } }
    for place in entries {
      let entry = corpus.entries[Int(place)]
      items.append(
        Item(
          extent: entry.item, accepted: expectations.accepted[Int(entry.labels)], shelf: shelves[Int(entry.labels)],
          split: entry.split, isCorrection: false))
    }
  }

  /// Adds corrected items.
  public mutating func addCorrection(_ item: String, section: SectionID, shelf: ShelfID?) {
    let start = text.count - Batch.padding
    text.replaceSubrange(start..., with: item.utf8)
    let extent = Batch.Extent(start: UInt32(start), length: UInt32(text.count - start))
    text.append(contentsOf: repeatElement(0, count: Batch.padding))
    items.append(Item(extent: extent, accepted: [section], shelf: shelf, split: .tune, isCorrection: true))
  }

  /// An item as text.
  public func text(_ item: Int) -> String {
    let extent = items[item].extent
    return String(decoding: text[Int(extent.start)..<Int(extent.start) + Int(extent.length)], as: UTF8.self)
  }

  /// Whether a section is right for an item.
  public func isRight(_ section: SectionID, for item: Int) -> Bool { items[item].accepted.contains(section) }

  /// A batch of all items.
  func batch(_ taxonomy: Taxonomy) -> Batch {
    var batch = Batch(taxonomy: taxonomy)
    batch.setItems(text: text, extents: ContiguousArray(items.map(\.extent)))
    return batch
  }

  /// The chain's answer to each item.
  ///
  /// - Throws: Whatever a strategy throws.
  public func answers(of chain: NamedChain, _ taxonomy: Taxonomy) async throws -> [SectionID] {
    try await decisions(of: chain, taxonomy).map { $0?.section ?? taxonomy.fallback }
  }

  func decisions(of chain: NamedChain, _ taxonomy: Taxonomy) async throws -> ContiguousArray<Decision?> {
    var batch = batch(taxonomy)
    try await chain.chain.ask(&batch)
    return batch.decisions
  }
}
