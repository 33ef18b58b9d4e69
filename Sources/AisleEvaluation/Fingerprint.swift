import AisleCore

/// Numbers that tell one taxonomy from another.
enum Fingerprint {
  /// A number that stands for what a taxonomy says: its sections, shelves, keywords, moves and spellings, wherever they stand.
  ///
  /// - Complexity: O(bytes of all keywords).
  static func of(_ taxonomy: Taxonomy) -> UInt64 {
    var sum = hash(taxonomy.store)
    for section in taxonomy.sections { sum = mix(sum, hash(section.name)) }
    for shelf in taxonomy.shelves { sum = mix(sum, hash(shelf.name) &+ UInt64(shelf.section.rawValue)) }
    let keywords = taxonomy.keywords
    for entry in keywords.entries.elements {
      let text = UnsafeBufferPointer(
        rebasing: keywords.bytes.elements[Int(entry.start)..<Int(entry.start) + Int(entry.length)])
      let place = UInt64(entry.shelf) << 16 | UInt64(entry.section) << 8 | UInt64(entry.strength)
      // A sum, so that the order of lines and files does not matter.
      sum = sum &+ mix(FNV1a.hash(text), place)
    }
    for move in taxonomy.moves {
      let from = move.from.reduce(UInt64(move.to.rawValue)) { mix($0, UInt64($1.rawValue)) }
      sum = sum &+ mix(hash(move.word), from)
    }
    for spelling in taxonomy.spellings { sum = sum &+ mix(hash(spelling.variant), hash(spelling.standard)) }
    if !taxonomy.realWords.isEmpty { sum = sum &+ mix(hash(taxonomy.realWords), 1) }
    for pattern in taxonomy.patterns {
      let place = UInt64(pattern.section.rawValue) << 32 | UInt64(pattern.confidence.bitPattern)
      sum = sum &+ mix(mix(hash(pattern.name), hash(pattern.expression)), place)
    }
    return sum
  }

  /// A number as 16 hexadecimal digits.
  static func text(_ value: UInt64) -> String { FNV1a.text(value) }

  private static func hash(_ text: String) -> UInt64 { FNV1a.hash(text.utf8) }

  private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let mixed = (left ^ right &* 0x9E37_79B9_7F4A_7C15) &* 0xBF58_476D_1CE4_E5B9
    return mixed ^ mixed >> 29
  }
}
