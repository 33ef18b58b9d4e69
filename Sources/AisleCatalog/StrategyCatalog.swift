public import AisleCore
import KeywordStrategy

/// The one list of built-in strategies.
public enum StrategyCatalog {
  /// The ids of the built-in strategies, in the order of the default chain.
  public static let ids = ["keyword"]

  /// The local strategies with their default settings, in the order of the default chain.
  public static func strategies(for taxonomy: Taxonomy) -> [any Strategy] {
    [KeywordStrategy(taxonomy)]
  }
}
