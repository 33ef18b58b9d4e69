package import AisleCore
package import AisleItems
package import LLMStrategy

/// A list whose items stand in sections, as it is checked.
package struct CheckedList {
  /// An item of the list.
  package struct Item {
    /// What the model is asked about.
    package let entry: ListChecker.Entry
    /// What whoever keeps the list calls the item; `nil` where it has no id.
    package let id: RecordFields.Value?
    /// Whether the list itself says where the item stands; else the chain decides.
    package let isGiven: Bool
  }

  /// The items that can be checked, in order.
  package private(set) var items: [Item] = []
  /// How many items cannot be checked: nothing could be learned about them.
  package private(set) var unfit = 0
  /// How many records were bad.
  package var faults = 0

  /// The longest item that a model is asked about, in bytes.
  private static let mostBytes = 512

  /// Makes a list without items.
  package init() {}

  /// What the model is asked about, in order.
  package var entries: [ListChecker.Entry] { items.map(\.entry) }

  /// The same items in the sections where they stand by now.
  package func decidedAnew(by chain: OpenedChain) async throws -> Self {
    var batch = Batch(items.map(\.entry.item), taxonomy: chain.taxonomy)
    try await Categorizer(taxonomy: chain.taxonomy, chain: chain.chain.chain).ask(&batch)
    var list = CheckedList()
    for (index, item) in items.enumerated() {
      list.add(batch, index, given: item.isGiven ? item.entry.section : nil, id: item.id)
    }
    return list
  }

  /// Adds an item of a batch; one of blanks is left out.
  ///
  /// - Parameters:
  ///   - given: Where the list says that it stands; else it stands in the section that was decided.
  ///   - id: What whoever keeps the list calls it.
  package mutating func add(_ batch: Batch, _ index: Int, given: String?, id: RecordFields.Value?) {
    let item = batch.item(index)
    if item.allSatisfy(\.isWhitespace) { return }
    if item.utf8.count > Self.mostBytes || item.utf8.contains(0) || Normalizer.normalize(item).isEmpty {
      unfit += 1
      return
    }
    let entry = ListChecker.Entry(
      item, section: given ?? batch.sectionName(at: index), isPlaced: given != nil || batch.decisions[index] != nil)
    items.append(Item(entry: entry, id: id, isGiven: given != nil))
  }

  /// What stands where: items in normalized form, with their sections.
  package var places: Set<[String]> { Set(items.map { Self.place($0.entry) }) }

  package static func place(_ entry: ListChecker.Entry) -> [String] {
    [Normalizer.normalize(entry.item), entry.isPlaced ? entry.section : ""]
  }

  /// What tells the list, and what it is checked by, from any other: the 64-bit FNV-1a hash of the items with their sections, sorted.
  ///
  /// - Parameter moves: Sections that items stand in instead, by their place in `items`.
  package func fingerprint(_ context: AnswerContext, moving moves: [Int: String] = [:]) -> String {
    var parts = items.enumerated().map { place, item in
      Self.place(moves[place].map { ListChecker.Entry(item.entry.item, section: $0) } ?? item.entry).joined(separator: "\t")
    }
    parts.sort()
    parts += [
      context.provider.rawValue, context.model, "\(context.promptVersion)", context.sections, "\(context.allowsNewSections)",
    ]
    return FNV1a.text(FNV1a.hash(parts.map { $0 + "\n" }.joined().utf8))
  }
}
