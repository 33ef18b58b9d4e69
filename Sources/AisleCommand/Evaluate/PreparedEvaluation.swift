import AisleCatalog
import AisleCore
import AisleEvaluation
import AisleFiles

/// What an evaluation needs, read and checked.
struct PreparedEvaluation {
  let locator: StoreLocator
  let taxonomy: Taxonomy
  let corpus: Corpus
  let expectations: Expectations
  let chain: NamedChain
  let evaluator: Evaluator
  let paths: [String]

  /// The files of the corpus, of the stores, and of their languages.
  var inputs: [String] {
    WatchedFiles(locator: locator, corpus: paths, languages: taxonomy.languages.map(\.id)).inputs
  }
}
