#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Looks for a file or folder in the working folder and those above it, no further than the one project or person goes that the
/// working folder belongs to: a folder with `.git`, the home folder and the root of a file system are the last that count.
public enum UpwardSearch {
  /// The nearest entry of a name, as a path relative to the working folder; `nil` when there is none.
  ///
  /// - Parameter isWanted: Whether what has the name is what is looked for.
  /// - Complexity: three or four system calls a folder.
  public static func nearest(_ name: String, where isWanted: (String) -> Bool) -> String? {
    let home = getenv("HOME").flatMap { Place(String(cString: $0)) }
    var (up, here) = ("", Place("."))
    while let folder = here {
      if isWanted(up + name) { return up + name }
      let above = Place(up + "..")
      if folder == home || folder == above || folder.device != above?.device || access(up + ".git", F_OK) == 0 { return nil }
      up += "../"
      here = above
    }
    return nil
  }

  /// The nearest entry of a name, which must be the user's own.
  ///
  /// - Parameter option: What names an entry on the command line, for the message.
  /// - Throws: `FileError` when it may be another user's word.
  public static func nearestOwn(
    _ name: String, option: String, where isWanted: (String) -> Bool
  ) throws(FileError) -> String? {
    guard let found = nearest(name, where: isWanted) else { return nil }
    guard let fault = Ownership.fault(of: found) else { return found }
    let what = fault.path == found ? fault.reason : "is not used, since \(fault)"
    throw FileError(path: found, reason: "\(what); \(option) \(found) uses it all the same")
  }

  /// What tells a folder from every other.
  private struct Place: Equatable {
    let device: UInt64
    private let node: UInt64

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (device, node) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
    }
  }
}
