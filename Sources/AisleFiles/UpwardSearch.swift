#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Looks for a file or folder in the working folder and the folders above it, within the same project or home folder. The search
/// ends after a folder with `.git`, the home folder, or the root of a file system.
public enum UpwardSearch {
  /// The nearest entry with a name, as a path relative to the working folder; `nil` if there is none.
  ///
  /// - Parameter isWanted: Whether an entry with the name is the right one.
  /// - Complexity: Three or four system calls per folder.
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

  /// The nearest entry with a name, which must be the user's own.
  ///
  /// - Parameter option: The option that names an entry on the command line, for the message.
  /// - Throws: `FileError` if it may be another user's.
  public static func nearestOwn(
    _ name: String, option: String, where isWanted: (String) -> Bool
  ) throws(FileError) -> String? {
    guard let found = nearest(name, where: isWanted) else { return nil }
    guard let fault = Ownership.fault(of: found) else { return found }
    let what = fault.path == found ? fault.reason : "is not used, because \(fault)"
    throw FileError(path: found, reason: "\(what); add \(option) \(found) to use it anyway")
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
