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

  /// Where the rows of a word are.
  private struct Slot: BitwiseCopyable {
    /// The word's number; 0 where the slot is free.
    var word: UInt32 = 0
    var first: UInt32 = 0
    var end: UInt32 = 0
  }

  private let rows: FlatTable<Row>
  private let shelves: FlatTable<UInt16>
  /// By a hash of the words: a word is in the slot of its hash, or in one behind it. Most slots are free.
  private let slots: FlatTable<Slot>
  /// The bits of a hash that count.
  private let mask: Int

  /// - Parameter words: The numbers of the words that its moves go by; 0 for a word that is unknown.
  init(_ taxonomy: Taxonomy, words: FlatTable<UInt32>) {
    precondition(words.count == taxonomy.moves.count)
    var rows: ContiguousArray<Row> = []
    var shelves: ContiguousArray<UInt16> = []
    for (number, (move, word)) in zip(taxonomy.moves, words).enumerated() {
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
    var size = 4
    while size < 4 * rows.count { size *= 2 }
    mask = size - 1
    var slots = ContiguousArray<Slot>(repeating: Slot(), count: size)
    for (place, row) in rows.enumerated() {
      var slot = Self.hash(row.word) & mask
      while slots[slot].word != 0, slots[slot].word != row.word { slot = (slot + 1) & mask }
      if slots[slot].word == 0 { slots[slot] = Slot(word: row.word, first: UInt32(place)) }
      slots[slot].end = UInt32(place + 1)
    }
    self.slots = FlatTable(slots)
  }

  @inline(__always)
  private static func hash(_ word: UInt32) -> Int { Int((word &* 0x9E37_79B1) &>> 12) }

  /// The moves of a word, by its number, in the order of the file.
  @inline(__always)
  func moves(of word: UInt32) -> UnsafeBufferPointer<Row> {
    var slot = Self.hash(word) & mask
    while slots.address[slot].word != word, slots.address[slot].word != 0 { slot = (slot &+ 1) & mask }
    let found = slots.address[slot]
    return UnsafeBufferPointer(start: rows.address + Int(found.first), count: Int(found.end &- found.first))
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
