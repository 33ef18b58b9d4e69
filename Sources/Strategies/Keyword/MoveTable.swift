import AisleCore

/// The taxonomy's moves by the words they go by, laid out to be tried without a copy or a count of references.
struct MoveTable: Sendable {
  /// What a part of an item that comes after the head is joined by.
  enum Accompanying: UInt8 {
    case nothing, afterIn, afterWith

    /// What a move's word as written counts after.
    init(of word: String) { self = word.hasPrefix("in ") ? .afterIn : word.hasPrefix("with ") ? .afterWith : .nothing }
  }

  /// A move as the matcher tries it.
  struct Row: BitwiseCopyable {
    /// The number of the word it goes by.
    fileprivate let word: UInt32
    /// Its place in `Taxonomy.moves`.
    let number: UInt16
    /// The section that it leads to.
    let section: UInt8
    /// Where its word counts: anywhere, or only after the head ("in oil", "with rice").
    let accompanying: Accompanying
    /// The shelves it takes goods from, places in `shelves` from the first on; none for every shelf.
    fileprivate let firstShelf: Int32
    fileprivate let shelfCount: Int32
  }

  private let rows: FlatTable<Row>
  private let shelves: FlatTable<UInt16>

  /// - Parameter number: A word's number by its normalized bytes; 0 for a word that is unknown.
  init(_ taxonomy: Taxonomy, number wordNumber: ([UInt8]) -> UInt32) {
    var rows: ContiguousArray<Row> = []
    var shelves: ContiguousArray<UInt16> = []
    for (number, move) in taxonomy.moves.enumerated() {
      let word = wordNumber(PhraseIndex.keyWord(of: move))
      if word == 0 { continue }
      let first = Int32(shelves.count)
      shelves.append(contentsOf: move.from.lazy.map(\.rawValue))
      rows.append(
        Row(
          word: word, number: UInt16(truncatingIfNeeded: number),
          section: UInt8(truncatingIfNeeded: taxonomy[move.to].section.rawValue),
          accompanying: Accompanying(of: move.word), firstShelf: first, shelfCount: Int32(move.from.count)))
    }
    rows.sort { ($0.word, $0.number) < ($1.word, $1.number) }
    (self.rows, self.shelves) = (FlatTable(rows), FlatTable(shelves))
  }

  /// The moves of a word, by its number, in the order of the file.
  @inline(__always)
  func moves(of word: UInt32) -> UnsafeBufferPointer<Row> {
    var (low, high) = (0, rows.endIndex)
    while low < high {
      let middle = (low &+ high) &>> 1
      if rows.address[middle].word < word { low = middle &+ 1 } else { high = middle }
    }
    var end = low
    while end < rows.endIndex, rows.address[end].word == word { end &+= 1 }
    return UnsafeBufferPointer(start: rows.address + low, count: end &- low)
  }

  /// Whether a move takes goods from a shelf.
  @inline(__always)
  func takes(_ row: Row, from shelf: @autoclosure () -> UInt16) -> Bool {
    if row.shelfCount == 0 { return true }
    let shelf = shelf()
    let first = shelves.address + Int(row.firstShelf)
    for place in 0..<Int(row.shelfCount) where first[place] == shelf { return true }
    return false
  }
}
