/// Why a file of blocks is not used.
package enum FlatFileFault: Error, Hashable {
  /// The file does not exist.
  case missing
  /// The file has another version.
  case foreign
  /// The file differs from what was saved.
  case damaged
  /// It cannot be a saved file or cannot be read. The text follows the file's name and says what it is, or why it cannot be read.
  case unusable(String)
}
