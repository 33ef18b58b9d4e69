#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Checks whether a file or folder is the user's own: it and the folders above it belong to the user or root, and nobody else can
/// write to them.
///
/// A folder with the sticky bit, such as `/tmp`, may be written by all: nobody can replace there what belongs to somebody else. A group
/// may write where it is the user's private one, which has the user's own number.
public enum Ownership {
  /// Why a path may lead to another user's file.
  public struct Fault: Sendable, Hashable, CustomStringConvertible {
    /// The file or folder at fault: the given one, or one above it.
    public let path: String
    /// What is wrong with it, e.g. `belongs to mallory`.
    public let reason: String

    /// `path reason`.
    public var description: String { "\(path) \(reason)" }
  }

  /// What is wrong with an existing file or folder, its links, or a folder above it; `nil` if nothing is.
  public static func fault(of path: String) -> Fault? {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    guard let resolved = FileReader.resolved(path), let resolvedFolder = FileReader.resolved(folder) else {
      return Fault(path: path, reason: "cannot be examined")
    }
    return fault(of: path, isLinkItself: true) ?? chainFault(resolvedFolder) ?? chainFault(resolved)
  }

  /// What is wrong with a path without links, or a folder above.
  private static func chainFault(_ path: String) -> Fault? {
    var end = path.startIndex
    while end < path.endIndex {
      end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
      if let fault = fault(of: String(path[..<end]), isLinkItself: false) { return fault }
    }
    return fault(of: "/", isLinkItself: false)
  }

  private static func fault(of path: String, isLinkItself: Bool) -> Fault? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return Fault(path: path, reason: "cannot be examined") }
    let user = geteuid()
    if status.st_uid != user, status.st_uid != 0 { return Fault(path: path, reason: "belongs to \(name(of: status.st_uid))") }
    let kind = status.st_mode & S_IFMT
    // A link has no permissions of its own; what it leads to is looked at by itself.
    if isLinkItself, kind == S_IFLNK { return nil }
    if kind == S_IFDIR, status.st_mode & S_ISVTX != 0 { return nil }
    let isPrivateGroup = status.st_gid == status.st_uid
    if status.st_mode & S_IWOTH != 0 || status.st_mode & S_IWGRP != 0 && !isPrivateGroup {
      return Fault(path: path, reason: "can be written by others (to fix that, run: chmod go-w \(path))")
    }
    return nil
  }

  private static func name(of user: uid_t) -> String {
    getpwuid(user).map { "\(String(cString: $0.pointee.pw_name)) (user \(user))" } ?? "user \(user)"
  }
}
