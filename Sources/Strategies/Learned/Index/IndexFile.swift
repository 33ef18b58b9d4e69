import AisleCore
import FlatFiles

/// The file beside a database that keeps its corrections in the form they are looked up in, so that opening a million of them takes no
/// longer than opening one.
///
/// Nothing depends on it: it is made from the database, used only when it is whole and of the same state, and made anew otherwise.
struct IndexFile {
  /// Where the file is.
  let path: String

  private static let magic: UInt64 = 0x3530_5845_444C_4953  // "SILDEX05"

  /// The file of a database.
  init(database: String) { path = database + "-index" }

  /// What a mapped index was made from.
  struct Contents {
    let index: CorrectionIndex
    /// The state of the database.
    let stamp: [UInt64]
    /// The number of the last change in it.
    let revision: Int64
    /// What tells that change from one of the same number in another copy of the database.
    let lineage: UInt64?
  }

  /// Maps the file; `nil` when there is no good one.
  func load() -> Contents? {
    guard let file = FlatFile(path, magic: Self.magic), file.notes.count == Self.noteCount, file.notes[0] == Self.rowSize,
      let index = CorrectionIndex(file.memory, file.blocks)
    else { return nil }
    return Contents(
      index: index, stamp: Array(file.notes[4...]), revision: Int64(bitPattern: file.notes[1]),
      lineage: file.notes[2] == 0 ? nil : file.notes[3])
  }

  /// Writes the file, all of it or nothing; does nothing when that is not possible.
  func save(_ blocks: [FlatBlock], stamp: [UInt64], revision: Int64, lineage: UInt64?) {
    let notes = [Self.rowSize, UInt64(bitPattern: revision), lineage == nil ? 0 : 1, lineage ?? 0] + stamp
    FlatFile.save(blocks, notes: notes, magic: Self.magic, to: path)
  }

  /// The size of a row, the revision, whether there is a lineage, the lineage, and the stamp.
  private static let noteCount = 4 + DatabaseStamp.wordCount
  private static let rowSize = UInt64(MemoryLayout<CorrectionIndex.Row>.stride)
}
