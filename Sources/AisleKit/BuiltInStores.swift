public import AisleCore
import KeywordStrategy

/// The stores that are compiled in.
///
/// Their shelves are kept and indexed once, by the build; a store is made from them by its layout when it is opened. Unpacking costs about
/// a millisecond, once, and a store as much again, in a release build.
package struct BuiltInStores: Sendable {
  /// The stores.
  package static let all = BuiltInStores()

  private let layouts: [StoreLayout]
  private let taxonomy: Taxonomy
  private let index: SharedIndex
  /// Where the keywords of the shared sections begin.
  private let starts: FlatTable<UInt32>

  private init() {
    let memory = PackedText.read(EmbeddedStores.image)
    var blocks = JoinedBlocks.places(in: memory)
    let (layouts, starts) = (blocks.popLast() ?? 0..<0, blocks.popLast() ?? 0..<0)
    let count = EmbeddedStores.texts.utf8CodeUnitCount
    let texts = FlatTable<UInt8>(FlatMemory(EmbeddedStores.texts.utf8Start, count: count) { _, _ in }, at: 0, count: count)
    self.starts = FlatTable(memory, at: starts.lowerBound, count: starts.count / MemoryLayout<UInt32>.stride)
    let keywordCount = Int(self.starts.last ?? 0)
    let beside = Taxonomy.Embedded(texts: texts, count: keywordCount) { PackedText.read(EmbeddedStores.rows) }
    guard let taxonomy = Taxonomy(image: memory, blocks: Array(blocks.prefix(Taxonomy.blockCount)), beside: beside),
      let index = SharedIndex(
        image: memory, blocks: Array(blocks.dropFirst(Taxonomy.blockCount)), words: EmbeddedStores.words,
        phrases: EmbeddedStores.phrases, slips: EmbeddedStores.slips)
    else { preconditionFailure("the compiled-in stores are not what this version reads; rebuild it") }
    self.layouts = StoreLayout.read(UnsafeRawBufferPointer(start: memory.start + layouts.lowerBound, count: layouts.count))
    self.taxonomy = taxonomy
    self.index = index
  }

  /// The stores' ids, sorted. To ask for them unpacks nothing.
  package static let ids = words(EmbeddedStores.ids)

  /// The ids of stores that come with aisle and are not compiled in, since their lists are in other languages.
  package static let elsewhere = words(EmbeddedStores.elsewhere)

  private static func words(_ text: StaticString) -> [String] { text.description.split(separator: " ").map(String.init) }

  /// A store with its keywords ready to be asked; `nil` for one that is not there.
  ///
  /// - Complexity: O(keywords); half a millisecond in a release build.
  package func open(_ store: String) -> OpenedStore? {
    placed(store).map { OpenedStore($0.taxonomy, KeywordStrategy($0.taxonomy, sharing: index, places: $0.places)) }
  }

  /// A store without an index of its keywords; `nil` for one that is not there.
  package func taxonomy(of store: String) -> Taxonomy? { placed(store)?.taxonomy }

  private func placed(_ store: String) -> (taxonomy: Taxonomy, places: ContiguousArray<PlacedPart>)? {
    guard let layout = layouts.first(where: { $0.store == store }) else { return nil }
    var places: ContiguousArray<PlacedPart> = []
    return (Taxonomy(taxonomy, laidOut: layout, starts: starts, places: &places), places)
  }
}

extension Taxonomy {
  /// The ids of the stores that are compiled in.
  public static var builtInStores: [String] { BuiltInStores.ids }

  /// A store that is compiled in; `nil` for any other id.
  public static func builtIn(_ store: String) -> Taxonomy? { BuiltInStores.all.taxonomy(of: store) }
}
