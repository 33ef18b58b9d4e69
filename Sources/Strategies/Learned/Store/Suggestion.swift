/// A proposed change of section, pending until a person accepts or dismisses it.
public struct Suggestion: Sendable, Hashable {
  /// The state of a suggestion.
  public enum State: String, Sendable, CaseIterable {
    /// Nobody has decided yet.
    case pending
    /// A person accepted it, so there is a correction.
    case accepted
    /// A person dismissed it; it is not proposed again for this item and section.
    case dismissed
    /// A later check of its list, or a correction of its item, replaced it.
    case superseded
  }

  /// The store's id.
  public var store: String
  /// The item as written.
  public var item: String
  /// The section that the item has now.
  public var from: String
  /// The section that it should have.
  public var to: String
  /// The shelf that it should be on, if known.
  public var shelf: String?
  /// How likely the change is right, in 0…1; `nil` if the proposer does not say.
  public var confidence: Double?
  /// The list that was checked when it was proposed; `nil` if it does not come from a list.
  public var list: String?
  /// The proposer and the time.
  public var origin: Origin
  /// Its state.
  public var state: State

  /// Makes a suggestion.
  public init(
    store: String, item: String, from: String, to: String, shelf: String? = nil, confidence: Double? = nil, list: String? = nil,
    origin: Origin, state: State = .pending
  ) {
    self.store = store
    self.item = item
    self.from = from
    self.to = to
    self.shelf = shelf
    self.confidence = confidence
    self.list = list
    self.origin = origin
    self.state = state
  }
}

/// A suggestion with its number in the corrections file.
public struct NumberedSuggestion: Sendable, Hashable, Identifiable {
  /// The number, from 1; never reused.
  public let id: Int
  /// The suggestion.
  public let suggestion: Suggestion
}
