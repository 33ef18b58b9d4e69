import GRDB
import GRDBSQLite

/// Checksums of a database's pages: what is read was written so, or reading it fails with `SQLITE_IOERR_DATA`.
///
/// SQLite leaves the last eight bytes of each page alone when the header says so; they hold a checksum over the rest of the page and the
/// page's number. Rows, indexes, the table of tables, counters and the list of free pages are all in pages: nothing is left out, a page
/// that is lost or in another one's place shows, and whoever reads or writes rows need not think of it. It is what SQLite's own extension
/// does (https://www.sqlite.org/cksumvfs.html), which no system library has, and which does not see that pages changed places.
///
/// A database that has them says so by its version. SQLite calls its methods for a file through a pointer that is part of its interface;
/// this stands in for three of them, for one connection and its database alone, until the file is closed.
///
/// - Complexity: less than 1 µs a page of 4 KiB that SQLite reads or writes; it caches 2 MiB of them.
struct PageChecks {
  /// The first version of which each page has a checksum.
  static let firstVersion = PageChecksum.firstVersion

  /// The length of a checksum.
  private static let length = PageChecksum.length

  /// SQLite's methods, some replaced. It comes first: SQLite's pointer to the methods is how they find the rest.
  private var methods: sqlite3_io_methods
  private let original: UnsafePointer<sqlite3_io_methods>
  /// Whether the header that was last read or written says that the file has checksums, and that pages have room for them.
  private var (isChecked, hasRoom) = (false, false)
  /// The length of a page, as the header says.
  private var pageSize = 0
  /// Whether pages get checksums before the header says so.
  private var isBegun = false

  private typealias File = UnsafeMutablePointer<sqlite3_file>

  // MARK: A connection

  /// Checks what a connection reads and writes from here on.
  ///
  /// - Throws: `DatabaseError`.
  static func install(on database: Database) throws {
    // What is mapped into memory would be read past the checks.
    try database.execute(sql: "PRAGMA mmap_size = 0")
    let file = try file(of: database)
    guard let original = file.pointee.pMethods else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
    let checks = UnsafeMutablePointer<PageChecks>.allocate(capacity: 1)
    checks.initialize(to: PageChecks(original))
    file.pointee.pMethods = UnsafeRawPointer(checks).assumingMemoryBound(to: sqlite3_io_methods.self)
  }

  /// Has pages that SQLite lays out anew, in an empty database or by `VACUUM`, leave room for checksums.
  ///
  /// - Throws: `DatabaseError`.
  static func reserve(in database: Database) throws {
    var length = Int32(length)
    try check(sqlite3_file_control(database.sqliteConnection, nil, SQLITE_FCNTL_RESERVE_BYTES, &length))
  }

  /// Gives each page that is written from here on a checksum. The pages must have room for it, or the database must be empty.
  ///
  /// - Throws: `DatabaseError`.
  static func begin(in database: Database, isEmpty: Bool = false) throws {
    guard let checks = of(try file(of: database)) else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
    if isEmpty { checks.pointee.hasRoom = true }
    checks.pointee.isBegun = true
  }

  private static func file(of database: Database) throws -> File {
    var file: File?
    try withUnsafeMutablePointer(to: &file) {
      try check(sqlite3_file_control(database.sqliteConnection, nil, SQLITE_FCNTL_FILE_POINTER, $0))
    }
    guard let file else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
    return file
  }

  private static func check(_ code: Int32) throws {
    if code != SQLITE_OK { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  // MARK: Its file

  private init(_ original: UnsafePointer<sqlite3_io_methods>) {
    self.original = original
    methods = original.pointee
    // The first version of the methods has no write-ahead log and no mapped memory.
    methods.iVersion = 1
    methods.xClose = { file in
      guard let file, let checks = PageChecks.of(file) else { return SQLITE_MISUSE }
      let original = checks.pointee.original
      file.pointee.pMethods = original
      checks.deinitialize(count: 1)
      checks.deallocate()
      return original.pointee.xClose(file)
    }
    methods.xRead = { file, bytes, count, offset in
      guard let file, let checks = PageChecks.of(file) else { return SQLITE_MISUSE }
      let code = checks.pointee.original.pointee.xRead(file, bytes, count, offset)
      let verdict = checks.pointee.verdict(on: UnsafeRawBufferPointer(start: bytes, count: Int(count)), from: Int(offset), code)
      return verdict == SQLITE_OK ? checks.pointee.verdictOnPage(around: Int(count), at: Int(offset), in: file) : verdict
    }
    methods.xWrite = { file, bytes, count, offset in
      guard let file, let checks = PageChecks.of(file) else { return SQLITE_MISUSE }
      // A page's reserved bytes are nobody else's, in SQLite's memory too.
      let page = UnsafeMutableRawBufferPointer(start: UnsafeMutableRawPointer(mutating: bytes), count: Int(count))
      checks.pointee.mark(page, at: Int(offset))
      return checks.pointee.original.pointee.xWrite(file, bytes, count, offset)
    }
  }

  private static func of(_ file: File) -> UnsafeMutablePointer<PageChecks>? {
    file.pointee.pMethods.map { UnsafeMutableRawPointer(mutating: $0).assumingMemoryBound(to: PageChecks.self) }
  }

  /// What SQLite is told about bytes that were read: `code`, unless they are a page that is not as it was written.
  private mutating func verdict(on bytes: UnsafeRawBufferPointer, from offset: Int, _ code: Int32) -> Int32 {
    if code == SQLITE_OK { see(bytes, at: offset) }
    guard isChecked, Self.isPage(bytes.count, offset) else { return code }
    switch code {
    case SQLITE_OK:
      let noted = bytes.loadUnaligned(fromByteOffset: bytes.count - Self.length, as: UInt64.self)
      let isSound = UInt64(littleEndian: noted) == PageChecksum.checksum(bytes, Self.number(bytes.count, offset))
      return isSound ? code : ResultCode.SQLITE_IOERR_DATA.rawValue
    // A page that should be there, and is not or not wholly.
    case ResultCode.SQLITE_IOERR_SHORT_READ.rawValue: return ResultCode.SQLITE_IOERR_DATA.rawValue
    default: return code
    }
  }

  /// What SQLite is told about a part of a page, as newer versions read long texts: whether the whole of it is as it was written.
  private func verdictOnPage(around count: Int, at offset: Int, in file: File) -> Int32 {
    guard isChecked, pageSize >= 512, offset >= pageSize, !Self.isPage(count, offset) else { return SQLITE_OK }
    let page = UnsafeMutableRawBufferPointer.allocate(byteCount: pageSize, alignment: 8)
    defer { page.deallocate() }
    let start = offset - offset % pageSize
    let code = original.pointee.xRead(file, page.baseAddress, Int32(pageSize), Int64(start))
    var checks = self
    return checks.verdict(on: UnsafeRawBufferPointer(page), from: start, code)
  }

  /// Gives a page that is to be written its checksum.
  private mutating func mark(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) {
    see(UnsafeRawBufferPointer(bytes), at: offset)
    guard hasRoom, isChecked || isBegun, Self.isPage(bytes.count, offset) else { return }
    let checksum = PageChecksum.checksum(UnsafeRawBufferPointer(bytes), Self.number(bytes.count, offset))
    bytes.storeBytes(of: checksum.littleEndian, toByteOffset: bytes.count - Self.length, as: UInt64.self)
  }

  /// Learns from the file's header whether its pages have checksums.
  private mutating func see(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    guard offset == 0, bytes.count >= DatabaseHeader.length else { return }
    isChecked = DatabaseHeader.number(bytes, DatabaseHeader.versionOffset) >= Self.firstVersion
    pageSize = Int(bytes[DatabaseHeader.pageSizeOffset]) << 8 | Int(bytes[DatabaseHeader.pageSizeOffset + 1]) << 16 & 0x1_0000
    hasRoom = bytes[DatabaseHeader.reservedOffset] == UInt8(Self.length)
  }

  /// SQLite reads and writes whole pages, and shorter parts of the header.
  private static func isPage(_ count: Int, _ offset: Int) -> Bool {
    count >= 512 && count & (count - 1) == 0 && offset & (count - 1) == 0
  }

  private static func number(_ count: Int, _ offset: Int) -> UInt64 { UInt64(offset / count) + 1 }
}
