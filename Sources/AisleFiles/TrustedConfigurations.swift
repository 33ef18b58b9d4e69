#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The configurations that a user trusts to run programs, use files elsewhere, and send items away. Each is identified by its path
/// and contents, so an edited file must be trusted again.
///
/// Each is a file in a folder, named by the digest of path and contents. The file contains the path, for people to read.
public struct TrustedConfigurations: Sendable {
  /// The folder, which is created when the first configuration is trusted.
  public let folder: String

  /// Uses a folder that only the user should be able to write to.
  public init(folder: String) { self.folder = folder }

  /// The user's list: `trusted` in the `DataFolder`; `nil` without a home folder.
  public static var standard: TrustedConfigurations? {
    DataFolder.standard.map { TrustedConfigurations(folder: $0 + "/trusted") }
  }

  /// Whether a configuration with these contents is trusted.
  public func contains(_ path: String, _ contents: [UInt8]) -> Bool {
    let entry = entry(path, contents)
    return FileReader.isFile(entry) && Ownership.fault(of: entry) == nil
  }

  /// Trusts a configuration with these contents only.
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
      throw FileError(path: folder, reason: "cannot store the list of trusted configurations: \(fault)")
    }
    try remove(path)
    try FileWriter.replace(entry(path, contents), with: Array((Self.absolute(path) + "\n").utf8))
  }

  /// Withdraws trust from a configuration, whatever its contents.
  ///
  /// - Returns: Whether it was trusted.
  /// - Throws: `FileError`.
  @discardableResult
  public func remove(_ path: String) throws(FileError) -> Bool {
    let named = Array((Self.absolute(path) + "\n").utf8)
    var wasThere = false
    for name in FileReader.list(folder) ?? [] {
      let entry = "\(folder)/\(name)"
      guard FileReader.isFile(entry), (try? FileReader.read(entry)) == named else { continue }
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
