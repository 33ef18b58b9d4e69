/// The function words of items: which words are quantities, where a head ends, what unsays a word. Which words these are, the grammars of
/// languages say.
enum Grammar {
  /// What a word does in an item, as bits in the word table.
  struct Role: OptionSet {
    let rawValue: UInt32
    /// A quantity, unit, size or package: no evidence, and "bag of" does not end a head.
    static let measure = Role(rawValue: 1)
    /// Ends the head: what follows only accompanies ("with", "in", "of").
    static let joins = Role(rawValue: 2)
    /// Ends the head: what follows is a purpose or a lack ("for", "without").
    static let excludes = Role(rawValue: 4)
    /// "of": ends the head unless a measure stands before it.
    static let of = Role(rawValue: 8)
    /// Makes a flavor of the good before it ("flavored", "scented", "style").
    static let flavors = Role(rawValue: 16)
    /// Unsays the good before it ("free").
    static let unsaysBefore = Role(rawValue: 32)
    /// Unsays the good after it ("no", "non"), or makes it a condition ("if").
    static let unsaysAfter = Role(rawValue: 64)
    /// Stands in `moves.txt`.
    static let moves = Role(rawValue: 128)
    /// A word without content ("and", "the", "fresh").
    static let filler = Role(rawValue: 256)
    /// Counts, sizes, or weighs pieces of a product, after a number ("2 large", "3 lb").
    static let counts = Role(rawValue: 512)
    /// What a cook does with a product ("diced").
    static let prepares = Role(rawValue: 1024)
    /// Adds another amount, before a number ("or 1/2 cup").
    static let adds = Role(rawValue: 2048)
    /// Roles of words that are no evidence of their own.
    static let silent: Role = [.measure, .joins, .excludes, .of, .flavors, .unsaysBefore, .unsaysAfter, .filler]
  }
}
