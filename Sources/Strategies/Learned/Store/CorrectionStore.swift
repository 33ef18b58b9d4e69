import GRDB
import GRDBSQLite

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The corrections and suggestions of a person or a team, in an SQLite file.
///
/// Every change is one transaction that is on disk when the call returns. The store uses a rollback journal, because the write-ahead
/// log of SQLite 3.7.0 to 3.51.2 can lose data when two connections write; and `synchronous=EXTRA`, because with `FULL` a removed
/// journal may reappear after a power loss and undo the change. Each page has a checksum (`PageChecks`), so that damage is noticed.
/// Several processes may use a store at once; a call that finds it locked waits, up to `patience`.
public final class CorrectionStore: Sendable {
  /// How a store is opened.
  public enum Access: Sendable {
    /// For reading; the file must exist.
    case reading
    /// For reading and writing; if the file does not exist, opening creates an empty one and its folder.
    case writing
  }

  /// How long a call waits for other processes, in seconds.
  public static let patience = 60

  /// The longest item, section, or name that is stored, in bytes.
  public static let maximumTextBytes = 1024

  /// The longest row that is read, in bytes: far longer than any that is written, so that a file of others cannot fill the memory.
  private static let maximumRowBytes: Int32 = 1 << 20

  /// How many actions are remembered for `undo`.
  static let rememberedActions = 1000

  /// The file's path, as named.
  public var path: String { file.name }
  private let file: DatabaseFile
  private let queue: DatabaseQueue
  private let patience: Int

  /// Opens a store.
  ///
  /// A file that is foreign, newer than this version, or damaged is left as it is.
  ///
  /// - Throws: `CorrectionStoreError`, which names the file.
  public convenience init(_ path: String, access: Access = .writing) throws(CorrectionStoreError) {
    try self.init(path, access: access, patience: Self.patience)
  }

  /// Opens a store whose calls wait for other processes for so many seconds.
  init(_ path: String, access: Access, patience: Int) throws(CorrectionStoreError) {
    let file = try DatabaseFile(path)
    self.file = file
    self.patience = patience
    do {
      queue = try Self.patiently(file, patience) { try Self.open(file, access, patience) }
    } catch {
      throw Self.translated(error, path)
    }
  }

  private static func open(_ file: DatabaseFile, _ access: Access, _ patience: Int) throws -> DatabaseQueue {
    if try file.hasJournal() { try recover(file, patience) }
    let header = try DatabaseHeader(file)
    try header?.check(file)
    if access == .reading, header?.isEmpty ?? true {
      throw CorrectionStoreError(file.name, .missing, "no corrections yet")
    }
    if access == .writing, header == nil { try file.make() }
    let queue = try DatabaseQueue(path: file.path, configuration: configuration(access, patience))
    if access == .writing, header?.isUpToDate != true {
      try queue.writeWithoutTransaction { try CorrectionSchema.update($0, file) }
    }
    try queue.read { database in
      try CorrectionSchema.check(database, file)
      // What is damaged elsewhere may keep what is written now from being read again.
      if access == .writing, header?.isSmall == true, let problem = try String.fetchOne(database, sql: "PRAGMA quick_check(1)"),
        problem != "ok"
      {
        throw CorrectionStoreError.damaged(file.name, problem)
      }
    }
    return queue
  }

  /// Takes back what a process that was killed had half written, as its journal says.
  ///
  /// Only opening for writing does that. What goes wrong here is found again, and reported, by who opens the file afterwards.
  ///
  /// - Throws: `DatabaseError` where someone is still writing.
  private static func recover(_ file: DatabaseFile, _ patience: Int) throws {
    guard DatabaseHeader.mayRecover(file) else { return }
    do {
      try DatabaseQueue(path: file.path, configuration: configuration(.writing, patience)).read {
        _ = try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master")
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY { throw error } catch {}
  }

  private static func configuration(_ access: Access, _ patience: Int) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = access == .reading
    configuration.busyMode = .timeout(Double(min(5, patience)))
    configuration.foreignKeysEnabled = true
    configuration.label = "corrections"
    configuration.prepareDatabase { database in
      try PageChecks.install(on: database)
      _ = sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_LENGTH, maximumRowBytes)
      for pragma in ["synchronous = EXTRA", "trusted_schema = OFF", "cell_size_check = ON"] {
        try database.execute(sql: "PRAGMA \(pragma)")
      }
    }
    return configuration
  }

  // MARK: Calls

  /// The problems that SQLite's own check finds in the file; empty for none.
  ///
  /// - Throws: `CorrectionStoreError`.
  /// - Complexity: Reads the whole file.
  public func problems() throws(CorrectionStoreError) -> [String] {
    try setting("integrity_check").filter { $0 != "ok" } + setting("foreign_key_check")
  }

  /// What SQLite says to `PRAGMA name`.
  func setting(_ name: String) throws(CorrectionStoreError) -> [String] {
    try read { database in
      try Row.fetchAll(database, sql: "PRAGMA \(name)").map { row in
        row.databaseValues.map { String.fromDatabaseValue($0) ?? Int.fromDatabaseValue($0).map(String.init) ?? "" }.joined(
          separator: " ")
      }
    }
  }

  /// Reads in one transaction.
  func read<Result>(_ body: (Database) throws -> Result) throws(CorrectionStoreError) -> Result {
    do {
      return try Self.patiently(file, patience) { try queue.read(body) }
    } catch {
      throw Self.translated(error, path)
    }
  }

  /// Writes in one transaction that is on the disk when the call returns.
  func write<Result>(_ body: (Database) throws -> Result) throws(CorrectionStoreError) -> Result {
    do {
      return try Self.patiently(file, patience) {
        try queue.writeWithoutTransaction { database in
          var result: Result?
          try database.inTransaction(.immediate) {
            result = try body(database)
            return .commit
          }
          guard let result else { throw CorrectionStoreError(path, .system, "a change was not written; try again") }
          return result
        }
      }
    } catch {
      throw Self.translated(error, path)
    }
  }

  /// Runs `body` while no other thread has the file open, and again while other processes keep the file locked; SQLite itself waits for 5 s
  /// each time, unless it sees that waiting is no use. Between the tries other threads have their turn. Without patience nobody is waited for.
  private static func patiently<Result>(_ file: DatabaseFile, _ patience: Int, _ body: () throws -> Result) throws -> Result {
    let start = ContinuousClock.now
    while true {
      do {
        if let result = try FileGate.shared.pass(file, waiting: patience > 0, body) { return result }
        throw CorrectionStoreError.inUse(file.name)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
        let waited = ContinuousClock.now - start
        if waited >= .seconds(patience) {
          throw CorrectionStoreError(
            file.name, .busy,
            "another program has kept it locked for \(waited.components.seconds) s; end that program, or try again")
        }
        usleep(10_000)
      }
    }
  }

  private static func translated(_ error: any Error, _ path: String) -> CorrectionStoreError {
    if let error = error as? CorrectionStoreError { return error }
    guard let error = error as? DatabaseError else {
      return error is RowDecodingError ? .damaged(path, "a value that should not be there") : .init(path, .system, "\(error)")
    }
    let message = error.message ?? "\(error.resultCode)"
    switch error.resultCode {
    case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_DATA:
      return .damaged(path, "a page differs from what was written")
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT, .SQLITE_ERROR, .SQLITE_TOOBIG:
      return .damaged(path, message)
    case .SQLITE_CONSTRAINT:
      return CorrectionStoreError(path, .system, "a change contradicts what the file holds (\(message)), and was not made")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return CorrectionStoreError(path, .busy, "another program keeps it locked; end that program, or try again")
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN:
      return CorrectionStoreError(
        path, .system, "cannot be opened or written (\(message)); check the permissions of the file and its folder")
    case .SQLITE_FULL, .SQLITE_IOERR:
      return CorrectionStoreError(path, .system, "cannot be written or read (\(message)); check the disk")
    default: return CorrectionStoreError(path, .system, message)
    }
  }
}
