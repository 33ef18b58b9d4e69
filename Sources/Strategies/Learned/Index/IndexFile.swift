import AisleCore
package import FlatFiles

/// The file beside a database that keeps its corrections in the form they are looked up in, so that opening a million of them takes no
/// longer than opening one.
///
/// Nothing depends on it: it is made from the database, used only when it is of the same state, and made anew otherwise. Each page of it is
/// checked when it is first read.
package struct IndexFile {
  /// Where the file is.
  package let path: String

  private static let magic: UInt64 = 0x3730_5845_444C_4953  // "SILDEX07"

  /// The file of a database by its name: it is beside the database itself, wherever a symbolic link to that is.
  package init(database name: String) { path = ((try? DatabaseFile(name))?.path ?? name) + Self.suffix }

  /// The file of a database that was found.
  init(_ database: DatabaseFile) { path = database.path + Self.suffix }

  private static let suffix = "-index"

  /// What an index was made from.
  struct Contents {
    let index: CorrectionIndex
    /// The state of the database.
    let stamp: [UInt64]
    /// The number of the last change in it.
    let revision: Int64
    /// What tells that change from one of the same number in another copy of the database.
    let lineage: UInt64?
  }

  /// Opens the file.
  func load() throws(FlatFileFault) -> Contents {
    let file = try PagedFile(path, magic: Self.magic)
    guard file.notes.count == Self.noteCount, file.notes[0] == Self.rowSize else { throw .foreign }
    guard let index = CorrectionIndex(PageMap(file), file.blocks) else { throw .damaged }
    return Contents(
      index: index, stamp: Array(file.notes[4...]), revision: Int64(bitPattern: file.notes[1]),
      lineage: file.notes[2] == 0 ? nil : file.notes[3])
  }

  /// Checks all of the file; its size in bytes.
  ///
  /// - Complexity: O(size).
  package func check() throws(FlatFileFault) -> Int { try PagedFile.check(path, magic: Self.magic) }

  /// Writes the file, all of it or nothing; does nothing when that is not possible.
  func save(_ blocks: [FlatBlock], stamp: [UInt64], revision: Int64, lineage: UInt64?) {
    let notes = [Self.rowSize, UInt64(bitPattern: revision), lineage == nil ? 0 : 1, lineage ?? 0] + stamp
    FlatFile.save(blocks, notes: notes, magic: Self.magic, to: path)
  }

  /// The size of a row, the revision, whether there is a lineage, the lineage, and the stamp.
  private static let noteCount = 4 + DatabaseStamp.wordCount
  private static let rowSize = UInt64(MemoryLayout<CorrectionIndex.Row>.stride)
}
