package import AisleCore
package import KeywordStrategy

#if Patterns
  import RegexStrategy
#endif
#if Model
  import ModelStrategy
#endif

/// A compiled-in store with all that its strategies are made from.
package struct OpenedStore: Sendable {
  package let taxonomy: Taxonomy
  package let keywords: KeywordStrategy

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

  /// Indexes a store.
  init(_ taxonomy: Taxonomy) {
    self.init(taxonomy, KeywordStrategy(taxonomy))
  }

  /// The links of the usual chain, without corrections.
  package func links(report: @escaping @Sendable (String) -> Void) -> [LocalChain.Link] {
    var links = [LocalChain.Link(keywords, threshold: UsualChain.keywordThreshold)]
    #if Model
      // It was trained on English titles.
      if taxonomy.isEnglish { links.append(LocalChain.Link(ModelStrategy(taxonomy))) }
    #endif
    #if Patterns
      links.append(LocalChain.Link(RegexStrategy(taxonomy) { report("\($0)") }, threshold: UsualChain.patternThreshold))
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
