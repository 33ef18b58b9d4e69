import AisleCore

/// How a chain scores without each of its strategies, and in other orders.
///
/// Strategies that cost something are not asked again: each answers what it answered in the evaluation, and nothing else.
public struct Ablation: Sendable {
  /// A changed chain.
  public struct Variant: Sendable, Hashable {
    /// How it differs: `without learned`, or `order keyword,learned`.
    public let name: String
    /// The share of right answers.
    public let accuracy: Proportion
    /// Its answers compared with those of the whole chain.
    public let difference: PairedDifference
    /// How many items it answers differently.
    public let changed: Int
  }

  /// The chain without each strategy in turn; empty for a chain of one.
  public let without: [Variant]
  /// The orders of the strategies that change at least one answer.
  public let orders: [Variant]
  /// How many other orders were tried.
  public let orderCount: Int

  /// The most strategies of a chain whose every order is tried; of longer chains each swap of neighbours is.
  private static let mostPermuted = 4

  /// Evaluates the changed chains.
  ///
  /// - Parameters:
  ///   - evaluation: The evaluation of the whole chain.
  ///   - seed: The seed for the bootstrap.
  /// - Throws: Whatever a strategy throws.
  public init(of evaluation: Evaluation, by evaluator: Evaluator, seed: UInt64) async throws {
    let places = Array(evaluation.chain.names.indices)
    let fixed = places.filter { evaluation.chain.chain.links[$0].strategy is any MeteredStrategy }
    let links = zip(places, evaluation.chain.chain.links).map { place, link in
      fixed.contains(place) ? Chain.Link(ReplayedStrategy(evaluation, at: place), threshold: link.threshold) : link
    }
    let chain = NamedChain(Chain(links, policy: evaluation.chain.chain.policy), names: evaluation.chain.names)
    func variant(_ name: String, _ order: [Int]) async throws -> Variant {
      let other = try await evaluator.evaluate(chain.selecting(order), comparesStrategies: false)
      var (won, lost, changed) = (0, 0, 0)
      for (before, after) in zip(evaluation.items, other.items) {
        won += !before.isRight && after.isRight ? 1 : 0
        lost += before.isRight && !after.isRight ? 1 : 0
        changed += evaluation.name(before.answer) != other.name(after.answer) ? 1 : 0
      }
      let right = evaluation.metrics.accuracy.count
      return Variant(
        name: name, accuracy: other.metrics.accuracy,
        difference: PairedDifference(total: evaluation.items.count, before: right, won: won, lost: lost, seed: seed),
        changed: changed)
    }
    var without: [Variant] = []
    for place in places where places.count > 1 {
      without.append(try await variant("without \(chain.names[place])", places.filter { $0 != place }))
    }
    // What costs something keeps its place: it repeats only what it decided there.
    let tried = Self.orders(of: places).filter { order in order != places && fixed.allSatisfy { order[$0] == $0 } }
    var orders: [Variant] = []
    for order in tried {
      let variant = try await variant("order \(order.map { chain.names[$0] }.joined(separator: ","))", order)
      if variant.changed > 0 { orders.append(variant) }
    }
    self.without = without
    self.orders = orders
    orderCount = tried.count
  }

  static func orders(of places: [Int]) -> [[Int]] {
    guard places.count <= mostPermuted else {
      return places.indices.dropLast().map { place in
        var order = places
        order.swapAt(place, place + 1)
        return order
      }
    }
    if places.count < 2 { return [places] }
    return places.flatMap { first in orders(of: places.filter { $0 != first }).map { [first] + $0 } }
  }
}
