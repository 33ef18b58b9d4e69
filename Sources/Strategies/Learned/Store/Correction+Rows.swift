import GRDB

extension Correction {
  /// The statement that gives corrections with who accepted them.
  static let rows =
    "SELECT correction.*, acceptance.person AS accepter FROM correction LEFT JOIN acceptance ON acceptance.correction = correction.id"

  /// Reads a row of corrections, or of changes to them; who accepted it only where the row says so.
  init(_ row: Row) throws {
    try self.init(
      store: row.value("store"), item: row.value("item"), section: row.value("section"), shelf: row.value("shelf"),
      origin: Origin(
        proposer: row.value("proposer"), model: row.value("model"),
        accepter: row.hasColumn("accepter") ? row.value("accepter") : nil, time: row.value("time")))
  }

  /// Whether this one stands when the two meet: the newer; of two of the same time the one that all machines agree on.
  func isNewer(than other: Correction) -> Bool {
    if origin.time != other.origin.time { return origin.time > other.origin.time }
    func rank(_ correction: Correction) -> [String] {
      let origin = correction.origin
      return [
        correction.section, correction.item, correction.shelf ?? "", origin.proposer, origin.model ?? "", origin.accepter ?? "",
      ]
    }
    return rank(other).lexicographicallyPrecedes(rank(self))
  }
}
