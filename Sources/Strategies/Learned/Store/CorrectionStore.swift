import GRDB

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The corrections and suggestions of a person or a team, in an SQLite file.
///
/// Every change is one transaction that is on the disk when the call returns: a rollback journal and `synchronous=FULL`, since the
/// write-ahead log of SQLite 3.7.0 to 3.51.2 can lose data when two connections write. Several processes may use a store at once;
/// a call that finds it locked waits, up to `patience`.
public final class CorrectionStore: Sendable {
  /// How a store is opened.
  public enum Access: Sendable {
    /// To read; the file must be there.
    case reading
    /// To read and write; where there is no file, opening makes an empty one, and its folder.
    case writing
  }

  /// How long a call waits for other processes, in seconds.
  public static let patience = 60

  /// The longest item, section or name that is stored, in bytes.
  public static let maximumTextBytes = 1024

  /// How many actions are remembered for `undo`.
  static let rememberedActions = 1000

  /// The file.
  public let path: String
  private let queue: DatabaseQueue

  /// Opens a store.
  ///
  /// A file that is not ours, newer than this version or damaged is left as it is.
  ///
  /// - Throws: `CorrectionStoreError` naming the file.
  public init(_ path: String, access: Access = .writing) throws(CorrectionStoreError) {
    self.path = path
    queue = try FileGate.shared.pass { () throws(CorrectionStoreError) in try Self.open(path, access) }
  }

  private static func open(_ path: String, _ access: Access) throws(CorrectionStoreError) -> DatabaseQueue {
    if DatabaseHeader.hasJournal(path) { recover(path) }
    let header = try DatabaseHeader(path: path)
    try header?.check(path: path)
    if access == .reading, header?.isEmpty ?? true {
      throw CorrectionStoreError(path, .missing, "no corrections yet")
    }
    if access == .writing, header == nil { try makeFile(path) }
    do {
      let queue = try DatabaseQueue(path: literal(path), configuration: configuration(access))
      if access == .writing, header?.isUpToDate != true {
        try patiently(path) {
          try queue.writeWithoutTransaction { database in
            try database.inTransaction(.immediate) {
              try CorrectionSchema.update(database, path: path)
              return .commit
            }
          }
        }
      }
      return queue
    } catch {
      throw translated(error, path)
    }
  }

  /// Takes back what a process that was killed had half written, as its journal says; waits for one that is still writing.
  ///
  /// Only opening for writing does that. What goes wrong here is found again, and reported, by who opens the file afterwards.
  static func recover(_ path: String) {
    guard DatabaseHeader.mayRecover(path) else { return }
    _ = try? patiently(path) {
      try DatabaseQueue(path: literal(path), configuration: configuration(.writing)).read {
        _ = try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master")
      }
    }
  }

  /// The path in a form that SQLite takes for a file: `:memory:` and `file:…` would be something else.
  private static func literal(_ path: String) -> String { path.hasPrefix("/") ? path : "./" + path }

  private static func configuration(_ access: Access) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = access == .reading
    configuration.busyMode = .timeout(5)
    configuration.foreignKeysEnabled = true
    configuration.label = "corrections"
    configuration.prepareDatabase { database in
      for pragma in ["synchronous = FULL", "trusted_schema = OFF", "cell_size_check = ON"] {
        try database.execute(sql: "PRAGMA \(pragma)")
      }
    }
    return configuration
  }

  /// Makes an empty file, and its folder, for the user alone.
  private static func makeFile(_ path: String) throws(CorrectionStoreError) {
    try makeFolder(of: path)
    // What goes wrong here goes wrong again, with a message, when SQLite opens it.
    let descriptor = systemOpen(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
  }

  /// Makes the folder that a file is in, and those above it, for the user alone.
  private static func makeFolder(of path: String) throws(CorrectionStoreError) {
    var end = path.startIndex
    while let slash = path[end...].dropFirst().firstIndex(of: "/") {
      end = slash
      if mkdir(String(path[..<slash]), 0o700) != 0, errno != EEXIST, errno != EISDIR, errno != EROFS, errno != EACCES {
        throw CorrectionStoreError(
          path, .system, "cannot make its folder: \(String(cString: strerror(errno)).lowercased())")
      }
    }
  }

  // MARK: Calls

  /// What is wrong with the file, as SQLite's own check sees it; empty when nothing is.
  ///
  /// - Throws: `CorrectionStoreError`.
  /// - Complexity: reads the whole file.
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
      return try FileGate.shared.pass { try Self.patiently(path) { try queue.read(body) } }
    } catch {
      throw Self.translated(error, path)
    }
  }

  /// Writes in one transaction that is on the disk when the call returns.
  func write<Result>(_ body: (Database) throws -> Result) throws(CorrectionStoreError) -> Result {
    do {
      return try FileGate.shared.pass {
        try Self.patiently(path) {
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
      }
    } catch {
      throw Self.translated(error, path)
    }
  }

  /// Tries again while other processes keep the file locked; SQLite itself waits for 5 s each time.
  private static func patiently<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    let end = time(nil) + patience
    while true {
      do { return try body() } catch let error as DatabaseError
        where error.resultCode == .SQLITE_BUSY && time(nil) < end
      {}
    }
  }

  private static func damaged(_ path: String, _ what: String) -> CorrectionStoreError {
    CorrectionStoreError(
      path, .damaged,
      "the corrections are damaged (\(what)); the file was left as it is: put a copy back, or use another file")
  }

  private static func translated(_ error: any Error, _ path: String) -> CorrectionStoreError {
    if let error = error as? CorrectionStoreError { return error }
    guard let error = error as? DatabaseError else {
      return error is RowDecodingError ? damaged(path, "a value that should not be there") : .init(path, .system, "\(error)")
    }
    let message = error.message ?? "\(error.resultCode)"
    switch error.resultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT, .SQLITE_ERROR, .SQLITE_CONSTRAINT:
      return damaged(path, message)
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return CorrectionStoreError(
        path, .busy, "another program has kept it to itself for \(patience) s; end that one, or try again")
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN:
      return CorrectionStoreError(
        path, .system, "cannot be opened or written (\(message)); check the permissions of the file and its folder")
    case .SQLITE_FULL, .SQLITE_IOERR:
      return CorrectionStoreError(path, .system, "cannot be written or read (\(message)); check the disk")
    default: return CorrectionStoreError(path, .system, message)
    }
  }
}

/// `open(2)`, by a name that `CorrectionStore.open` does not hide.
private func systemOpen(_ path: String, _ mode: Int32, _ permissions: mode_t) -> Int32 { open(path, mode, permissions) }
