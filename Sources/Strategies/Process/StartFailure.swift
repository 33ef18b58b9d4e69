#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Why a program cannot be started, and what to do: the system's own words name neither the file nor the remedy.
enum StartFailure {
  /// The most bytes of a program that are looked at.
  private static let glance = 256

  /// What is wrong, in a few words.
  ///
  /// - Parameter code: What the system said.
  static func text(_ program: String, _ code: Int32) -> String {
    guard program.contains("/") else { return searched(program, code) }
    return explained(program, code)
  }

  /// Of a program that was looked for in `PATH`.
  private static func searched(_ program: String, _ code: Int32) -> String {
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/bin:/usr/bin"
    let candidates = folders.split(separator: ":").map { "\($0)/\(program)" }
    if let found = candidates.first(where: { isFile($0) && access($0, X_OK) == 0 }) { return explained(found, code) }
    if let found = candidates.first(where: isFile) { return explained(found, code) }
    return "no such program in PATH; write its path, or move it to a folder in PATH"
  }

  private static func explained(_ path: String, _ code: Int32) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else {
      switch errno {
      case ENOENT:
        return "no such file; check the path: a path with a slash is relative to the configuration or to the working folder"
      case ENOTDIR: return "no such file: part of its path is not a folder"
      case EACCES: return "access to a folder in its path is denied; check its permissions"
      default: return System.cause(errno).lowercased()
      }
    }
    if status.st_mode & S_IFMT == S_IFDIR { return "is a folder; name a program in it" }
    if access(path, X_OK) != 0 { return "is not executable; run `chmod +x \(path)`" }
    switch code {
    case ENOENT, EACCES, ENOTDIR, ELOOP:
      guard let interpreter = interpreter(of: path) else { break }
      if interpreter.hasSuffix("\r") {
        return "it has Windows line endings, so its interpreter is not found; run `sed -i 's/\\r$//' \(path)`"
      }
      let line = "its first line names the interpreter `\(Printable.text(interpreter.utf8, limit: glance))`"
      if isFile(interpreter), access(interpreter, X_OK) != 0 { return "\(line), which is not executable; correct the line" }
      if isFile(interpreter) { break }
      return "\(line), which does not exist; install it, or correct the line"
    case ENOEXEC: return "is not a program for this system; a script must begin with a line such as `#!/usr/bin/env python3`"
    default: break
    }
    return System.cause(code).lowercased()
  }

  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// The program that a script's first line names; `nil` where it names none.
  private static func interpreter(of path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let bytes = [UInt8](unsafeUninitializedCapacity: glance) { buffer, count in
      count = max(0, read(file, buffer.baseAddress, glance))
    }
    guard bytes.starts(with: [UInt8(ascii: "#"), UInt8(ascii: "!")]) else { return nil }
    let line = bytes.dropFirst(2).prefix { $0 != 0x0A }.split { $0 == 0x20 || $0 == 0x09 }
    return line.first.map { String(decoding: $0, as: UTF8.self) }
  }
}
