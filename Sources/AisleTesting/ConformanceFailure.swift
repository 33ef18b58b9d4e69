/// A promise that a strategy does not keep.
public struct ConformanceFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The id of the strategy.
  public let strategy: String
  /// The case that found it.
  public let conformanceCase: ConformanceCase
  /// What happened, to which item, and what should have.
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
  /// The metadata is complete: a lower-case id, one line of summary, a rationale, rules with names of their own, examples.
  case metadata = "metadata complete"
  /// A batch without items is taken.
  case emptyBatch = "empty batch"
  /// A batch of one item is taken.
  case oneItem = "one item"
  /// A batch of 10,000 items is taken, or of as many as the budget allows.
  case manyItems = "10,000 items"
  /// Any bytes are taken: empty items, NUL, invalid UTF-8, a megabyte without a blank.
  case anyBytes = "any bytes"
  /// The examples of the metadata hold in the taxonomy that was given.
  case examples = "examples hold"
  /// The items come out as they went in: none added, removed or rewritten.
  case items = "items kept"
  /// What an earlier strategy decided stays as it was.
  case decided = "decided items untouched"
  /// A confidence is a number in 0…1.
  case confidence = "confidence in 0…1"
  /// A section is one of the taxonomy's, or one that the batch was asked for, with a name fit to show.
  case sections = "sections known or invented properly"
  /// A span lies inside its item.
  case spans = "spans inside the item"
  /// The keyword, rule, move and note that evidence refers to exist.
  case evidence = "evidence exists"
  /// The same items get the same decisions, in batches of any size and in any order, whatever ran before.
  case determinism = "determinism"
  /// Calls from several tasks at once give what a single call gives.
  case concurrency = "concurrent calls agree"
  /// A cancelled call ends soon: it finishes, or throws `CancellationError` and nothing else.
  case cancellation = "cancellation"
}
