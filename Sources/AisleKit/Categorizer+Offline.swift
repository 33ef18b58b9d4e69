@_exported public import AisleCore

extension Categorizer {
  /// A categorizer for one of the compiled-in stores that needs no files and no network.
  ///
  /// Make it once and keep it. It decides by keywords alone; `Aisle` also asks patterns and corrections, as the command does.
  ///
  /// - Parameter store: A store's id; see `Taxonomy.builtInStores`.
  /// - Throws: `UnknownStore` for a store that is not compiled in.
  public static func offline(store: String = "kroger") throws(UnknownStore) -> Categorizer {
    let opened = try OpenedStore.open(store)
    return Categorizer(LocalChain([LocalChain.Link(opened.keywords)], of: opened.taxonomy))
  }
}

extension Taxonomy {
  /// The ids of the stores that are compiled in.
  public static var builtInStores: [String] { BuiltInStores.ids }

  /// A store that is compiled in; `nil` for any other id.
  public static func builtIn(_ store: String) -> Taxonomy? { BuiltInStores.all.taxonomy(of: store) }
}

/// A store that is not compiled in.
public struct UnknownStore: Error, Sendable, Hashable, CustomStringConvertible {
  /// The store asked for.
  public let store: String
  /// The stores there are.
  public let known: [String]

  /// What is wrong and what to do, in one line.
  public var description: String {
    "unknown store `\(store)`\(DidYouMean.hint(store, among: known)) (known: \(known.joined(separator: ", ")))"
  }
}
