#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The beginning of a database file, read without opening the database: nothing is locked, and a stranger's file stays untouched.
///
/// The places of its fields are those of SQLite's file format (https://www.sqlite.org/fileformat.html, section 1.3).
struct DatabaseHeader {
  /// What tells one state of the file from another.
  let stamp: DatabaseStamp
  /// Whether the file holds nothing yet.
  let isEmpty: Bool
  private let isDatabase: Bool
  private let isWriteAhead: Bool
  private let application: Int32
  private let version: Int32

  /// Reads the header of a file.
  ///
  /// - Returns: `nil` when there is no such file.
  /// - Throws: `CorrectionStoreError` when it cannot be read.
  init?(path: String) throws(CorrectionStoreError) {
    if path.isEmpty { throw CorrectionStoreError("(an empty path)", .system, "name the file of the corrections") }
    if path.utf8.contains(0) { throw CorrectionStoreError("(a path with a NUL byte)", .system, "remove the NUL byte") }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 {
      if errno == ENOENT { return nil }
      throw CorrectionStoreError(path, .system, "cannot open the corrections: \(String(cString: strerror(errno)).lowercased())")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw CorrectionStoreError(path, .foreign, "is no regular file; name the file of the corrections")
    }
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = read(descriptor, &bytes, bytes.count)
    if count < 0 {
      throw CorrectionStoreError(path, .system, "cannot read the corrections: \(String(cString: strerror(errno)).lowercased())")
    }
    func number(_ offset: Int) -> UInt32 { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
    isEmpty = status.st_size == 0
    isDatabase = count == 100 && bytes.starts(with: "SQLite format 3\0".utf8)
    isWriteAhead = bytes[18] == 2
    application = Int32(bitPattern: number(68))
    version = Int32(bitPattern: number(60))
    stamp = DatabaseStamp(status, counter: number(24))
  }

  /// Whether a journal stands beside a database: someone is writing, or was killed while writing.
  static func hasJournal(_ path: String) -> Bool { !path.utf8.contains(0) && access(path + "-journal", F_OK) == 0 }

  /// Whether a database with a journal is ours, or was about to become it when the journal was begun: a stranger's is left alone.
  static func mayRecover(_ path: String) -> Bool {
    guard let header = try? DatabaseHeader(path: path) else { return false }
    if header.application == CorrectionSchema.applicationID || header.isEmpty { return true }
    // The journal says how many pages there were before: none where the whole database is new.
    let descriptor = open(path + "-journal", O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 20)
    return read(descriptor, &bytes, bytes.count) == bytes.count && bytes[16..<20].allSatisfy { $0 == 0 }
  }

  /// Whether the file is ours and has the newest form.
  var isUpToDate: Bool { isDatabase && application == CorrectionSchema.applicationID && version == CorrectionSchema.version }

  /// Checks that the file is a store of corrections that this version knows.
  ///
  /// - Throws: `CorrectionStoreError`.
  func check(path: String) throws(CorrectionStoreError) {
    if isEmpty { return }
    guard isDatabase, !isWriteAhead else {
      throw CorrectionStoreError(path, .foreign, "is no file of corrections, and was left as it is; use another file")
    }
    try Self.check(application: application, version: version, isEmpty: false, path: path)
  }

  static func check(application: Int32, version: Int32, isEmpty: Bool, path: String) throws(CorrectionStoreError) {
    if isEmpty, application == 0, version == 0 { return }
    guard application == CorrectionSchema.applicationID else {
      throw CorrectionStoreError(
        path, .foreign, "is another program's database, and was left as it is; use another file")
    }
    if version > CorrectionSchema.version {
      throw CorrectionStoreError(
        path, .newer,
        "was written by a newer aisle (format \(version); this one knows \(CorrectionSchema.version)) and was left as it is; "
          + "update aisle")
    }
  }
}

/// What tells one state of a database file from another: a number that each transaction counts up, the file's identity, size and time.
struct DatabaseStamp: Equatable {
  /// The parts, as they go into an index file.
  let words: [UInt64]

  static let wordCount = 5

  init(_ status: stat, counter: UInt32) {
    #if canImport(Darwin)
      let changed = status.st_mtimespec
    #else
      let changed = status.st_mtim
    #endif
    words = [
      UInt64(counter), UInt64(truncatingIfNeeded: status.st_ino), UInt64(truncatingIfNeeded: status.st_size),
      UInt64(truncatingIfNeeded: changed.tv_sec), UInt64(truncatingIfNeeded: changed.tv_nsec),
    ]
  }
}
