import GRDB

extension CorrectionSchema {
  /// Brings a database up to date, or makes an empty one ours; not called within a transaction.
  ///
  /// Each step leaves a database behind that is whole, whatever ends this in between.
  ///
  /// - Throws: `CorrectionStoreError` for a file that is not ours, too new or damaged; `DatabaseError`.
  /// - Complexity: for pages to get checksums the file is written twice, some 10 s for a million corrections.
  static func update(_ database: Database, _ file: DatabaseFile) throws {
    // Before the transaction: it lays out the first page.
    try PageChecks.reserve(in: database)
    try database.inTransaction(.immediate) {
      let application = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
      let version = try version(of: database)
      let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
      try DatabaseHeader.check(application: application, version: version, isEmpty: isEmpty, file)
      try check(database, file)
      // What has no tables yet has checksums from the first page on, what has some gets them below.
      let isNew = isEmpty && version == 0
      if isNew { try PageChecks.begin(in: database, isEmpty: true) }
      let next = isNew || version >= PageChecks.firstVersion ? self.version : PageChecks.firstVersion - 1
      guard version < next else { return .rollback }
      for statement in steps[Int(version)..<Int(next)].joined() { try database.execute(sql: statement) }
      try database.execute(sql: "PRAGMA application_id = \(applicationID)")
      try database.execute(sql: "PRAGMA user_version = \(next)")
      return .commit
    }
    if try version(of: database) < PageChecks.firstVersion { try addChecks(database, file) }
  }

  /// Gives each page its checksum.
  ///
  /// The first time the file is written, pages get room for it and nothing else, so that taking back what is half done, as SQLite does
  /// after a loss of power, can never put a checksum where a row was. The second time, all pages are written with theirs; until the
  /// version says so nobody asks for them.
  private static func addChecks(_ database: Database, _ file: DatabaseFile) throws {
    let problems = try String.fetchAll(database, sql: "PRAGMA integrity_check(1)")
    if problems != ["ok"] { throw CorrectionStoreError.damaged(file.name, problems.first ?? "unreadable") }
    try database.execute(sql: "VACUUM")
    try PageChecks.begin(in: database)
    var isDone = false
    while !isDone {
      let before = try Int.fetchOne(database, sql: "PRAGMA data_version")
      try database.execute(sql: "VACUUM")
      try database.inTransaction(.immediate) {
        // An older version may have written meanwhile, without checksums: then all are written again.
        isDone = try Int.fetchOne(database, sql: "PRAGMA data_version") == before
        if try !isDone || version(of: database) >= PageChecks.firstVersion { return .rollback }
        for statement in steps[Int(PageChecks.firstVersion - 1)...].joined() { try database.execute(sql: statement) }
        try database.execute(sql: "PRAGMA user_version = \(self.version)")
        return .commit
      }
    }
  }

  private static func version(of database: Database) throws -> Int32 {
    try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
  }
}
