import AisleCore

extension SourceLocation {
  /// `line 7` for a place in the file that is spoken of, `path:7` for one in another file.
  func named(in file: String) -> String { path == file ? "line \(line)" : "\(path):\(line)" }
}
