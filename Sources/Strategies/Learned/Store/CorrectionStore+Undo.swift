import GRDB

extension CorrectionStore {
  /// Takes back the last thing that was done: a correction, an accept or dismiss, a forget, a merge, a renamed section.
  ///
  /// Called again it takes back the one before, up to the last 1,000.
  ///
  /// - Returns: What was undone, e.g. `accept suggestion 12`; `nil` when there is nothing.
  /// - Throws: `CorrectionStoreError`.
  public func undo(time: Int) throws(CorrectionStoreError) -> String? {
    try write { database in
      guard
        let last = try Row.fetchOne(database, sql: "SELECT id, what FROM action WHERE can_undo ORDER BY id DESC LIMIT 1")
      else { return nil }
      let id: Int64 = last["id"]
      let what: String = last["what"]
      let changes = try Row.fetchAll(
        database, sql: "SELECT * FROM change WHERE action = ? ORDER BY revision DESC", arguments: [id])
      var action = try Action("undo \(what)", at: time, canUndo: false, in: database)
      for change in changes {
        if let suggestion: Int = change["suggestion"], let before = Suggestion.State(rawValue: change["state"] ?? "") {
          try action.set(suggestion, to: before, before: before)
        } else if change["existed"] {
          try action.put(Correction(change), key: change["key"])
        } else if let correction: Int64 = change["correction"] {
          try action.remove(correction)
        }
      }
      try database.execute(sql: "UPDATE action SET can_undo = 0 WHERE id = ?", arguments: [id])
      return what
    }
  }
}
