package import AisleCore
package import KeywordStrategy

#if Patterns
  import RegexStrategy
#endif
#if Model
  import ModelStrategy
#endif

/// A store with all that its strategies are made from.
package struct OpenedStore: Sendable {
  package let taxonomy: Taxonomy
  package let keywords: KeywordStrategy
  #if Model
    /// The model trained for it; `nil` for the compiled-in one.
    private var model: ShelfModel?
  #endif

  /// Opens a compiled-in store.
  ///
  /// - Throws: `UnknownStore` for a store that is not compiled in.
  package static func open(_ store: String) throws(UnknownStore) -> OpenedStore {
    guard let opened = BuiltInStores.all.open(store) else {
      throw UnknownStore(store: store, known: Taxonomy.builtInStores)
    }
    return opened
  }

  package init(_ taxonomy: Taxonomy, _ keywords: KeywordStrategy) { (self.taxonomy, self.keywords) = (taxonomy, keywords) }

  /// Takes up a packed store: the blocks of a taxonomy, of its keywords' index, and perhaps of its trained model, as `aisle stores pack`
  /// writes them; `nil` where they are none.
  package init?(packed memory: FlatMemory, blocks: [Range<Int>]) {
    let (index, model) = (Taxonomy.blockCount, Taxonomy.blockCount + KeywordStrategy.blockCount)
    guard model...model + 1 ~= blocks.count, let taxonomy = Taxonomy(image: memory, blocks: Array(blocks[..<index])),
      let keywords = KeywordStrategy(taxonomy, image: memory, blocks: Array(blocks[index..<model]))
    else { return nil }
    self.init(taxonomy, keywords)
    #if Model
      if blocks.count > model {
        let text = FlatTable<UInt8>(memory, at: blocks[model].lowerBound, count: blocks[model].count)
        do { self.model = try ShelfModel(text) } catch { return nil }
      }
    #endif
  }

  /// Indexes a store.
  init(_ taxonomy: Taxonomy) {
    self.init(taxonomy, KeywordStrategy(taxonomy))
  }

  /// The links of the usual chain, without corrections.
  package func links(report: @escaping @Sendable (String) -> Void) -> [LocalChain.Link] {
    var links = [LocalChain.Link(keywords, threshold: UsualChain.keywordThreshold)]
    #if Model
      if taxonomy.isEnglish { links.append(LocalChain.Link(ModelStrategy(taxonomy, model: model))) }
    #endif
    #if Patterns
      links.append(LocalChain.Link(RegexStrategy(taxonomy) { report("\($0)") }, threshold: UsualChain.patternThreshold))
    #endif
    #if Model
      // The compiled-in one knows English.
      if !taxonomy.isEnglish, let model { links.append(LocalChain.Link(ModelStrategy(taxonomy, model: model))) }
    #endif
    return links
  }
}

/// The usual chain: how sure its strategies must be, and how one decision is chosen among them.
package enum UsualChain {
  package static let keywordThreshold: Float = 0.85
  package static let patternThreshold: Float = 0.8
  /// The chain as it is written, without corrections.
  package static let text = "keyword>=\(keywordThreshold),model,regex>=\(patternThreshold)"
  /// The chain without the model.
  package static let textWithoutModel = "keyword>=\(keywordThreshold),regex>=\(patternThreshold)"
  /// How one decision is chosen.
  package static let policy = Chain.Policy.weigh
}
