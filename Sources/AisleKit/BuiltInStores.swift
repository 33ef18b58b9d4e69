import AisleCore
package import KeywordStrategy

/// The stores that are compiled in.
///
/// Their shelves are kept and indexed once, by the build; a store is made from them by its layout when it is opened. Unpacking costs about
/// a millisecond, once, and a store as much again, in a release build.
package struct BuiltInStores: Sendable {
  /// The stores.
  package static let all = BuiltInStores()

  private let layouts: [StoreLayout]
  private let taxonomy: Taxonomy
  private let keywords: KeywordStrategy

  private init() {
    let memory = EmbeddedStores.image.withUTF8Buffer { PackedText.read($0) }
    let blocks = JoinedBlocks.places(in: memory)
    let count = EmbeddedStores.texts.utf8CodeUnitCount
    let texts = FlatTable<UInt8>(FlatMemory(EmbeddedStores.texts.utf8Start, count: count) { _, _ in }, at: 0, count: count)
    guard let last = blocks.last,
      let taxonomy = Taxonomy(image: memory, blocks: Array(blocks.prefix(Taxonomy.blockCount)), texts: texts),
      let keywords = KeywordStrategy(
        taxonomy, image: memory, blocks: Array(blocks[Taxonomy.blockCount...].dropLast()),
        slips: { EmbeddedStores.slips.withUTF8Buffer { PackedText.read($0) } })
    else { preconditionFailure("the compiled-in stores are not what this version reads; rebuild it") }
    layouts = StoreLayout.read(UnsafeRawBufferPointer(start: memory.start + last.lowerBound, count: last.count))
    self.taxonomy = taxonomy
    self.keywords = keywords
  }

  /// The stores' ids, sorted.
  package var ids: [String] { layouts.map(\.store) }

  /// A store with its keywords ready to be asked; `nil` for one that is not there.
  ///
  /// - Complexity: O(keywords); about a millisecond in a release build.
  package func open(_ store: String) -> (taxonomy: Taxonomy, keywords: KeywordStrategy)? {
    placed(store).map { ($0.taxonomy, KeywordStrategy($0.taxonomy, sharing: keywords, places: $0.places)) }
  }

  /// A store without an index of its keywords; `nil` for one that is not there.
  ///
  /// - Complexity: O(keywords).
  package func taxonomy(of store: String) -> Taxonomy? { placed(store)?.taxonomy }

  private func placed(_ store: String) -> (taxonomy: Taxonomy, places: ContiguousArray<PlacedPart>)? {
    guard let layout = layouts.first(where: { $0.store == store }) else { return nil }
    var places: ContiguousArray<PlacedPart> = []
    return (Taxonomy(taxonomy, laidOut: layout, places: &places), places)
  }
}
