/// An event during a run of the conformance kit.
public enum ConformanceEvent: Sendable {
  /// A case begins.
  case began(ConformanceCase)
  /// A case ended, with its failures.
  case finished(ConformanceCase, [ConformanceFailure])
  /// The strategy is too slow to answer all items within the budget and is asked about fewer.
  case reduced(ConformanceScale)
}

/// How many items the cases ask about.
public struct ConformanceScale: Sendable, Hashable {
  /// The items that most cases ask about, 16 times in total.
  public let ordinary: Int
  /// The items in the large batch.
  public let many: Int
  /// If there are fewer items than usual: how long an item took, and how long all items would take.
  public internal(set) var itemTime: Duration = .zero
  /// How long all items would take.
  public internal(set) var fullTime: Duration = .zero

  /// How often the cases ask about the ordinary items: at first, half decided, in five orders, eight at once, cancelled.
  static let rounds = 16
  /// The usual size of the large batch.
  static let usualMany = 10_000
  /// Below these the cases would say little.
  static let (leastOrdinary, leastMany) = (40, 200)

  /// The scale for a strategy that takes `itemTime` an item: as usual, where that fits the budget.
  static func fitting(_ budget: Duration, ordinary: Int, itemTime: Duration) -> ConformanceScale {
    let fullTime = itemTime * (ordinary * rounds + usualMany)
    guard fullTime > budget else { return ConformanceScale(ordinary: ordinary, many: usualMany) }
    let share = budget / fullTime
    return ConformanceScale(
      ordinary: min(ordinary, max(leastOrdinary, Int(Double(ordinary) * share))),
      many: max(leastMany, Int(Double(usualMany) * share)), itemTime: itemTime, fullTime: fullTime)
  }
}
