/// A plugin that decides items or abstains.
///
/// A strategy gets a whole batch at once, so that one `await`, transaction, or request serves thousands of items. It must
/// - decide only items that are `nil` in `Batch.decisions`, and abstain by leaving an item as it is;
/// - give the same decisions for the same items, however they are batched and whatever ran before;
/// - accept any bytes: empty items, invalid UTF-8, and very long items;
/// - throw `CancellationError` soon after its task is cancelled, if it waits for anything;
/// - throw only if it cannot decide anything at all; for a single bad item it abstains.
///
/// `StrategyConformance` in `AisleTesting` checks all of this.
public protocol Strategy: Sendable {
  /// What the strategy is and when to use it.
  var metadata: StrategyMetadata { get }

  /// The taxonomy that it was made for, where it works with sections, keywords, shelves, or patterns of that one.
  ///
  /// A chain that is asked about another taxonomy is an error. `nil`, the default, is for a strategy that looks names up in
  /// `Batch.taxonomy`, and so fits every store.
  var boundTaxonomy: Taxonomy? { get }

  /// Decides the items it can; the chain sets `Decision.strategy`.
  ///
  /// It is called where the chain is asked: off the caller's actor, unless the caller works inside this package. One that takes its time
  /// may be called by itself too, and is best `@concurrent`.
  func decide(_ batch: inout Batch) async throws
}

extension Strategy {
  /// Any taxonomy.
  public var boundTaxonomy: Taxonomy? { nil }
}

/// A strategy that decides at once: it waits for nothing and never fails, so that a call needs no `await`.
public protocol LocalStrategy: Strategy {
  /// Decides the items it can, on the caller's thread; the chain sets `Decision.strategy`.
  func decide(_ batch: inout Batch)
}

/// What a strategy tells about itself.
public struct StrategyMetadata: Sendable {
  /// The id used in chains and output, e.g. `keyword`.
  public let id: String
  /// What it does, in one line.
  public let summary: String
  /// Why it exists and when to use it.
  public let rationale: String
  /// The rules that its evidence refers to by place; at most 255.
  public let rules: [Rule]
  /// Items with the section that each must get, as both documentation and tests.
  public var examples: [StrategyExample] { makeExamples() }

  private let makeExamples: @Sendable () -> [StrategyExample]

  /// Makes metadata; the examples are made when they are asked for.
  public init(
    id: String, summary: String, rationale: String, rules: [Rule] = [],
    examples: @autoclosure @escaping @Sendable () -> [StrategyExample]
  ) {
    self.id = id
    self.summary = summary
    self.rationale = rationale
    self.rules = rules
    makeExamples = examples
  }

  /// The rule that evidence refers to, if there is one.
  public func rule(at place: UInt8) -> Rule? { rules.indices.contains(Int(place)) ? rules[Int(place)] : nil }
}

/// An item and the section that a strategy must give it, in the Kroger taxonomy; `nil` where it must abstain.
public struct StrategyExample: Sendable, Hashable {
  /// The item.
  public let item: String
  /// The section's name.
  public let section: String?
  /// What the example shows.
  public let topic: String

  /// Makes an example.
  public init(_ item: String, _ section: String?, topic: String) {
    self.item = item
    self.section = section
    self.topic = topic
  }
}
