/// The last that happened to an item in a store, as machines tell each other: it was taught, or what was taught was forgotten.
public struct SharedChange: Sendable, Hashable {
  /// The store's id.
  public var store: String
  /// The item as written.
  public var item: String
  /// The section's name; `nil` if the item's correction was forgotten.
  public var section: String?
  /// The item's shelf, if known.
  public var shelf: String?
  /// Who taught or forgot it, and when. An undo restores a correction with its former origin.
  public var origin: Origin
  /// When it came to be so, in milliseconds since 1970 in UTC: of two changes to an item of a store, the later one wins. It is the
  /// origin's time, unless a correction was restored or renamed, or the clock was behind the change before.
  public var time: Int

  /// Makes a change.
  ///
  /// - Parameter time: When it came to be so; `nil` for the origin's time.
  public init(store: String, item: String, section: String?, shelf: String? = nil, origin: Origin, time: Int? = nil) {
    self.store = store
    self.item = item
    self.section = section
    self.shelf = shelf
    self.origin = origin
    self.time = time ?? origin.time
  }

  /// A correction, as it is told.
  public init(_ correction: Correction, time: Int? = nil) {
    self.init(
      store: correction.store, item: correction.item, section: correction.section, shelf: correction.shelf,
      origin: correction.origin, time: time)
  }

  /// What was taught; `nil` if it was forgotten.
  public var correction: Correction? {
    section.map { Correction(store: store, item: item, section: $0, shelf: shelf, origin: origin) }
  }

  /// Whether this one stands when the two meet: the later one; of two of the same time, the one that every machine prefers, a correction
  /// before a forgotten one. It is the same on all machines because it depends on nothing else.
  func wins(over other: SharedChange) -> Bool {
    time != other.time ? time > other.time : other.rank.lexicographicallyPrecedes(rank)
  }

  /// All that is told besides the time, in bytes: texts that differ only in how their letters are encoded are not the same.
  private var rank: [UInt8] {
    var bytes: [UInt8] = []
    // What is absent comes before all that is there. No text has a NUL.
    func add(_ text: String?) { bytes += text.map { [1] + Array($0.utf8) + [0] } ?? [0] }
    for text in [section, item, origin.proposer] { add(text) }
    if section == nil { return bytes }
    for text in [shelf, origin.model, origin.accepter] { add(text) }
    return bytes + withUnsafeBytes(of: Int64(origin.time).bigEndian) { Array($0) }
  }

  /// Whether the two are the same, byte for byte.
  func isSame(as other: SharedChange) -> Bool { time == other.time && rank == other.rank }
}

/// Some of the changes of a corrections file, and where the next ones begin.
public struct ChangePage: Sendable, Hashable {
  /// The changes, those made first first.
  public var changes: [SharedChange]
  /// What to ask for the changes after these with.
  public var next: String
  /// Whether there are more already.
  public var hasMore: Bool
  /// Whether the changes begin anew although others were asked for: the file is another one than that which gave the cursor, or was restored
  /// from a backup since.
  public var isAnew: Bool

  /// Makes a page.
  public init(changes: [SharedChange], next: String, hasMore: Bool = false, isAnew: Bool = false) {
    self.changes = changes
    self.next = next
    self.hasMore = hasMore
    self.isAnew = isAnew
  }

  /// What a corrections file tells that is not there yet.
  package static func empty(after cursor: String?) -> ChangePage {
    let beginning = ChangeCursor.beginning.text
    return ChangePage(changes: [], next: beginning, isAnew: cursor.map { $0 != beginning } ?? false)
  }
}
