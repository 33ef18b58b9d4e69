import GRDB

/// A place in the changes of a database, which means nothing in another one.
///
/// The number of a change is not enough: a database restored from a backup gives the same numbers to other changes. So each transaction's
/// changes share a random number, its mark, and a cursor names the one that its change has.
struct ChangeCursor: Equatable {
  /// The last change before the place; 0 for the beginning.
  let revision: Int64
  private let mark: Int64

  /// The place before all changes, of whichever database: the one told where there is none yet.
  static let beginning = ChangeCursor(revision: 0, mark: 0)

  /// The place after a change.
  ///
  /// - Returns: `nil` where the database no longer knows its mark.
  init?(after revision: Int64, in database: Database) throws {
    let find = try database.cachedStatement(
      sql: "SELECT mark FROM change_mark WHERE revision <= ? ORDER BY revision DESC LIMIT 1")
    guard let mark = try Int64.fetchOne(find, arguments: [revision]) else { return nil }
    self.init(revision: revision, mark: mark)
  }

  private init(revision: Int64, mark: Int64) { (self.revision, self.mark) = (revision, mark) }

  /// Reads a cursor; `nil` for what is none.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let revision = Int64(parts[0]), revision >= 0, let mark = UInt64(parts[1], radix: 16) else {
      return nil
    }
    self.init(revision: revision, mark: Int64(bitPattern: mark))
  }

  /// The cursor as it is told.
  var text: String { "\(revision)-\(String(UInt64(bitPattern: mark), radix: 16))" }
}
