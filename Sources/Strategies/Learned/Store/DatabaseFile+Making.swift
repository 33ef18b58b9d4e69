#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension DatabaseFile {
  /// Makes an empty file, and its folders, for the user alone, all of it on the disk.
  ///
  /// - Throws: `CorrectionStoreError` for a folder that cannot be made.
  func make() throws(CorrectionStoreError) {
    var folder = path.startIndex
    // A folder that cannot be made for want of rights may be there; if it is not, the next one says so.
    var denied: Int32?
    while let slash = path[folder...].dropFirst().firstIndex(of: "/") {
      folder = slash
      let path = String(path[..<slash])
      if mkdir(path, 0o700) == 0 {
        // A folder is there after a loss of power only once the one above is on the disk.
        Self.sync(path + "/..")
      } else if errno == EROFS || errno == EACCES {
        denied = errno
      } else if errno != EEXIST, errno != EISDIR {
        let cause = String(cString: strerror(denied ?? errno)).lowercased()
        throw CorrectionStoreError(name, .system, "cannot create its folder: \(cause); choose another file")
      }
    }
    // What goes wrong here goes wrong again, with a message, when SQLite opens it.
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    if descriptor < 0 { return }
    close(descriptor)
    Self.sync(String(path[..<folder]) + "/")
  }

  private static func sync(_ folder: String) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor < 0 { return }
    fsync(descriptor)
    close(descriptor)
  }
}
