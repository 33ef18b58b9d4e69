/// A section of a photographed list.
public struct ReadSection: Sendable, Hashable {
  /// What kind of part it is.
  public enum Kind: String, Sendable, CaseIterable {
    /// Things to buy.
    case grocery
    /// Meals, e.g. by day.
    case mealPlan = "meal_plan"
    /// Items that are crossed out.
    case crossedOut = "crossed_out"
    /// Any other text.
    case notes
  }

  /// Its name: its heading on the paper, otherwise a name from the model.
  public let name: String
  /// What kind of part it is.
  public let kind: Kind
  /// Its items in order, with corrected spelling.
  public let items: [String]

  /// Makes a section.
  public init(name: String, kind: Kind, items: [String]) {
    self.name = name
    self.kind = kind
    self.items = items
  }
}
