#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Reads a key from a file that only its owner may read.
public enum KeyFile {
  /// The most bytes of such a file.
  private static let limit = 64 * 1024

  /// The file's first line, without surrounding spaces.
  ///
  /// - Throws: `FileError` if the file cannot be read, others can read or write it, or it has no key. The error never contains the key.
  public static func read(_ path: String) throws(FileError) -> String {
    let bytes = try FileReader.read(path, limit: limit, remedy: "write only the key in it")
    if try isOpen(path) { throw FileError(path: path, reason: "others can read the key in it; run `chmod 600 \(path)`") }
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    let text = String(decoding: line, as: UTF8.self).split(whereSeparator: { $0 == " " || $0 == "\t" })
    guard text.count == 1, let key = text.first.map(String.init), isKey(key) else {
      throw FileError(path: path, reason: "its first line is not a key; write only the key in it")
    }
    return key
  }

  /// Whether others than its owner may read or change a file.
  static func isOpen(_ path: String) throws(FileError) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .fromErrno(path, doing: "read") }
    return status.st_mode & 0o077 != 0
  }

  /// Whether a text can be a key: printable ASCII without spaces, so that it cannot break out of a header.
  public static func isKey(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } }
}
