/// What a person taught: an item belongs to a section of a store.
public struct Correction: Sendable, Hashable {
  /// The store's id, e.g. `kroger`.
  public var store: String
  /// The item as the person wrote it.
  public var item: String
  /// The section's name.
  public var section: String
  /// The shelf that the item stands on, where it is known: through it alone a correction informs other stores.
  public var shelf: String?
  /// Who or what proposed it, and when.
  public var origin: Origin

  /// Makes a correction.
  public init(store: String, item: String, section: String, shelf: String? = nil, origin: Origin) {
    self.store = store
    self.item = item
    self.section = section
    self.shelf = shelf
    self.origin = origin
  }
}

/// Who or what proposed something, and when.
public struct Origin: Sendable, Hashable {
  /// The person, program or strategy, e.g. `jane` or `llm`.
  public var proposer: String
  /// The model that it came from; `nil` where no model had a part in it.
  public var model: String?
  /// When, in milliseconds since the beginning of 1970 in UTC.
  public var time: Int

  /// Makes an origin.
  public init(proposer: String, model: String? = nil, time: Int) {
    self.proposer = proposer
    self.model = model
    self.time = time
  }
}
