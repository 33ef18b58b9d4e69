@_exported public import AisleCore
import KeywordStrategy

extension Categorizer {
  /// A categorizer for one of the compiled-in stores that needs no files and no network: what an app embeds.
  ///
  /// Make it once and keep it: making it takes a few milliseconds in a release build. It decides by keywords alone; the command's usual chain asks patterns too, and corrections where there are some.
  ///
  /// - Parameter store: A store's id; see `Taxonomy.builtInStores`.
  /// - Throws: `UnknownStore` for a store that is not compiled in.
  public static func offline(store: String = "kroger") throws(UnknownStore) -> Categorizer {
    guard let (taxonomy, keywords) = BuiltInStores.all.open(store) else {
      throw UnknownStore(store: store, known: Taxonomy.builtInStores)
    }
    return Categorizer(taxonomy: taxonomy, chain: Chain([Chain.Link(keywords)]))
  }
}

extension Taxonomy {
  /// The ids of the stores that are compiled in.
  public static var builtInStores: [String] { BuiltInStores.all.ids }

  /// A store that is compiled in; `nil` for any other id.
  public static func builtIn(_ store: String) -> Taxonomy? { BuiltInStores.all.open(store)?.taxonomy }
}

/// A store that is not compiled in.
public struct UnknownStore: Error, Sendable, Hashable, CustomStringConvertible {
  /// The store asked for.
  public let store: String
  /// The stores there are.
  public let known: [String]

  /// What is wrong and what to do, in one line.
  public var description: String {
    "unknown store `\(store)`\(DidYouMean.hint(store, among: known)); known: \(known.joined(separator: ", "))"
  }
}
