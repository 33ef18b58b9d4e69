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
  /// Whether checking all of it takes a few milliseconds.
  let isSmall: Bool
  private let isDatabase: Bool
  private let isWriteAhead: Bool
  private let application: Int32
  private let version: Int32

  /// The length of the header, and where in it some fields begin.
  static let length = 100
  static let pageSizeOffset = 16
  static let reservedOffset = 20
  static let versionOffset = 60

  /// The number of four bytes, the highest first, that begins at a place.
  static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int32 {
    Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))
  }

  /// Reads the header of a file.
  ///
  /// - Returns: `nil` when there is no such file.
  /// - Throws: `CorrectionStoreError` when it cannot be read.
  init?(_ file: DatabaseFile) throws(CorrectionStoreError) {
    func failure(_ what: String) -> CorrectionStoreError {
      CorrectionStoreError(file.name, .system, "cannot \(what) the corrections: \(String(cString: strerror(errno)).lowercased())")
    }
    var status = stat()
    if stat(file.path, &status) != 0 {
      if errno == ENOENT { return nil }
      throw failure("open")
    }
    // Before it is opened: that alone does something to a pipe or a device.
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw CorrectionStoreError(file.name, .foreign, "is not a regular file; name the corrections file")
    }
    let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 {
      if errno == ENOENT { return nil }
      throw failure("open")
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Self.length)
    let count = fstat(descriptor, &status) == 0 ? read(descriptor, &bytes, bytes.count) : -1
    if count < 0 { throw failure("read") }
    func number(_ offset: Int) -> Int32 { bytes.withUnsafeBytes { Self.number($0, offset) } }
    isEmpty = status.st_size == 0
    isSmall = status.st_size <= Self.smallSize
    isDatabase = count == bytes.count && bytes.starts(with: "SQLite format 3\0".utf8)
    isWriteAhead = bytes[18] == 2
    application = number(68)
    version = number(Self.versionOffset)
    stamp = DatabaseStamp(status, counter: UInt32(bitPattern: number(24)))
  }

  /// Whether a database with a journal is ours, or was about to become it when the journal was begun: a stranger's is left alone.
  static func mayRecover(_ file: DatabaseFile) -> Bool {
    guard let header = try? DatabaseHeader(file) else { return false }
    if header.application == CorrectionSchema.applicationID || header.isEmpty { return true }
    // The journal says how many pages there were before: none where the whole database is new.
    let descriptor = open(file.journal, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 20)
    return read(descriptor, &bytes, bytes.count) == bytes.count && bytes[16..<20].allSatisfy { $0 == 0 }
  }

  /// The largest file that is small, in bytes.
  private static let smallSize = 4 << 20

  /// Whether the file is ours and has the newest form.
  var isUpToDate: Bool { isDatabase && application == CorrectionSchema.applicationID && version == CorrectionSchema.version }

  /// Checks that the file is a store of corrections that this version knows.
  ///
  /// - Throws: `CorrectionStoreError`.
  func check(_ file: DatabaseFile) throws(CorrectionStoreError) {
    if isEmpty { return }
    guard isDatabase, !isWriteAhead else {
      throw CorrectionStoreError(file.name, .foreign, "is not a corrections file and was left as it is; use another file")
    }
    try Self.check(application: application, version: version, isEmpty: false, file)
  }

  /// Checks that a database of this application id and version is a store of corrections that this version knows.
  ///
  /// - Throws: `CorrectionStoreError`.
  static func check(application: Int32, version: Int32, isEmpty: Bool, _ file: DatabaseFile) throws(CorrectionStoreError) {
    if isEmpty, application == 0, version == 0 { return }
    guard application == CorrectionSchema.applicationID else {
      throw CorrectionStoreError(
        file.name, .foreign, "is another program's database and was left as it is; use another file")
    }
    if !(0...CorrectionSchema.version).contains(version) {
      throw CorrectionStoreError(
        file.name, .newer,
        "was written by a newer aisle (format \(version); this one supports \(CorrectionSchema.version)) and was left as it is; "
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
