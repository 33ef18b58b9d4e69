import GRDB

/// Something that was done to a store of corrections.
public struct PastAction: Sendable, Hashable {
  /// Its number, by which it is undone.
  public let number: Int
  /// What it was, for people: `correct oat milk -> Snacks`.
  public let what: String
  /// When, in milliseconds since 1970 in UTC.
  public let time: Int
  /// Whether it can still be undone, unless a later action changed the same.
  public let canUndo: Bool
}

extension CorrectionStore {
  /// The last actions, newest first, of up to 1,000 that are remembered.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - number: Only those before this one; `nil` for the last.
  /// - Throws: `CorrectionStoreError`.
  public func actions(last count: Int, before number: Int? = nil) throws(CorrectionStoreError) -> [PastAction] {
    try read { database in
      try Row.fetchAll(
        database,
        sql: "SELECT id, what, time, can_undo FROM action WHERE ?1 IS NULL OR id < ?1 ORDER BY id DESC LIMIT ?2",
        arguments: [number, count]
      ).map {
        PastAction(
          number: try $0.value("id"), what: try $0.value("what"), time: try $0.value("time"), canUndo: try $0.value("can_undo"))
      }
    }
  }
}
