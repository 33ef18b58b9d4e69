import AisleCore
import GRDB

extension CorrectionStore {
  /// The changes of a call.
  public struct Outcome: Sendable, Hashable {
    /// How many corrections are new.
    public var added = 0
    /// How many replaced another correction.
    public var replaced = 0
    /// How many already existed.
    public var unchanged = 0

    /// Makes an empty outcome.
    public init() {}
  }

  /// Writes a correction, replacing the item's current correction in that store.
  ///
  /// - Returns: The correction that was replaced, if any.
  /// - Throws: `CorrectionStoreError`.
  @discardableResult
  public func correct(_ correction: Correction) throws(CorrectionStoreError) -> Correction? { try teach(correction).replaced }

  /// What writing a correction did.
  public struct Lesson: Sendable, Hashable {
    /// The number to undo it by.
    public let action: Int
    /// The correction that was replaced; `nil` where the item had none.
    public let replaced: Correction?
  }

  /// Writes a correction; one that the item has in that store is replaced.
  ///
  /// - Throws: `CorrectionStoreError`.
  public func teach(_ correction: Correction) throws(CorrectionStoreError) -> Lesson {
    let key = try key(of: correction)
    return try write { database in
      let action = try Action("correct \(correction.item) -> \(correction.section)", at: correction.origin.time, in: database)
      return Lesson(action: Int(action.id), replaced: try action.put(correction, key: key))
    }
  }

  /// All corrections, by store and item.
  ///
  /// - Throws: `CorrectionStoreError`.
  public func corrections() throws(CorrectionStoreError) -> [Correction] {
    try read { database in
      try Row.fetchAll(database, sql: "\(Self.rows(database)) ORDER BY store, key").map { try Correction($0) }
    }
  }

  /// Where a correction stands among the newest, whatever is added before it meanwhile.
  public struct Place: Sendable {
    /// When it was taught, in milliseconds since 1970 in UTC.
    public let time: Int
    /// The store's id.
    public let store: String
    /// The item.
    public let item: String

    /// Makes a place.
    public init(time: Int, store: String, item: String) { (self.time, self.store, self.item) = (time, store, item) }
  }

  /// Corrections, the newest first; of one time by store and item.
  ///
  /// - Parameters:
  ///   - limit: How many at most.
  ///   - store: Those of a store alone.
  ///   - last: Those behind this one alone.
  ///   - isMeant: Says of each whether it counts; all do where it is `nil`.
  /// - Throws: `CorrectionStoreError`.
  /// - Complexity: O(n log n) in time for n corrections; O(`limit`) in memory, but O(n), of which SQLite keeps what is long in a temporary
  ///   file, where `isMeant` is asked.
  public func newest(
    _ limit: Int, of store: String? = nil, after last: Place? = nil, where isMeant: ((Correction) -> Bool)? = nil
  ) throws(CorrectionStoreError) -> [Correction] {
    try read { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          \(Self.rows(database)) WHERE (?1 IS NULL OR store = ?1)
          AND (?2 IS NULL OR correction.time < ?2 OR correction.time = ?2 AND (store, item) > (?3, ?4))
          ORDER BY correction.time DESC, store, item\(isMeant == nil ? " LIMIT \(max(limit, 0))" : "")
          """, arguments: [store, last?.time, last?.store, last?.item])
      var found: [Correction] = []
      while found.count < limit, let row = try rows.next() {
        let correction = try Correction(row)
        if isMeant?(correction) ?? true { found.append(correction) }
      }
      return found
    }
  }

  /// Passes the corrections to `body` in groups, by store and item. Others may write between two groups.
  ///
  /// - Throws: `CorrectionStoreError`; whatever `body` throws.
  public func forEachGroup(of size: Int = 10_000, _ body: ([Correction]) throws -> Void) throws {
    var last = ("", "")
    while true {
      let rows = try read { database in
        try Row.fetchAll(
          database, sql: "\(Self.rows(database)) WHERE (store, key) > (?, ?) ORDER BY store, key LIMIT ?",
          arguments: [last.0, last.1, size])
      }
      guard let end = rows.last else { return }
      try body(rows.map { try Correction($0) })
      last = try (end.value("store"), end.value("key"))
    }
  }

  /// The statement that gives corrections, in a file of any version.
  private static func rows(_ database: Database) throws -> String {
    let knowsAccepters = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0 >= 4
    return knowsAccepters ? Correction.rows : "SELECT * FROM correction"
  }

  /// The number of corrections.
  ///
  /// - Throws: `CorrectionStoreError`.
  public func correctionCount() throws(CorrectionStoreError) -> Int {
    try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM correction") ?? 0 }
  }

  /// Which corrections to forget; a `nil` condition matches all.
  public struct Selection: Sendable, Hashable {
    /// The store.
    public var store: String?
    /// Who or what proposed them.
    public var proposer: String?
    /// The model that they came from.
    public var model: String?

    /// Makes a selection.
    public init(store: String? = nil, proposer: String? = nil, model: String? = nil) {
      self.store = store
      self.proposer = proposer
      self.model = model
    }
  }

  /// What was forgotten.
  public struct Forgotten: Sendable, Hashable {
    /// How many corrections.
    public var count = 0
    /// The number for undoing it; `nil` where there was nothing to forget.
    public var action: Int?

    /// Makes nothing.
    public init() {}
  }

  /// Forgets the corrections that match a selection.
  ///
  /// - Parameters:
  ///   - items: The items, compared in normalized form; empty for all items.
  ///   - selection: Which of their corrections.
  ///   - person: Who forgets them, as other machines are told.
  ///   - time: The time, in milliseconds since 1970 in UTC.
  /// - Throws: `CorrectionStoreError`.
  @discardableResult
  public func forget(
    items: [String] = [], _ selection: Selection, by person: String? = nil, time: Int
  ) throws(CorrectionStoreError) -> Forgotten {
    if let person { try check(person, "person") }
    try check(time: time)
    let keys: [String?] = items.isEmpty ? [nil] : items.map(Normalizer.normalize)
    return try write { database in
      let find = try database.cachedStatement(
        sql: """
          SELECT id FROM correction WHERE (?1 IS NULL OR key = ?1) AND (?2 IS NULL OR store = ?2) AND (?3 IS NULL OR proposer = ?3)
            AND (?4 IS NULL OR model = ?4)
          """)
      let found = try keys.flatMap {
        try Int64.fetchAll(find, arguments: [$0, selection.store, selection.proposer, selection.model])
      }
      let ids = Set(found).sorted()
      if ids.isEmpty { return Forgotten() }
      let what = items.count == 1 ? items[0] : counted(ids.count, "correction")
      let action = try Action("forget \(what)", at: time, in: database)
      for id in ids { try action.remove(id, by: person ?? Self.nobody, .now(time)) }
      var forgotten = Forgotten()
      (forgotten.count, forgotten.action) = (ids.count, Int(action.id))
      return forgotten
    }
  }

  /// Two corrections of the same item with different sections.
  public struct Conflict: Sendable, Hashable {
    /// The one that wins.
    public let kept: Correction
    /// The other one.
    public let dropped: Correction
  }

  /// Imports either all corrections or none.
  ///
  /// - Parameters:
  ///   - winner: Which of two corrections for the same item and store wins.
  ///   - action: What was done, as `undo` tells it; when left out, `merge 3 corrections` where the newer wins, else `import 3 corrections`.
  /// - Returns: The changes and the conflicts.
  /// - Throws: `CorrectionStoreError`.
  public func take(
    _ corrections: [Correction], winner: Winner, as action: String? = nil, time: Int
  ) throws(CorrectionStoreError) -> (outcome: Outcome, conflicts: [Conflict]) {
    try check(time: time)
    var keys: [String] = []
    for correction in corrections { keys.append(try key(of: correction)) }
    return try write { database in
      var outcome = Outcome()
      var conflicts: [Conflict] = []
      let name = action ?? "\(winner == .newer ? "merge" : "import") \(counted(corrections.count, "correction"))"
      // Begun with the first change: where there is none, the action before stays the last one to undo.
      var begun: Action?
      func put(_ correction: Correction, _ key: String) throws {
        let action = try begun ?? Action(name, at: time, in: database)
        begun = action
        try action.put(correction, key: key)
      }
      for (correction, key) in zip(corrections, keys) {
        guard let known = try Action.correction(store: correction.store, key: key, in: database) else {
          try put(correction, key)
          outcome.added += 1
          continue
        }
        let isTaken = correction != known && (winner == .taken || correction.isNewer(than: known))
        if isTaken { try put(correction, key) }
        if correction.section != known.section {
          conflicts.append(isTaken ? Conflict(kept: correction, dropped: known) : Conflict(kept: known, dropped: correction))
        }
        outcome.replaced += isTaken ? 1 : 0
        outcome.unchanged += isTaken ? 0 : 1
      }
      return (outcome, conflicts)
    }
  }

  /// Which of two corrections for the same item and store wins.
  public enum Winner: Sendable {
    /// The newer one.
    case newer
    /// The imported one.
    case taken
  }

  /// Moves the corrections of a store's section to another section, after it was renamed or removed, and returns their number.
  ///
  /// Suggestions move too, so that dismissed ones stay dismissed.
  ///
  /// - Throws: `CorrectionStoreError`.
  public func renameSection(
    store: String, from old: String, to new: String, time: Int
  ) throws(CorrectionStoreError) -> (corrections: Int, suggestions: Int) {
    try check(new, "section")
    try check(time: time)
    return try write { database in
      let rows = try Row.fetchAll(
        database, sql: "\(Correction.rows) WHERE store = ? AND section = ? ORDER BY id", arguments: [store, old])
      let suggestions = try Row.fetchAll(
        database, sql: "SELECT * FROM suggestion WHERE store = ?1 AND (from_section = ?2 OR to_section = ?2) ORDER BY id",
        arguments: [store, old])
      if rows.isEmpty, suggestions.isEmpty { return (0, 0) }
      let action = try Action("rename section \(old) to \(new)", at: time, in: database)
      for row in rows {
        var correction = try Correction(row)
        correction.section = new
        try action.restore(correction, key: row.value("key"), .now(time))
      }
      for row in suggestions { try Self.rename(row, old, new, action, in: database) }
      return (rows.count, suggestions.count)
    }
  }

  private static func rename(_ row: Row, _ old: String, _ new: String, _ action: Action, in database: Database) throws {
    let suggestion = try NumberedSuggestion(row).suggestion
    let (from, to) = (suggestion.from == old ? new : suggestion.from, suggestion.to == old ? new : suggestion.to)
    let isThere = try hasTwin(row, from, to, in: database)
    // What asks for no change any more, or asks what another one asks already, waits no longer.
    let isMoot = suggestion.state == .pending && (from == to || isThere)
    let state = isMoot ? .superseded : suggestion.state
    if isThere { try action.change(row, to: state) } else { try action.change(row, to: state, from: from, to: to) }
  }

  /// Whether another suggestion for the item of this one asks for these sections: there can be only one.
  static func hasTwin(_ row: Row, _ from: String, _ to: String, in database: Database) throws -> Bool {
    let find = try database.cachedStatement(
      sql: """
        SELECT EXISTS (SELECT 1 FROM suggestion WHERE store = ? AND key = ? AND from_section = ? AND to_section = ? AND id <> ?)
        """)
    return try Bool.fetchOne(
      find,
      arguments: [
        try row.value("store") as String, try row.value("key") as String, from, to, try row.value("id") as Int64,
      ]) ?? false
  }

  // MARK: Checks

  /// Why a correction cannot be kept, in one line; `nil` if it can.
  package func fault(of correction: Correction) -> String? {
    do throws(CorrectionStoreError) { _ = try key(of: correction) } catch { return error.reason }
    return nil
  }

  func key(of correction: Correction) throws(CorrectionStoreError) -> String {
    try check(correction.section, "section")
    try check(correction.origin)
    if let shelf = correction.shelf, !Shelf.isValid(name: shelf) {
      throw CorrectionStoreError(path, .invalid, "shelf `\(shelf)` may have only a-z, 0-9, and hyphens")
    }
    return try key(store: correction.store, item: correction.item)
  }

  func key(store: String, item: String) throws(CorrectionStoreError) -> String {
    guard Shelf.isValid(name: store) else {
      throw CorrectionStoreError(path, .invalid, "store id `\(store)` may have only a-z, 0-9, and hyphens")
    }
    if item.utf8.count > Self.maximumTextBytes {
      throw CorrectionStoreError(
        path, .invalid, "an item has \(item.utf8.count) bytes; at most \(Self.maximumTextBytes) can be learned")
    }
    if item.utf8.contains(0) { throw CorrectionStoreError(path, .invalid, "an item has a NUL byte; remove it") }
    let key = Normalizer.normalize(item)
    if key.isEmpty {
      throw CorrectionStoreError(path, .invalid, "item `\(item)` has no letter or digit; an item needs at least one")
    }
    // An emoji is not part of the key: what would be taught of "🧻 2" is "2", and so of every other emoji with a number.
    if !key.utf8.contains(where: { $0.isASCIILetter || $0 >= 0x80 }),
      item.unicodeScalars.contains(where: \.properties.isEmojiPresentation)
    {
      throw CorrectionStoreError(path, .invalid, "item `\(item)` has no word; write the product in letters")
    }
    return key
  }

  func check(_ origin: Origin) throws(CorrectionStoreError) {
    try check(origin.proposer, "proposer")
    if let model = origin.model { try check(model, "model") }
    if let accepter = origin.accepter { try check(accepter, "person") }
    try check(time: origin.time)
  }

  func check(time: Int) throws(CorrectionStoreError) {
    if !Timestamp.range.contains(time) {
      throw CorrectionStoreError(path, .invalid, "a time is outside the years 0 to 9999")
    }
  }

  func check(_ name: String, _ what: String) throws(CorrectionStoreError) {
    if !Origin.isName(name) {
      throw CorrectionStoreError(path, .invalid, "a \(what)'s name must have 1 to 100 bytes and no control characters")
    }
  }

  func check(text: String, _ what: String) throws(CorrectionStoreError) {
    if !Self.isText(text) {
      throw CorrectionStoreError(path, .invalid, "a \(what) must have 1 to \(Self.maximumTextBytes) bytes and no NUL")
    }
  }

  /// Whether a text, e.g. a list's name, can be stored: it has 1 to 1024 bytes, and no NUL.
  package static func isText(_ text: String) -> Bool {
    (1...maximumTextBytes).contains(text.utf8.count) && !text.utf8.contains(0)
  }
}
