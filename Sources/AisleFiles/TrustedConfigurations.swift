#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The configurations that a person trusts to run programs, to use files elsewhere and to send items away: each by its path and its
/// contents, so that an edit asks for trust anew.
///
/// Each is a file in a folder: named by the digest of path and contents, with the path in it for people.
public struct TrustedConfigurations: Sendable {
  /// The folder; it is made when something is trusted first.
  public let folder: String

  /// Uses a folder, which only the user should be able to write.
  public init(folder: String) { self.folder = folder }

  /// The user's: `trusted` in the `DataFolder`; `nil` without a home.
  public static var standard: TrustedConfigurations? {
    DataFolder.standard.map { TrustedConfigurations(folder: $0 + "/trusted") }
  }

  /// Whether a configuration with these contents is trusted.
  public func contains(_ path: String, _ contents: [UInt8]) -> Bool {
    let entry = entry(path, contents)
    return FileReader.isFile(entry) && Ownership.fault(of: entry) == nil
  }

  /// Trusts a configuration with these contents, and no longer with others.
  ///
  /// - Throws: `FileError`.
  public func add(_ path: String, _ contents: [UInt8]) throws(FileError) {
    var end = folder.startIndex
    while end < folder.endIndex {
      end = folder[folder.index(after: end)...].firstIndex(of: "/") ?? folder.endIndex
      let part = String(folder[..<end])
      if !FileReader.isFolder(part) { try FileWriter.makeFolder(part, isPrivate: true) }
    }
    if let fault = Ownership.fault(of: folder) {
      throw FileError(path: folder, reason: "cannot keep what is trusted: \(fault)")
    }
    try remove(path)
    try FileWriter.replace(entry(path, contents), with: Array((Self.absolute(path) + "\n").utf8))
  }

  /// Trusts a configuration no longer, whatever its contents.
  ///
  /// - Returns: Whether it was trusted.
  /// - Throws: `FileError`.
  @discardableResult
  public func remove(_ path: String) throws(FileError) -> Bool {
    let named = Array((Self.absolute(path) + "\n").utf8)
    var wasThere = false
    for name in FileReader.list(folder) ?? [] {
      let entry = "\(folder)/\(name)"
      guard FileReader.isFile(entry), try FileReader.read(entry) == named else { continue }
      guard unlink(entry) == 0 else { throw .fromErrno(entry, doing: "remove") }
      wasThere = true
    }
    return wasThere
  }

  private func entry(_ path: String, _ contents: [UInt8]) -> String {
    "\(folder)/\(SHA256.hexadecimal(Array(Self.absolute(path).utf8) + [0] + contents))"
  }

  private static func absolute(_ path: String) -> String { FileReader.resolved(path) ?? path }
}
