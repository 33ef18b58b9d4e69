#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Writes whole files: a reader sees either the old contents or the new contents, never a part.
public enum FileWriter {
  /// Replaces or creates a file and keeps its permissions. A symbolic link is followed; anything that is not a regular file, such as
  /// `/dev/stdout`, is written in place.
  ///
  /// - Parameter isPrivate: Whether a file that is created is for its owner alone.
  /// - Throws: `FileError`; the file is then as it was.
  public static func replace(_ path: String, with bytes: [UInt8], isPrivate: Bool = false) throws(FileError) {
    try replace([(path, bytes)], isPrivate: isPrivate)
  }

  /// Replaces several files. All are written beside the old ones before the first is replaced, so that a full disk, or a folder that cannot
  /// be written, changes none.
  ///
  /// - Throws: `FileError`.
  public static func replace(_ files: [(path: String, bytes: [UInt8])], isPrivate: Bool = false) throws(FileError) {
    try FileError.checkUsedFiles()
    var staged: [Staged] = []
    defer { for file in staged where file.temporary != file.target { unlink(file.temporary) } }
    for (place, file) in files.enumerated() { staged.append(try stage(file.path, file.bytes, place, isPrivate)) }
    for (place, file) in staged.enumerated() {
      if file.temporary == file.target {
        try write(files[place].bytes, to: open(file.target, O_WRONLY | O_CLOEXEC), file.path)
      } else if rename(file.temporary, file.target) != 0 {
        throw .fromErrno(file.path, doing: "write")
      }
    }
  }

  /// Refuses to replace a file that is being read, by whatever name or link.
  ///
  /// - Throws: `FileError`.
  package static func check(_ path: String, replacesNoneOf inputs: [String]) throws(FileError) {
    var (mine, theirs) = (stat(), stat())
    guard stat(path, &mine) == 0, mine.st_mode & S_IFMT == S_IFREG else { return }
    for input in inputs where stat(input, &theirs) == 0 && mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino {
      throw FileError(path: path, reason: "the input is also the output file; write the output to another file")
    }
  }

  /// Creates a file that does not exist yet.
  ///
  /// - Throws: `FileError`, also if the name already exists, which then stays as it was.
  public static func make(_ path: String, with bytes: [UInt8]) throws(FileError) {
    if path.utf8.contains(0) { throw FileError(path: "(a path with a NUL byte)", reason: "cannot write; remove the NUL byte") }
    try FileError.checkUsedFiles()
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    if descriptor < 0, errno == EEXIST {
      throw FileError(path: path, reason: "already exists and is not overwritten; choose another name or remove it first")
    }
    do { try write(bytes, to: descriptor, path, isLasting: true) } catch {
      if descriptor >= 0 { unlink(path) }
      throw error
    }
  }

  /// A file whose new contents are ready beside it; written in place where the two names are the same.
  private struct Staged {
    let path: String
    let target: String
    let temporary: String
  }

  private static func stage(_ path: String, _ bytes: [UInt8], _ place: Int, _ isPrivate: Bool) throws(FileError) -> Staged {
    if path.utf8.contains(0) { throw FileError(path: "(a path with a NUL byte)", reason: "cannot write; remove the NUL byte") }
    let target = FileReader.resolved(path) ?? path
    var status = stat()
    let exists = stat(target, &status) == 0
    if exists, status.st_mode & S_IFMT != S_IFREG {
      if status.st_mode & S_IFMT == S_IFDIR { throw FileError(path: path, reason: "is a folder; name a file") }
      return Staged(path: path, target: target, temporary: target)
    }
    // By chance, since a process that was killed leaves its file behind, and its number comes again.
    let temporary = "\(target).\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).\(place).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, isPrivate ? 0o600 : 0o666)
    if descriptor >= 0, exists { fchmod(descriptor, status.st_mode & 0o7777) }
    do {
      try write(bytes, to: descriptor, path, isLasting: true)
    } catch {
      if descriptor >= 0 { unlink(temporary) }
      throw error
    }
    return Staged(path: path, target: target, temporary: temporary)
  }

  /// Creates a folder unless it exists. Its parent folder must exist.
  ///
  /// - Parameter isPrivate: Whether only the user has access to it.
  /// - Throws: `FileError`.
  public static func makeFolder(_ path: String, isPrivate: Bool = false) throws(FileError) {
    if mkdir(path, isPrivate ? 0o700 : 0o777) != 0, !FileReader.isFolder(path) {
      throw .fromErrno(path, doing: "create the folder")
    }
  }

  /// Creates the folders above a file that do not exist yet.
  ///
  /// - Throws: `FileError`.
  public static func makeFolders(above path: String) throws(FileError) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    let folder = String(path[..<slash])
    if FileReader.resolved(folder) != nil { return }
    try makeFolders(above: folder)
    try makeFolder(folder)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String, isLasting: Bool = false) throws(FileError) {
    guard descriptor >= 0 else { throw .fromErrno(path, doing: "write") }
    var offset = 0
    var failure: FileError?
    bytes.withUnsafeBytes { buffer in
      while offset < buffer.count, failure == nil {
        let sent = systemWrite(descriptor, buffer.baseAddress.map { $0 + offset }, buffer.count - offset)
        if sent >= 0 { offset += sent } else if errno != EINTR { failure = .fromErrno(path, doing: "write") }
      }
    }
    if failure == nil, isLasting, fsync(descriptor) != 0 { failure = .fromErrno(path, doing: "write") }
    if close(descriptor) != 0, failure == nil { failure = .fromErrno(path, doing: "write") }
    if let failure { throw failure }
  }
}

/// `write(2)`, by a name that `FileWriter.write` does not hide.
private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, buffer, count)
}
