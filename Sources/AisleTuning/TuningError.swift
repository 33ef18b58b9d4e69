/// A change to a store's keywords that is not possible, and what to do instead.
public struct TuningError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong and the remedy, in one line.
  public let description: String

  /// Makes an error.
  public init(_ description: String) { self.description = description }
}
