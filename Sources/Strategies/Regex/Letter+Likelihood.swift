/// How often letters are met in items, so that a pattern waits for what is rare.
extension Letter {
  /// How likely a letter of an item is of one of these kinds.
  static func likelihood(_ set: Kinds) -> Double { set == all ? 1 : min(1, members(set).reduce(0) { $0 + shares[$1] }) }

  /// How likely an item goes on with a letter of one of these kinds, after one of some others.
  static func likelihood(_ set: Kinds, after before: Kinds) -> Double {
    let isNumber = set & ~digits == 0
    if before != 0, before & ~digits == 0 {
      // Numbers have several digits, and a blank behind them.
      if isNumber { return 0.04 * Double(set.nonzeroBitCount) }
      return set & blanks != 0 ? 0.4 : likelihood(set) / 2
    }
    if isNumber, let before = column(before) {
      return (before == blankColumn ? 0.01 : 0.0005) * Double(set.nonzeroBitCount)
    }
    guard let row = column(before), let column = column(set) else { return likelihood(set) }
    return pairs[row][column]
  }

  /// How likely a text stands at a given place of an item.
  static func likelihood(of text: some Sequence<Kinds>) -> Double {
    var (likelihood, before) = (1.0, nil as Kinds?)
    for set in text {
      likelihood *= before.map { Self.likelihood(set, after: $0) } ?? Self.likelihood(set)
      before = set
    }
    return likelihood
  }

  private static let blankColumn = 26

  /// The column of a set of one letter, or of blanks; `nil` for other sets.
  private static func column(_ set: Kinds) -> Int? {
    if set & ~blanks == 0, set != 0 { return blankColumn }
    let kind = set.trailingZeroBitCount
    return set.nonzeroBitCount == 1 && (1...26).contains(kind) ? kind - 1 : nil
  }

  private static let shares: [Double] = {
    // Percent of letters, a to z, in English.
    let letters = [
      8.2, 1.5, 2.8, 4.3, 12.7, 2.2, 2, 6.1, 7, 0.2, 0.8, 4, 2.4, 6.7, 7.5, 1.9, 0.1, 6, 6.3, 9.1, 2.8, 1, 2.4, 0.2, 2, 0.1,
    ]
    var shares = [Double](repeating: 0.001, count: 64)
    for (place, percent) in letters.enumerated() { shares[place + 1] = percent / 100 }
    for digit in 27..<37 { shares[digit] = 0.01 }
    shares[Int(kinds[0x20])] = 0.12
    return shares
  }()

  /// How likely each letter of a to z and the blank comes after each: counted in the 43,000 keywords of the Kroger store, and written
  /// as the power of a half, `a` for 1, `b` for a half, up to `p` for what hardly ever comes.
  private static let pairs: [[Double]] = [
    "jfeejhfififeedjfkdeefghigid", "cglldlmjemldlkdmjdgndmppfkf", "dlhmdnmcfpdfmldmnejgfmppilf", "eikfdkhjdkjfjjempefkgjhpfkb",
    "digeehgjhkjegeiglddejihhgic", "ellmdelpdpndlneppchffpnnimd", "dknodjfeemmfkgejndfieplnhoc", "dikjcmmlcpjiiidjofigfliphpc",
    "fhdfehflkjhdfcffifeeigkfjge", "ckppdllpdhppipdlpjkkcjjpjpg", "ejkkcgkhdmhfjhfipgegglipgpc", "dhifcijldmgdgieiolfffikpgld",
    "cfhldklkclmjgkdemigkemnohnd", "eifedidkejgjjffkkkeefkkmhic", "fgffhggigjfefdefldfeegfigfd", "diildjngdlhelndeoeehfomohnd",
    "jkpkppppipppppjpkpkkapjpppe", "dghfdigjdlggggdimffffijlfkd", "ekfmellefohhhhefhkfdfngphlb", "digmckleelkghidlpefefmioghc",
    "ffegeffkejheediekdddkimjjif", "dppjbplpcpkilpekpilmjpppfpg", "cgkedilddpkgjfekpfgiiplpipd", "gihpeilkeppiilghppiejpkigkb",
    "eihgeijkilkfhheilffhgkjlnlb", "djipbmpiepjhklemkpkkfmlpgde", "fddegeffgggfeggeifdeigflhip",
  ].map { row in row.utf8.map { 1 / Double(1 << Int($0 - UInt8(ascii: "a"))) } }
}
