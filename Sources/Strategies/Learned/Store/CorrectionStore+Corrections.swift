import AisleCore
import GRDB

extension CorrectionStore {
  /// What a call changed.
  public struct Outcome: Sendable, Hashable {
    /// How many corrections are new.
    public var added = 0
    /// How many replaced another one.
    public var replaced = 0
    /// How many were there already.
    public var unchanged = 0

    /// Makes an outcome of nothing.
    public init() {}
  }

  /// Writes a correction; one that the item has in that store is replaced.
  ///
  /// - Returns: The correction that was replaced, if any.
  /// - Throws: `CorrectionStoreError`.
  @discardableResult
  public func correct(_ correction: Correction) throws(CorrectionStoreError) -> Correction? {
    let key = try key(of: correction)
    return try write { database in
      var action = try Action("correct \(correction.item)", at: correction.origin.time, in: database)
      return try action.put(correction, key: key)
    }
  }

  /// All corrections, by store and item.
  ///
  /// - Throws: `CorrectionStoreError`.
  public func corrections() throws(CorrectionStoreError) -> [Correction] {
    try read { database in
      try Row.fetchAll(database, sql: "SELECT * FROM correction ORDER BY store, key").map { Correction($0) }
    }
  }

  /// Hands over the corrections one by one, by store and item.
  ///
  /// - Throws: `CorrectionStoreError`; what `body` throws is reported as one.
  public func forEachCorrection(_ body: (Correction) throws -> Void) throws(CorrectionStoreError) {
    try read { database in
      let rows = try Row.fetchCursor(database, sql: "SELECT * FROM correction ORDER BY store, key")
      while let row = try rows.next() { try body(Correction(row)) }
    }
  }

  /// The number of corrections.
  ///
  /// - Throws: `CorrectionStoreError`.
  public func correctionCount() throws(CorrectionStoreError) -> Int {
    try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM correction") ?? 0 }
  }

  /// Which corrections to forget; what is `nil` does not matter.
  public struct Selection: Sendable, Hashable {
    /// The item, compared in normalized form.
    public var item: String?
    /// The store.
    public var store: String?
    /// Who or what proposed them.
    public var proposer: String?
    /// The model that they came from.
    public var model: String?

    /// Makes a selection.
    public init(item: String? = nil, store: String? = nil, proposer: String? = nil, model: String? = nil) {
      self.item = item
      self.store = store
      self.proposer = proposer
      self.model = model
    }
  }

  /// Forgets the corrections that match a selection, and gives their number.
  ///
  /// - Throws: `CorrectionStoreError`.
  public func forget(_ selection: Selection, time: Int) throws(CorrectionStoreError) -> Int {
    let key = selection.item.map(Normalizer.normalize)
    return try write { database in
      let ids = try Int64.fetchAll(
        database,
        sql: """
          SELECT id FROM correction WHERE (?1 IS NULL OR key = ?1) AND (?2 IS NULL OR store = ?2) AND (?3 IS NULL OR proposer = ?3)
            AND (?4 IS NULL OR model = ?4) ORDER BY id
          """, arguments: [key, selection.store, selection.proposer, selection.model])
      if ids.isEmpty { return 0 }
      var action = try Action("forget \(ids.count) correction\(ids.count == 1 ? "" : "s")", at: time, in: database)
      for id in ids { try action.remove(id) }
      return ids.count
    }
  }

  /// Takes in corrections all at once or not at all; of two for the same item and store the newer stays.
  ///
  /// - Returns: What changed, and the conflicts: pairs that name different sections, with the one that stayed first.
  /// - Throws: `CorrectionStoreError`.
  public func merge(
    _ corrections: [Correction], time: Int
  ) throws(CorrectionStoreError) -> (outcome: Outcome, conflicts: [(kept: Correction, dropped: Correction)]) {
    var keys: [String] = []
    for correction in corrections { keys.append(try key(of: correction)) }
    return try write { database in
      var outcome = Outcome()
      var conflicts: [(kept: Correction, dropped: Correction)] = []
      var action = try Action("merge \(corrections.count) correction\(corrections.count == 1 ? "" : "s")", at: time, in: database)
      for (correction, key) in zip(corrections, keys) {
        guard let known = try action.correction(store: correction.store, key: key) else {
          try action.put(correction, key: key)
          outcome.added += 1
          continue
        }
        let isNewer = correction.isNewer(than: known)
        if correction.section != known.section { conflicts.append(isNewer ? (correction, known) : (known, correction)) }
        if isNewer { try action.put(correction, key: key) }
        outcome.replaced += isNewer ? 1 : 0
        outcome.unchanged += isNewer ? 0 : 1
      }
      return (outcome, conflicts)
    }
  }

  /// Gives the corrections of a store's section to another section, after it was renamed, and gives their number.
  ///
  /// Suggestions move along, so that what was dismissed stays dismissed.
  ///
  /// - Throws: `CorrectionStoreError`.
  public func renameSection(
    store: String, from old: String, to new: String, time: Int
  ) throws(CorrectionStoreError) -> Int {
    try check(new, "section")
    return try write { database in
      var action = try Action("rename section \(old) to \(new)", at: time, in: database)
      let rows = try Row.fetchAll(
        database, sql: "SELECT * FROM correction WHERE store = ? AND section = ? ORDER BY id", arguments: [store, old])
      for row in rows {
        var correction = Correction(row)
        correction.section = new
        try action.put(correction, key: row["key"])
      }
      for column in ["from_section", "to_section"] {
        try database.execute(
          sql: "UPDATE OR IGNORE suggestion SET \(column) = ? WHERE store = ? AND \(column) = ?", arguments: [new, store, old])
      }
      return rows.count
    }
  }

  // MARK: Checks

  func key(of correction: Correction) throws(CorrectionStoreError) -> String {
    try check(correction.section, "section")
    try check(correction.origin.proposer, "proposer")
    return try key(store: correction.store, item: correction.item)
  }

  func key(store: String, item: String) throws(CorrectionStoreError) -> String {
    guard Shelf.isValid(name: store) else {
      throw CorrectionStoreError(path, .invalid, "store id `\(store)` may have only a-z, 0-9 and hyphens")
    }
    if item.utf8.count > Self.maximumTextBytes {
      throw CorrectionStoreError(path, .invalid, "an item of \(item.utf8.count) bytes; at most \(Self.maximumTextBytes) can be learned")
    }
    let key = Normalizer.normalize(item)
    if key.isEmpty { throw CorrectionStoreError(path, .invalid, "item `\(item)` has no letter or digit to know it by") }
    return key
  }

  func check(_ name: String, _ what: String) throws(CorrectionStoreError) {
    let isFit = (1...100).contains(name.utf8.count) && !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    if !isFit {
      throw CorrectionStoreError(path, .invalid, "a \(what)'s name must have 1 to 100 bytes and no control characters")
    }
  }
}

extension Correction {
  init(_ row: Row) {
    self.init(
      store: row["store"], item: row["item"], section: row["section"], shelf: row["shelf"],
      origin: Origin(proposer: row["proposer"], model: row["model"], time: row["time"]))
  }

  /// Whether this one stands when the two meet: the newer; of two of the same time the one that all machines agree on.
  func isNewer(than other: Correction) -> Bool {
    if origin.time != other.origin.time { return origin.time > other.origin.time }
    func rank(_ correction: Correction) -> [String] {
      [correction.section, correction.item, correction.shelf ?? "", correction.origin.proposer, correction.origin.model ?? ""]
    }
    return rank(other).lexicographicallyPrecedes(rank(self))
  }
}
