/// How well one section's items were found.
public struct SectionScore: Sendable, Hashable {
  /// The section's name.
  public let name: String
  /// How many items belong to it.
  public let support: Int
  /// How many items were answered with it.
  public let predicted: Int
  /// How many items are both.
  public let right: Int

  /// The share of its answers that are right; `nil` if it was never answered.
  public var precision: Double? { Proportion(right, of: predicted).value }
  /// The share of its items that were found; `nil` if it has none.
  public var recall: Double? { Proportion(right, of: support).value }
  /// The harmonic mean of precision and recall; `nil` if it has no items and was never answered.
  public var f1: Double? { support + predicted == 0 ? nil : 2 * Double(right) / Double(support + predicted) }
}
