/// A promise that a strategy does not keep.
public struct ConformanceFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The id of the strategy.
  public let strategy: String
  /// The case that failed.
  public let conformanceCase: ConformanceCase
  /// What happened to which item, and what should have happened.
  public let message: String

  /// Makes a failure.
  public init(strategy: String, conformanceCase: ConformanceCase, message: String) {
    self.strategy = strategy
    self.conformanceCase = conformanceCase
    self.message = message
  }

  /// `strategy: case: message`.
  public var description: String { "\(strategy): \(conformanceCase.rawValue): \(message)" }
}

/// A promise that every strategy makes: one case of the conformance kit.
public enum ConformanceCase: String, Sendable, Hashable, CaseIterable {
  /// The metadata is complete: a lowercase id, a one-line summary, a rationale, uniquely named rules, and examples.
  case metadata = "metadata complete"
  /// A batch without items is accepted.
  case emptyBatch = "empty batch"
  /// A batch of one item is accepted.
  case oneItem = "one item"
  /// A batch of 10,000 items is accepted, or of as many as the budget allows.
  case manyItems = "10,000 items"
  /// Any bytes are accepted: empty items, NUL, invalid UTF-8, and a megabyte without a space.
  case anyBytes = "any bytes"
  /// The metadata's examples hold in the given taxonomy.
  case examples = "examples hold"
  /// The items come out as they went in: none added, removed, or rewritten.
  case items = "items kept"
  /// The decisions of earlier strategies stay as they were.
  case decided = "decided items untouched"
  /// A confidence is a number in 0…1.
  case confidence = "confidence in 0…1"
  /// A section is one of the taxonomy's, or a section from the batch with a displayable name.
  case sections = "sections known or invented properly"
  /// A span is inside its item.
  case spans = "spans inside the item"
  /// The keyword, rule, move, and note that evidence refers to exist.
  case evidence = "evidence exists"
  /// The same items get the same decisions, in batches of any size, in any order, and whatever ran before.
  case determinism = "determinism"
  /// Concurrent calls from several tasks give the same decisions as a single call.
  case concurrency = "concurrent calls agree"
  /// A cancelled call ends soon: it finishes, or throws `CancellationError` and nothing else.
  case cancellation = "cancellation"
}
