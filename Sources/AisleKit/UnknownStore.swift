import AisleCore

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
