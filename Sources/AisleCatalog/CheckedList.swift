package import AisleCore
package import LLMStrategy

/// A list whose items stand in sections, as it is checked.
package struct CheckedList {
  /// The items that can be checked, in order.
  package private(set) var entries: [ListChecker.Entry] = []
  /// How many items cannot be checked: nothing could be learned about them.
  package private(set) var unfit = 0
  /// How many records were bad.
  package var faults = 0

  /// The longest item that a model is asked about, in bytes.
  private static let mostBytes = 512

  /// Makes a list without items.
  package init() {}

  /// The same items in the sections where they stand by now.
  package func decidedAnew(by chain: OpenedChain) async throws -> Self {
    var batch = Batch(entries.map(\.item), taxonomy: chain.taxonomy)
    try await Categorizer(taxonomy: chain.taxonomy, chain: chain.chain.chain).ask(&batch)
    var list = CheckedList()
    for index in 0..<batch.count { list.add(batch, index) }
    return list
  }

  /// Adds an item of a batch in the section that was decided.
  package mutating func add(_ batch: Batch, _ index: Int) {
    add(batch.item(index), batch.sectionName(at: index), isPlaced: batch.decisions[index] != nil)
  }

  /// Adds an item in its section; one of blanks is left out.
  ///
  /// - Parameter isPlaced: Whether it stands there for a reason, not because nothing has decided it.
  package mutating func add(_ item: String, _ section: String, isPlaced: Bool = true) {
    if item.allSatisfy(\.isWhitespace) { return }
    if item.utf8.count > Self.mostBytes || item.utf8.contains(0) || Normalizer.normalize(item).isEmpty {
      unfit += 1
    } else {
      entries.append(ListChecker.Entry(item, section: section, isPlaced: isPlaced))
    }
  }

  /// What stands where: items in normalized form, with their sections.
  package var places: Set<[String]> { Set(entries.map { Self.place($0.item, $0.section) }) }

  package static func place(_ item: String, _ section: String) -> [String] { [Normalizer.normalize(item), section] }

  /// What tells the list, and what it is checked by, from any other: the 64-bit FNV-1a hash of the items with their sections, sorted.
  ///
  /// - Parameter moves: Sections that items stand in instead, by their place in `entries`.
  package func fingerprint(_ context: AnswerContext, moving moves: [Int: String] = [:]) -> String {
    var parts = entries.enumerated().map { Self.place($1.item, moves[$0] ?? $1.section).joined(separator: "\t") }
    parts.sort()
    parts += [
      context.provider.rawValue, context.model, "\(context.promptVersion)", context.sections, "\(context.allowsNewSections)",
    ]
    return FNV1a.text(FNV1a.hash(parts.map { $0 + "\n" }.joined().utf8))
  }
}
