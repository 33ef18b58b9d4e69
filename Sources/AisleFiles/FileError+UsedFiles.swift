import FlatFiles

extension FileError {
  /// Makes sure that the indexes in use are what they were when they were opened and checked: before anything counts that was worked out
  /// with them.
  ///
  /// - Throws: `FileError` naming the one that was written to or cut since.
  /// - Complexity: a system call for each.
  package static func checkUsedFiles() throws(FileError) {
    guard let path = FaultGuard.changedFile() else { return }
    throw FileError(path: path, reason: "changed while it was in use; run the command again to rebuild it")
  }
}
