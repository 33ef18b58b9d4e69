import AisleCore

/// Words that say how much of an item is wanted, not what: `oat milk` and `2 cartons of oat milk` are the same goods.
///
/// Containers that make other goods of their contents (can, jar, tin) are not among them.
struct MeasureWords: Sendable {
  static let shared = MeasureWords()

  private static let text = """
    lb pound oz ounce fl floz g gram gm kg kilo kilogram mg ml milliliter millilitre l liter litre gal gallon qt quart pt pint ct
    count pk pack packet pkg package piece pc pcs each ea dozen doz half quarter couple few some several small medium large xl bag
    box bunch carton bundle multipack family value size sized single double triple twin one two three four five six seven eight
    nine ten twelve x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x12 of a an the our my and more x need get buy please fresh
    """

  /// Keys by their lowest bits, 0 for none; open addressing.
  private let slots: FlatTable<UInt64>

  private init() {
    let words = Words()
    var slots = ContiguousArray<UInt64>(repeating: 0, count: 512)
    for word in Self.text.split(whereSeparator: \.isWhitespace) {
      let key = words.key(ofWord: Array(word.utf8))
      var slot = Int(truncatingIfNeeded: key &>> 16) & 511
      while slots[slot] != 0, slots[slot] != key { slot = (slot + 1) & 511 }
      slots[slot] = key
    }
    self.slots = FlatTable(slots)
  }

  /// Whether a word with this key is one.
  @inline(__always)
  func contains(_ key: UInt64) -> Bool {
    let slots = slots.address
    var slot = Int(truncatingIfNeeded: key &>> 16) & 511
    while slots[slot] != 0 {
      if slots[slot] == key { return true }
      slot = (slot &+ 1) & 511
    }
    return false
  }
}
