/// Numbers that items have in common when they are near each other, so that the near ones are found without comparing any two.
///
/// A set of words is the sum of its words' mixed keys, whatever their order; quantities are left out before.
enum Signature {
  /// What a word adds to a set.
  @inline(__always)
  static func part(_ key: UInt64) -> UInt64 {
    let mixed = (key ^ key &>> 31) &* 0xD6E8_FEB8_6659_FD93
    return (mixed ^ mixed &>> 32) | 1
  }

  /// What all words in order come to: what was before, and one more.
  @inline(__always)
  static func then(_ before: UInt64, _ part: UInt64) -> UInt64 { (before &+ part) &* 0x9E37_79B1_85EB_CA87 }

  /// The number under which all words in order, with how much, are looked up.
  @inline(__always)
  static func exact(_ words: UInt64) -> UInt64 { whole(words ^ 0xA5A5_5A5A_C3C3_3C3C) }

  /// The number under which a set of words is looked up.
  @inline(__always)
  static func whole(_ set: UInt64) -> UInt64 {
    let mixed = set &* 0x9E37_79B9_7F4A_7C15
    return (mixed ^ mixed &>> 29) &* 0xBF58_476D_1CE4_E5B9
  }

  /// The number of a set of words with one word of which only the beginning or the end is sure.
  @inline(__always)
  static func slip(rest: UInt64, edge: UInt64) -> UInt64 { whole(rest &+ part(edge &+ 0x5851_F42D_4C95_7F2D)) }

  /// The first or last letters of a word as a number.
  @inline(__always)
  static func edge(_ word: UnsafePointer<UInt8>, _ length: Int, _ letters: Int, isEnd: Bool, caseBit: UInt8) -> UInt64 {
    var number: UInt64 = isEnd ? 1 : 2
    let start = isEnd ? length &- letters : 0
    for place in start..<start &+ letters {
      let byte = word[place]
      number = number &<< 8 | UInt64(byte < 0x80 ? byte | caseBit : byte)
    }
    return number &<< 2 | UInt64(truncatingIfNeeded: letters) & 3
  }

  /// The first and the last letter of a word as a number: all that is sure of four letters of which two may be swapped.
  @inline(__always)
  static func ends(_ word: UnsafePointer<UInt8>, _ length: Int, caseBit: UInt8) -> UInt64 {
    let (first, last) = (word[0], word[length &- 1])
    return 3 &<< 16 | UInt64(first < 0x80 ? first | caseBit : first) &<< 8 | UInt64(last < 0x80 ? last | caseBit : last)
  }

  /// In place of an edge: any word may stand beside the rest.
  static let anyEdge: UInt64 = 0

  /// The shortest word in which a slip is looked for; in shorter ones a letter makes
  /// another word too easily.
  static let shortestWord = 4
  /// From this length on the first or last three letters are sure when there is one slip, below it two.
  static let longWord = 7
}
