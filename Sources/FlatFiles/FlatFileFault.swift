/// Why a file of blocks is not used.
package enum FlatFileFault: Error, Hashable {
  /// There is none.
  case missing
  /// It is one of another version.
  case foreign
  /// It is not as it was saved.
  case damaged
  /// It cannot be a file that was saved, or cannot be read; what it is instead, or why not, in words that follow the file's name.
  case unusable(String)
}
