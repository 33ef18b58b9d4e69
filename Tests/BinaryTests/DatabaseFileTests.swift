import Foundation
import GRDB
import Testing

/// What may stand in the place of the corrections' database, and around it.
@Suite struct DatabaseFileTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func file(_ name: String) -> String { "\(folder.path)/\(name)" }

  private func isThere(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name)) }

  /// A database of the second version: the last one without checksums, which anybody can write to.
  private func putVersion2(_ name: String = "aisle.db") throws {
    try folder.makeFolder(".")
    let fixture = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/version-2.db")
    try? FileManager.default.removeItem(atPath: file(name))
    try FileManager.default.copyItem(at: fixture, to: URL(filePath: file(name)))
  }

  private func list(_ name: String = "aisle.db") throws -> String {
    let run = try aisle("corrections", "list", "--db", name, in: folder)
    #expect(run.ending == .exited(0), "\(run.diagnostics)")
    return run.text
  }

  // MARK: Versions and damage

  @Test("A database of the second version is read as it is; the first change gives it checksums, and loses nothing")
  func secondVersion() throws {
    try putVersion2()
    let before = try list()
    let suggestions = try aisle("suggestions", "export", "--db", "aisle.db", in: folder).text
    #expect(before.split(separator: "\n").count == 4 && suggestions.split(separator: "\n").count == 3)
    #expect(try Data(contentsOf: URL(filePath: file("aisle.db")))[63] == 2)
    let corrected = try aisle("correct", "spinach", "Snacks", "--db", "aisle.db", in: folder)
    #expect(corrected.ending == .exited(0), "\(corrected.diagnostics)")
    let bytes = try Data(contentsOf: URL(filePath: file("aisle.db")))
    #expect(bytes[63] == 5 && bytes[20] == 8)
    #expect(try aisle("corrections", "undo", "--db", "aisle.db", in: folder).text == "undone\tcorrect spinach -> Snacks\n")
    #expect(try list() == before)
    #expect(try aisle("suggestions", "export", "--db", "aisle.db", in: folder).text == suggestions)
    #expect(try aisle("doctor", "--db", "aisle.db", in: folder).text.contains("ok\tcorrections file\taisle.db"))
    #expect(
      try aisle("corrections", "undo", "--db", "aisle.db", in: folder).text == "undone\tdismiss suggestion 2\n",
      "what was done before can still be taken back")
  }

  @Test("A changed bit anywhere in what is used: nothing is written, nothing wrong is exported, and doctor sees it")
  func changedBits() throws {
    for item in ["oat milk", "kale", "licorice"] { _ = try aisle("correct", item, "Snacks", "--db", "aisle.db", in: folder) }
    let sound = try Data(contentsOf: URL(filePath: file("aisle.db")))
    let before = try aisle("corrections", "export", "--db", "aisle.db", in: folder).text
    // The last page holds the newest index; the others tables with rows, and empty ones.
    for place in [70, 300, 4096 + 4070, 2 * 4096 + 4, sound.count - 4000, sound.count - 1] {
      var bytes = sound
      bytes[place] ^= 4
      try folder.write(bytes, to: "aisle.db")
      try? FileManager.default.removeItem(atPath: file("aisle.db-index"))
      let corrected = try aisle("correct", "spinach", "Snacks", "--db", "aisle.db", in: folder)
      #expect(corrected.ending == .exited(2) && corrected.text == "", "byte \(place)")
      #expect(corrected.diagnostics.hasPrefix("aisle: aisle.db: "), "byte \(place): \(corrected.diagnostics)")
      #expect(try Data(contentsOf: URL(filePath: file("aisle.db"))) == bytes)
      let exported = try aisle("corrections", "export", "--db", "aisle.db", in: folder)
      let isRight = exported.ending == .exited(0) ? exported.text == before : exported.diagnostics.contains("aisle.db: ")
      #expect(isRight, "byte \(place): \(exported.text)\(exported.diagnostics)")
      let doctor = try aisle("doctor", "--offline", "--db", "aisle.db", in: folder)
      #expect(
        doctor.ending == .exited(1) && doctor.text.contains("wrong\tcorrections file\taisle.db: "),
        "byte \(place): \(doctor.text)")
    }
  }

  // MARK: Others' tables

  static let hostile = [
    ("a view that never ends", "DROP TABLE correction; CREATE VIEW correction AS \(Self.endless)", "view `correction`"),
    (
      "a trigger",
      "CREATE TRIGGER t AFTER INSERT ON correction BEGIN UPDATE correction SET section = 'Other'; END", "trigger `t`"
    ),
    ("another table", "CREATE TABLE notes (text)", "table `notes`"),
    ("a missing index", "DROP INDEX suggestion_state", "lacks index `suggestion_state`"),
    (
      "a computed column", "ALTER TABLE correction ADD COLUMN more TEXT GENERATED ALWAYS AS (upper(item)) VIRTUAL",
      "table `correction`"
    ), ("another index", "CREATE UNIQUE INDEX one ON correction (item)", "index `one`"),
  ]

  private static let endless = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, 'kroger' AS store, 'kale' AS key, 'kale' AS item, \
    'Snacks' AS section, NULL AS shelf, 'x' AS proposer, NULL AS model, 1 AS time FROM n
    """

  @Test("A database with our mark and others' tables is refused by whoever opens it, and left as it is", arguments: hostile)
  func othersTables(name: String, statements: String, words: String) throws {
    try putVersion2()
    do { try DatabaseQueue(path: file("aisle.db")).write { try $0.execute(sql: statements) } }
    let bytes = try Data(contentsOf: URL(filePath: file("aisle.db")))
    for command in [
      ["corrections", "list"], ["corrections", "export"], ["suggestions"], ["correct", "kale", "Snacks"],
      ["corrections", "undo"],
    ] {
      let run = try RunningAisle(command + ["--db", "aisle.db"], in: folder).finish()
      #expect(run.ending == .exited(2) && run.text == "", "\(command)")
      #expect(run.diagnostics.hasPrefix("aisle: aisle.db: ") && run.diagnostics.contains(words), "\(command): \(run.diagnostics)")
    }
    let run = try aisle("categorize", "--db", "aisle.db", input: "kale\n", in: folder)
    #expect(run.text == "kale\tProduce\n" && run.diagnostics.contains("aisle.db: ") && run.diagnostics.contains(words))
    #expect(try aisle("doctor", "--offline", "--db", "aisle.db", in: folder).text.contains(words))
    #expect(try Data(contentsOf: URL(filePath: file("aisle.db"))) == bytes)
  }

  // MARK: Links

  /// A database with the journal of a change that was under way when its process ended.
  private func putHalfWritten(_ name: String) throws {
    try putVersion2("writing.db")
    let queue = try DatabaseQueue(path: file("writing.db"))
    try queue.writeWithoutTransaction { database in
      // Beyond so many pages, changes go to the file before they are committed.
      try database.execute(
        sql: "PRAGMA cache_size = 1; BEGIN IMMEDIATE; DELETE FROM suggestion; UPDATE correction SET section = 'x'")
      for suffix in ["", "-journal"] {
        try FileManager.default.copyItem(atPath: file("writing.db") + suffix, toPath: file(name) + suffix)
      }
      try database.execute(sql: "ROLLBACK")
    }
    let header = try Data(contentsOf: URL(filePath: file(name) + "-journal")).prefix(12)
    try #require(header.count == 12 && header[11] > 0, "there is nothing to take back")
  }

  @Test("What a killed process had half written is taken back also where the database is named by a symbolic link")
  func journalBehindLink() throws {
    try putVersion2("sound.db")
    let before = try list("sound.db")
    for command in [["corrections", "list"], ["categorize"]] {
      try? FileManager.default.removeItem(atPath: file("real"))
      try folder.makeFolder("real")
      try putHalfWritten("real/team.db")
      try? FileManager.default.removeItem(atPath: file("link.db"))
      try FileManager.default.createSymbolicLink(atPath: file("link.db"), withDestinationPath: "real/team.db")
      let run = try RunningAisle(command + ["--db", "link.db"], in: folder).finish()
      #expect(run.ending == .exited(0) && run.diagnostics == "", "\(command): \(run.diagnostics)")
      #expect(try list("link.db") == before)
      #expect(!isThere("real/team.db-journal"))
    }
    _ = try aisle("categorize", "--db", "link.db", in: folder)
    #expect(isThere("real/team.db-index") && !isThere("link.db-index"))
  }

  @Test("A symbolic link to a database that is not there yet makes that one; links in a circle are an error")
  func links() throws {
    try FileManager.default.createSymbolicLink(atPath: file("link.db"), withDestinationPath: "new/team.db")
    #expect(try aisle("correct", "kale", "Snacks", "--db", "link.db", in: folder).ending == .exited(0))
    #expect(isThere("new/team.db"))
    #expect(try list("new/team.db") == list("link.db"))
    try FileManager.default.createSymbolicLink(atPath: file("one.db"), withDestinationPath: "two.db")
    try FileManager.default.createSymbolicLink(atPath: file("two.db"), withDestinationPath: "one.db")
    for command in [["corrections"], ["correct", "kale", "Snacks"]] {
      let run = try RunningAisle(command + ["--db", "one.db"], in: folder).finish()
      #expect(run.ending == .exited(2))
      #expect(run.diagnostics == "aisle: one.db: its symbolic links form a loop; name the file itself\n")
    }
  }

  // MARK: No files

  @Test(
    "A pipe, socket, folder or device in the place of the database or its journal is an error at once, and left alone",
    arguments: ["aisle.db", "aisle.db-journal", "aisle.db-wal"], ["pipe", "socket", "folder", "device", "link to a pipe"])
  func noFiles(name: String, kind: String) throws {
    if name != "aisle.db" { try putVersion2() }
    switch kind {
    case "pipe": #expect(mkfifo(file(name), 0o600) == 0)
    case "socket": try bindSocket(name)
    case "folder": try folder.makeFolder(name)
    case "device": try FileManager.default.createSymbolicLink(atPath: file(name), withDestinationPath: "/dev/zero")
    default:
      #expect(mkfifo(file("pipe"), 0o600) == 0)
      try FileManager.default.createSymbolicLink(atPath: file(name), withDestinationPath: "pipe")
    }
    let words = name == "aisle.db" ? "is not a regular file" : "`\(name)` beside it was not created by aisle; move it away"
    for command in [["corrections"], ["correct", "kale", "Snacks"], ["suggestions", "export"]] {
      let run = try RunningAisle(command + ["--db", "aisle.db"], in: folder).finish()
      #expect(run.ending == .exited(2))
      #expect(run.diagnostics.hasPrefix("aisle: aisle.db: \(words)"), "\(command): \(run.diagnostics)")
    }
    let run = try aisle("categorize", "--db", "aisle.db", input: "kale\n", in: folder)
    #expect(run.text == "kale\tProduce\n" && run.diagnostics.contains(words), "\(run.diagnostics)")
  }

  private func bindSocket(_ name: String) throws {
    // Relative to a short folder: a socket's name has room for some hundred bytes.
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = file(name)
    try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
    try #require(code == 0)
  }

  // MARK: Locks

  @Test("A command that finds the database locked waits until it is not, longer than SQLite does by itself")
  func lock() throws {
    try putVersion2()
    let before = try list()
    let processes = try {
      // Where SQLite puts its locks, https://www.sqlite.org/fileformat.html#the_lock_byte_page: held by this process.
      let descriptor = open(file("aisle.db"), O_RDWR)
      defer { close(descriptor) }
      var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0x4000_0000, l_len: 512, l_pid: 0)
      try #require(fcntl(descriptor, F_SETLK, &lock) == 0)
      let processes = try [["corrections", "list"], ["correct", "spinach", "Snacks"]].map {
        try RunningAisle($0 + ["--db", "aisle.db"], in: folder)
      }
      usleep(6_500_000)
      for process in processes { #expect(process.isRunning) }
      return processes
    }()
    let listed = try processes[0].finish()
    #expect(listed.ending == .exited(0) && listed.diagnostics == "", "\(listed.diagnostics)")
    #expect(listed.text.hasPrefix(before.prefix(20)))
    let corrected = try processes[1].finish()
    #expect(corrected.ending == .exited(0) && corrected.text == "spinach\tSnacks\n", "\(corrected.diagnostics)")
    #expect(try list().contains("spinach"))
  }
}
