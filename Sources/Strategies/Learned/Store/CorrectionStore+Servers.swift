import GRDB

/// How far a file and a server have come in telling each other their changes.
struct SharingState: Equatable {
  /// Up to where the server's changes were taken up; `nil` for not at all.
  var pulled: String?
  /// The last change of the file that the server has; 0 for none.
  var pushed: Int64 = 0
  /// A place in the server's changes that it reached with what was pushed, where `pulled` has not come as far. A server that does not know
  /// it any more was restored from a backup, and may have lost what was pushed.
  var proof: String?
}

extension CorrectionStore {
  func sharing(with server: String) throws(CorrectionStoreError) -> SharingState {
    try read { try Self.sharing(with: server, in: $0) }
  }

  private static func sharing(with server: String, in database: Database) throws -> SharingState {
    guard let row = try Row.fetchOne(database, sql: "SELECT * FROM server WHERE url = ?", arguments: [server]) else {
      return SharingState()
    }
    return try SharingState(pulled: row.value("pulled"), pushed: row.value("pushed"), proof: row.value("proof"))
  }

  private static func save(_ state: SharingState, with server: String, in database: Database) throws {
    try database.execute(
      sql: "INSERT OR REPLACE INTO server (url, pulled, pushed, proof) VALUES (?, ?, ?, ?)",
      arguments: [server, state.pulled, state.pushed, state.proof])
  }

  /// Takes up a page of a server's changes, and notes in the same transaction that it did.
  func take(_ page: ChangePage, from server: String, time: Int) throws(CorrectionStoreError) -> Merge {
    try check(time: time)
    let keys = try keys(of: page.changes)
    return try write { database in
      var state = try Self.sharing(with: server, in: database)
      // A server that begins anew may have lost what it was told.
      if page.isAnew { state.pushed = 0 }
      let hasAll = try state.pushed >= ChangeLog.lastRevision(in: database)
      let merge = try Self.merge(page.changes, keys, from: server, time: time, in: database)
      // What it told need not be told to it.
      if hasAll { state.pushed = try ChangeLog.lastRevision(in: database) }
      state.pulled = page.next
      if !page.hasMore { state.proof = nil }
      try Self.save(state, with: server, in: database)
      return merge
    }
  }

  /// The changes that a server does not have yet, in order, with the number of the last of them.
  func changesToPush(
    to server: String, limit: Int
  ) throws(CorrectionStoreError) -> (changes: [SharedChange], end: Int64, hasMore: Bool) {
    try read { database in
      try ChangeLog.changes(after: Self.sharing(with: server, in: database).pushed, limit: limit, in: database)
    }
  }

  /// How many changes a server does not have yet.
  package func pushCount(to server: String) throws(CorrectionStoreError) -> Int {
    try read { database in
      try Int.fetchOne(
        database, sql: "SELECT count(*) FROM shared WHERE revision > ?",
        arguments: [Self.sharing(with: server, in: database).pushed]) ?? 0
    }
  }

  /// Notes that a server has all changes up to one.
  func notePushed(_ end: Int64, to server: String, _ receipt: ChangeReceipt) throws(CorrectionStoreError) {
    try write { database in
      var state = try Self.sharing(with: server, in: database)
      state.pushed = max(state.pushed, end)
      func isBeginning(_ place: String?) -> Bool { place.flatMap { ChangeCursor($0) }?.revision == 0 }
      if let before = receipt.before, before == state.pulled || isBeginning(before) && isBeginning(state.pulled) {
        // Nobody else told it anything meanwhile, so that there is nothing to take up.
        (state.pulled, state.proof) = (receipt.next, nil)
      } else {
        state.proof = receipt.next
      }
      try Self.save(state, with: server, in: database)
    }
  }

  /// Notes that a server may have lost what was pushed.
  func noteLost(by server: String) throws(CorrectionStoreError) {
    try write { database in
      var state = try Self.sharing(with: server, in: database)
      (state.pushed, state.proof) = (0, nil)
      try Self.save(state, with: server, in: database)
    }
  }
}
