/// What a person taught: an item belongs to a section of a store.
public struct Correction: Sendable, Hashable {
  /// The store's id, e.g. `kroger`.
  public var store: String
  /// The item as the person wrote it.
  public var item: String
  /// The section's name.
  public var section: String
  /// The item's shelf, if known. A correction affects other stores only through its shelf.
  public var shelf: String?
  /// The proposer and the time.
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

/// The proposer of a correction or suggestion, and the time.
public struct Origin: Sendable, Hashable {
  /// The person, program, or strategy, e.g. `jane` or `llm`.
  public var proposer: String
  /// The model that it came from; `nil` if no model was involved.
  public var model: String?
  /// The person who accepted what somebody or something else proposed; `nil` if nobody had to.
  public var accepter: String?
  /// The time, in milliseconds since the beginning of 1970 in UTC.
  public var time: Int

  /// Makes an origin.
  public init(proposer: String, model: String? = nil, accepter: String? = nil, time: Int) {
    self.proposer = proposer
    self.model = model
    self.accepter = accepter
    self.time = time
  }

  /// Whether a person, program, strategy, or model may have this name: 1 to 100 bytes, and no control characters.
  package static func isName(_ name: String) -> Bool {
    (1...100).contains(name.utf8.count) && !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
  }
}
