#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Where a database is: found once, behind symbolic links, since that is where SQLite puts the journal.
struct DatabaseFile {
  /// The file as it was named; errors name it so.
  let name: String
  /// The file itself. It need not be there yet, nor its folder.
  let path: String

  /// As many symbolic links may follow one another, as on Linux.
  private static let maximumLinks = 40

  /// Finds a file; where a symbolic link leads to one that is not there yet, it is that one.
  ///
  /// - Throws: `CorrectionStoreError` for a name that can be no file's, and for links that lead in a circle.
  init(_ name: String) throws(CorrectionStoreError) {
    if name.isEmpty { throw CorrectionStoreError("(an empty path)", .system, "name the corrections file") }
    if name.utf8.contains(0) { throw CorrectionStoreError("(a path with a NUL byte)", .system, "remove the NUL byte") }
    self.name = name
    var path = name
    for _ in 0...Self.maximumLinks {
      if let found = Self.resolved(path) {
        self.path = found
        return
      }
      guard let target = Self.target(of: path) else {
        // SQLite takes a name that begins with `/` or `./` for a file's, whatever else it looks like.
        self.path = (Self.resolved(Self.folder(of: path)) ?? Self.folder(of: path)) + "/" + Self.lastPart(of: path)
        return
      }
      path = target.hasPrefix("/") ? target : Self.folder(of: path) + "/" + target
    }
    throw CorrectionStoreError(name, .system, "its symbolic links form a loop; name the file itself")
  }

  /// The file of rollbacks that SQLite makes beside it while it writes.
  var journal: String { path + "-journal" }

  /// Whether a journal stands beside it: someone is writing, or was killed while writing.
  ///
  /// - Throws: `CorrectionStoreError` for anything else in that place, and in that of a write-ahead log: SQLite would wait for it, or
  ///   believe it.
  func hasJournal() throws(CorrectionStoreError) -> Bool {
    for suffix in ["-wal", "-journal"] {
      var status = stat()
      guard lstat(path + suffix, &status) == 0 else { continue }
      guard suffix == "-journal", status.st_mode & S_IFMT == S_IFREG else {
        throw CorrectionStoreError(
          name, .system, "`\(Self.lastPart(of: path))\(suffix)` beside it was not created by aisle; move it away")
      }
      return true
    }
    return false
  }

  // MARK: Parts

  private static func resolved(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  /// Where a symbolic link leads; `nil` for anything else.
  private static func target(of path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = bytes.withUnsafeMutableBytes { bytes in bytes.baseAddress.map { readlink(path, $0, bytes.count) } ?? -1 }
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  private static func lastPart(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }
}
