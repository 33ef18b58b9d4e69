import AisleCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A file that could not be used: which one, why, and what to do.
public struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file or folder, as named.
  public let path: String
  /// What is wrong and the remedy, in one line.
  public let reason: String

  /// Makes an error.
  public init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  /// `path: reason`.
  public var description: String { "\(path): \(reason)" }

  static func fromErrno(_ path: String, doing verb: String) -> FileError {
    FileError(path: path, reason: "cannot \(verb): \(cause(errno))")
  }

  /// The meaning of an `errno` and the remedy, in one line.
  public static func cause(_ code: Int32) -> String {
    let remedy =
      switch code {
      case ENOENT: "; check the name"
      case EACCES: "; check its permissions"
      case EISDIR: "; name a file"
      case ENOSPC: "; free some space or write elsewhere"
      default: ""
      }
    return String(cString: strerror(code)).lowercased() + remedy
  }
}

/// Reads whole files as bytes.
public enum FileReader {
  /// The largest data file that is read: 4 MiB. Handwritten files are a thousand times smaller; a larger file is a mistake.
  public static let maximumBytes = 4 << 20
  /// The remedy for a data file that is too large.
  public static let splitRemedy = "split it into several files"

  /// A file's bytes.
  ///
  /// - Parameters:
  ///   - limit: The most bytes to read.
  ///   - spare: The number of spare bytes to reserve after them.
  ///   - remedy: What to do about a larger file.
  /// - Throws: `FileError` if it cannot be read, is not a regular file, or is larger than `limit`.
  public static func read(
    _ path: String, limit: Int = maximumBytes, spare: Int = 0, remedy: String = splitRemedy
  ) throws(FileError) -> [UInt8] {
    let (descriptor, size) = try open(path, limit: limit, remedy: remedy)
    defer { close(descriptor) }
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: size + spare) { buffer, count in
      while count < size {
        let received = Self.readSome(descriptor, buffer.baseAddress.map { $0 + count }, size - count)
        if received < 0 { failed = true }
        if received <= 0 { break }
        count += received
      }
    }
    if failed { throw .fromErrno(path, doing: "read") }
    return bytes
  }

  /// Opens a file for reading.
  ///
  /// - Returns: Its descriptor, which the caller closes, and its size in bytes.
  /// - Throws: `FileError` if it cannot be opened, is not a regular file, or is larger than `limit`.
  static func open(_ path: String, limit: Int, remedy: String = splitRemedy) throws(FileError) -> (descriptor: Int32, size: Int) {
    if path.utf8.contains(0) { throw FileError(path: "(a path with a NUL byte)", reason: "cannot open; remove the NUL byte") }
    let descriptor = systemOpen(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .fromErrno(path, doing: "open") }
    var isUsable = false
    defer { if !isUsable { close(descriptor) } }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .fromErrno(path, doing: "read") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw FileError(path: path, reason: "is not a regular file; name a file") }
    guard status.st_size <= limit else {
      throw FileError(path: path, reason: "is larger than \(ByteSize.text(limit)); \(remedy)")
    }
    isUsable = true
    return (descriptor, Int(status.st_size))
  }

  /// Reads what is there, up to a number of bytes.
  ///
  /// - Returns: How many were read, 0 at the end; less than 0 where reading failed.
  static func readSome(_ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
    while true {
      let received = systemRead(descriptor, buffer, count)
      if received >= 0 || errno != EINTR { return received }
    }
  }

  /// The names in a folder, sorted; `nil` if the folder does not exist.
  public static func list(_ path: String) -> [String]? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Whether a folder exists.
  public static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether a file exists.
  public static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// The path with all links followed, or `nil` when it does not exist.
  public static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Whether the path itself is a symbolic link.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }
}

/// `read(2)`, by a name that `FileReader.read` does not hide.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}

/// `open(2)` for reading, under a name that `FileReader.open` does not hide.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }
