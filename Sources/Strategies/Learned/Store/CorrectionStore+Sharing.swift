import AisleCore
import GRDB

extension CorrectionStore {
  /// What changed after a place: of each item and store the last that happened, those that happened first first.
  ///
  /// What was taught before files knew of changes comes first. A machine that takes page after page until there are no more, and goes on
  /// later from the last page's `next`, misses nothing, whoever writes meanwhile.
  ///
  /// - Parameters:
  ///   - cursor: The `next` of an earlier page; `nil` for the beginning. That of another file, or of this one before it was restored from
  ///     a backup, begins anew, and so does a text that is no cursor.
  ///   - limit: The most changes that are given, from 1; long ones are fewer, so that they take less than 1 MiB as JSON.
  /// - Throws: `CorrectionStoreError`; also for a file that an older version wrote, unless it was opened for writing.
  public func changes(after cursor: String? = nil, limit: Int = 1000) throws(CorrectionStoreError) -> ChangePage {
    try read { database in
      try self.checkKnowsChanges(database)
      let place = cursor.flatMap { ChangeCursor($0) }
      let known = try place.flatMap { try $0 == .beginning || ChangeCursor(after: $0.revision, in: database) == $0 ? $0 : nil }
      let start = known?.revision ?? 0
      let (changes, end, hasMore) = try ChangeLog.changes(after: start, limit: min(max(limit, 1), 1_000_000), in: database)
      return ChangePage(
        changes: changes, next: try ChangeCursor(after: end, in: database)?.text ?? "", hasMore: hasMore,
        isAnew: cursor != nil && known == nil)
    }
  }

  private func checkKnowsChanges(_ database: Database) throws {
    if try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0 < CorrectionSchema.firstVersionWithChanges {
      throw CorrectionStoreError(path, .system, "was written by an older aisle; the next correction brings it up to date")
    }
  }

  /// What merging changes did.
  public struct Merge: Sendable, Hashable {
    /// How many corrections are new, how many were replaced or forgotten, and how many changes brought nothing new.
    public internal(set) var outcome = Outcome()
    /// Where this file and the changes have an item in different sections, or one of them forgot it.
    public internal(set) var conflicts: [MergeConflict] = []
    /// The number to undo it by; `nil` if no correction changed.
    public internal(set) var action: Int?
    /// Where the changes of this file go on, once these are in it; whoever told them can prove by it later that they are.
    public internal(set) var next = ""
    /// Where the changes of this file went on before: between the two there are only those that were taken up.
    public internal(set) var before = ""
  }

  /// Two changes to the same item and store.
  public struct MergeConflict: Sendable, Hashable {
    /// The one that wins.
    public let kept: SharedChange
    /// The other one.
    public let dropped: SharedChange
  }

  /// Takes up changes of other machines in one transaction: the later one wins for each item and store.
  ///
  /// The outcome does not depend on the order in which changes come, nor on how often. It is one action, undone by its number only: `undo`
  /// without one is for what people did here. Corrections that lose, of either side, can be read with `overruled` from then on.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - source: Where they come from, e.g. a machine's name, as people are told; `nil` if that is not known.
  ///   - time: The time, in milliseconds since 1970 in UTC.
  /// - Throws: `CorrectionStoreError`; then nothing was taken up.
  @discardableResult
  public func merge(_ changes: [SharedChange], from source: String? = nil, time: Int) throws(CorrectionStoreError) -> Merge {
    try check(time: time)
    let keys = try keys(of: changes)
    return try write { try Self.merge(changes, keys, from: source, time: time, in: $0) }
  }

  /// Takes up changes within a transaction.
  static func merge(
    _ changes: [SharedChange], _ keys: [String], from source: String?, time: Int, in database: Database
  ) throws -> Merge {
    var merge = Merge()
    merge.before = try end(of: database)
    let log = ChangeLog(database)
    let what = "merge \(counted(changes.count, "change"))" + (source.map { " from \($0)" } ?? "")
    // Begun with the first correction that changes: where none does, there is nothing to undo.
    var begun: Action?
    func action() throws -> Action {
      let action = try begun ?? Action(what, at: time, .byNumber, log, in: database)
      begun = action
      return action
    }
    for (change, key) in zip(changes, keys) {
      let last = try log.last(store: change.store, key: key)
      guard last.map({ change.wins(over: $0) }) ?? true else {
        merge.outcome.unchanged += 1
        if let last, !change.isSame(as: last) { try merge.note(kept: last, dropped: change, key, in: database) }
        continue
      }
      if let correction = change.correction {
        try action().put(correction, key: key, .told(change.time))
      } else if last?.correction != nil {
        try action().remove(store: change.store, key: key, item: change.item, by: change.origin.proposer, .told(change.time))
      } else {
        try log.noteForgotten(
          store: change.store, key: key, item: change.item, by: change.origin.proposer, .told(change.time))
      }
      switch (last?.correction, change.correction) {
      case (nil, nil): merge.outcome.unchanged += 1
      case (nil, _): merge.outcome.added += 1
      default: merge.outcome.replaced += 1
      }
      if let last { try merge.note(kept: change, dropped: last, key, in: database) }
    }
    merge.action = begun.map { Int($0.id) }
    merge.next = try end(of: database)
    return merge
  }

  /// The cursor after all changes.
  private static func end(of database: Database) throws -> String {
    try ChangeCursor(after: ChangeLog.lastRevision(in: database), in: database)?.text ?? ""
  }

  /// The keys of changes' items.
  ///
  /// - Throws: `CorrectionStoreError` for a change that cannot be kept.
  func keys(of changes: [SharedChange]) throws(CorrectionStoreError) -> [String] {
    var keys: [String] = []
    for change in changes {
      try check(time: change.time)
      if let correction = change.correction {
        keys.append(try key(of: correction))
      } else {
        try check(change.origin)
        keys.append(try key(store: change.store, item: change.item))
      }
    }
    return keys
  }

  // MARK: What lost

  /// The corrections that lost to a later change when machines met, the last one last; the last 10,000 are kept.
  ///
  /// - Throws: `CorrectionStoreError`.
  public func overruled() throws(CorrectionStoreError) -> [SharedChange] {
    try read { database in
      try self.checkKnowsChanges(database)
      return try Row.fetchAll(database, sql: "SELECT *, person AS accepter FROM overruled ORDER BY id").map {
        try SharedChange(Correction($0), time: $0.value("changed"))
      }
    }
  }
}

extension CorrectionStore.Merge {
  /// So many corrections that lost are kept.
  private static let rememberedLosers: Int64 = 10_000

  /// Notes that one change gave way to another.
  fileprivate mutating func note(kept: SharedChange, dropped: SharedChange, _ key: String, in database: Database) throws {
    if kept.section != dropped.section { conflicts.append(.init(kept: kept, dropped: dropped)) }
    guard let loser = dropped.correction else { return }
    try database.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO overruled (store, key, item, section, shelf, proposer, model, person, time, changed)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      loser.store, key, loser.item, loser.section, loser.shelf, loser.origin.proposer, loser.origin.model, loser.origin.accepter,
      loser.origin.time, dropped.time,
    ])
    if database.changesCount > 0 {
      try database.cachedStatement(sql: "DELETE FROM overruled WHERE id <= ?")
        .execute(arguments: [database.lastInsertedRowID - Self.rememberedLosers])
    }
  }
}
