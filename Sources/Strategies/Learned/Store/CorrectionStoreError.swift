/// A corrections file that could not be used: which file, why, and what to do.
public struct CorrectionStoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of error.
  public enum Kind: Sendable, Hashable {
    /// The file does not exist.
    case missing
    /// The file is not a corrections file; it was left as it is.
    case foreign
    /// The file was written by a newer version of the tool; it was left as it is.
    case newer
    /// The file is damaged; it was left as it is.
    case damaged
    /// Another program kept it locked for too long.
    case busy
    /// The system refused: permissions, a full disk, and so on.
    case system
    /// The data cannot be stored.
    case invalid
  }

  /// The file.
  public let path: String
  /// The kind of error.
  public let kind: Kind
  /// What is wrong and the remedy, in one line.
  public let reason: String

  init(_ path: String, _ kind: Kind, _ reason: String) {
    self.path = path
    self.kind = kind
    self.reason = reason
  }

  /// A file that another thread of this process has open.
  static func inUse(_ path: String) -> CorrectionStoreError {
    CorrectionStoreError(path, .busy, "another thread is using it; try again")
  }

  /// A file whose contents are not what was written.
  static func damaged(_ path: String, _ what: String) -> CorrectionStoreError {
    CorrectionStoreError(
      path, .damaged,
      "the corrections are damaged (\(what)); the file was left as it is; restore a backup, or use another file")
  }

  /// `path: reason`; the reason alone where the file is not at fault.
  public var description: String { kind == .invalid ? reason : "\(path): \(reason)" }
}
