/// A part of a photographed list that belongs together.
public struct ReadSection: Sendable, Hashable {
  /// What kind of part it is.
  public enum Kind: String, Sendable, CaseIterable {
    /// Things to buy.
    case grocery
    /// Meals, e.g. by day.
    case mealPlan = "meal_plan"
    /// What is crossed out.
    case crossedOut = "crossed_out"
    /// Anything else that is written there.
    case notes
  }

  /// Its name: what stands above it, else what the model calls it.
  public let name: String
  /// What kind of part it is.
  public let kind: Kind
  /// Its items in order, their spelling corrected.
  public let items: [String]

  /// Makes a section.
  public init(name: String, kind: Kind, items: [String]) {
    self.name = name
    self.kind = kind
    self.items = items
  }
}
