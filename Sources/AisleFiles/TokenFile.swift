import AisleCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What a token lets its holder do; each level includes those before it.
public enum Permission: String, Sendable, Comparable, CaseIterable {
  /// Ask for sections, and see stores, corrections, and suggestions.
  case read
  /// Correct, decide suggestions, undo.
  case teach
  /// Let a language model check lists, which costs money.
  case check

  /// Whether one includes less than the other.
  public static func < (left: Permission, right: Permission) -> Bool {
    (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
  }
}

/// A token as it is kept: its digest alone, so that whoever reads the file cannot use it.
public struct Token: Sendable, Hashable {
  /// Who holds it.
  public let name: String
  /// What it is for.
  public let permission: Permission
  /// The SHA-256 digest of its text, in lowercase hexadecimal digits.
  public let digest: String
  /// When it was made, in RFC 3339.
  public let date: String
}

/// The tokens that open a server, in a file of lines that only its owner may read: `NAME CAN DIGEST DATE`.
public struct TokenFile: Sendable {
  /// The file, which need not be there yet.
  public let path: String

  /// Uses a file.
  public init(_ path: String) { self.path = path }

  /// The file in the user's folder of data; `nil` without a home folder.
  public static var standard: TokenFile? { DataFolder.standard.map { TokenFile($0 + "/tokens.txt") } }

  /// All tokens, in the order in which they were made; none where there is no file.
  ///
  /// - Throws: `FileError` for a file that others may read, or a line that is no token.
  public func tokens() throws(FileError) -> [Token] {
    guard FileReader.isFile(path) else { return [] }
    if try KeyFile.isOpen(path) {
      throw FileError(path: path, reason: "others may read or change it; run `chmod 600 \(path)`")
    }
    let text = String(decoding: try FileReader.read(path), as: UTF8.self)
    var tokens: [Token] = []
    for (place, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
    where !line.isEmpty {
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 4, let permission = Permission(rawValue: words[1]), words[2].utf8.count == 64 else {
        throw FileError(
          path: "\(path):\(place + 1)", reason: "not a token; write `NAME read|teach|check DIGEST DATE`, or remove the line")
      }
      tokens.append(Token(name: words[0], permission: permission, digest: words[2], date: words[3]))
    }
    return tokens
  }

  /// Makes a token and adds it to the file.
  ///
  /// - Returns: the token's text, which is kept nowhere.
  /// - Throws: `FileError`, also for a name that is taken.
  public func add(_ name: String, _ permission: Permission, date: String) throws(FileError) -> String {
    try change { tokens throws(FileError) in
      if tokens.contains(where: { $0.name == name }) {
        throw FileError(path: path, reason: "a token named \(name) already exists; revoke it first, or choose another name")
      }
      let text = Self.make()
      tokens.append(Token(name: name, permission: permission, digest: Self.digest(text), date: date))
      return text
    }
  }

  /// Removes a token.
  ///
  /// - Returns: whether there was one of that name.
  /// - Throws: `FileError`.
  public func revoke(_ name: String) throws(FileError) -> Bool {
    if try !tokens().contains(where: { $0.name == name }) { return false }
    return try change { tokens throws(FileError) in
      let count = tokens.count
      tokens.removeAll { $0.name == name }
      return tokens.count < count
    }
  }

  /// Whether a name can be kept: 1 to 64 letters, digits, and `-_.@`.
  public static func isValid(name: String) -> Bool {
    (1...64).contains(name.utf8.count) && name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_.@".utf8.contains($0) }
  }

  /// The digest that a token is kept as.
  public static func digest(_ token: String) -> String { SHA256.hexadecimal(Array(token.utf8)) }

  /// 256 bits by chance, in hexadecimal digits.
  private static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    let digits = (0..<4).map { _ in
      let word = String(generator.next(), radix: 16)
      return String(repeating: "0", count: 16 - word.count) + word
    }
    return "aisle_" + digits.joined()
  }

  /// Changes the tokens while no other process does.
  private func change<Result>(_ body: (inout [Token]) throws(FileError) -> Result) throws(FileError) -> Result {
    try FileWriter.makeFolders(above: path)
    // The folder is locked, since the file is replaced.
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .fromErrno(path, doing: "write") }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 { if errno != EINTR { throw .fromErrno(path, doing: "lock") } }
    var tokens = try tokens()
    let result = try body(&tokens)
    let lines = tokens.map { "\($0.name) \($0.permission.rawValue) \($0.digest) \($0.date)\n" }
    try FileWriter.replace(path, with: Array(lines.joined().utf8), isPrivate: true)
    return result
  }
}
