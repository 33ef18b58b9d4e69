/// What cannot be done with a store's keywords, and what to do instead.
public struct TuningError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong and the remedy, in one line.
  public let description: String

  /// Makes an error.
  public init(_ description: String) { self.description = description }
}
