import AisleCore
import AisleTesting
import Testing

@Suite struct WordsTests {
  private let scanner = Words()

  // MARK: Against the reference

  /// What random items are made of. Letters come often, so that words reach over the edges of 8, 16 and 64 bytes.
  private static let pieces: [[UInt8]] = {
    let ascii = "aeiostnrmABEYZ019".map { Array(String($0).utf8) }
    let marks = " \t-./!#@%*+_=<>?\\^~{}]\"'&`,();:[|’".map { Array(String($0).utf8) }
    let beyond = ReferenceWords.scalars.map { Array(String($0.0).utf8) }
    let broken: [[UInt8]] = [[0xFF], [0x80], [0xC2], [0xE2, 0x82], [0xF0, 0x9F, 0x8D], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0]]
    return ascii + ascii + ascii + marks + beyond + broken
  }()

  private static let plain = pieces.filter { $0.count == 1 && $0[0] < 0x80 && ![0x26, 0x27, 0x60].contains($0[0]) }

  /// A random item; every third is plain ASCII, as most items are.
  private static func item(_ random: inout SeededGenerator, _ number: Int) -> [UInt8] {
    let length = [
      Int.random(in: 0...24, using: &random), Int.random(in: 56...72, using: &random), Int.random(in: 0...300, using: &random),
    ]
    .randomElement(using: &random)
    let pieces = number % 3 == 0 ? plain : pieces
    var item: [UInt8] = []
    while item.count < length ?? 0 {
      if Int.random(in: 0..<4, using: &random) == 0 {
        item.append(0x20)
      } else {
        item += pieces.randomElement(using: &random) ?? []
      }
    }
    return item
  }

  @Test(arguments: 0..<10) func `it finds the words that the reference finds, in 10,000 random items`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    for number in 0..<10_000 {
      let item = Self.item(&random, number)
      let trailing = number % 2 == 0 ? [] : (0..<Batch.padding).map { _ in UInt8.random(in: 0...255, using: &random) }
      let found = scanner.words(in: item, trailing: trailing)
      let expected = ReferenceWords.words(in: item)
      let agrees = found.elementsEqual(expected) { word, other in
        word.folded == Array(other.folded.utf8) && word.span == other.span && word.segment == other.segment
      }
      guard agrees else {
        let place = zip(found, expected).prefix {
          $0.span == $1.span && $0.folded == Array($1.folded.utf8) && $0.segment == $1.segment
        }.count
        Issue.record(
          """
          seed \(seed), item \(number), \(item.debugText): word \(place) is \(found.dropFirst(place).prefix(1)), \
          expected \(expected.dropFirst(place).prefix(1))
          """)
        return
      }
      for word in found where word.key != scanner.key(ofWord: word.folded) {
        Issue.record("seed \(seed), item \(number), \(item.debugText): the key of \(word) depends on how it was written")
        return
      }
    }
  }

  @Test func `words that differ have keys that differ, up to any length`() {
    var random = SeededGenerator(seed: 7)
    var texts: [UInt64: [UInt8]] = [:]
    let letters = Array("abcdgmrt01".utf8)  // No word of these letters is a plural.
    for number in 0..<50_000 {
      let word = (0..<Int.random(in: 1...40, using: &random)).map { _ in letters.randomElement(using: &random) ?? 0 }
      let key = scanner.key(ofWord: word)
      if let other = texts[key], other != word {
        Issue.record("word \(number): \(word.debugText) and \(other.debugText) have one key")
      }
      texts[key] = word
    }
  }

  @Test(arguments: 1...40) func `a letter changed anywhere in a word changes its key`(length: Int) {
    let word = [UInt8](repeating: UInt8(ascii: "a"), count: length)
    var keys: Set<UInt64> = [scanner.key(ofWord: word)]
    for place in 0..<length {
      var other = word
      other[place] = UInt8(ascii: "b")
      keys.insert(scanner.key(ofWord: other))
    }
    #expect(keys.count == length + 1)
  }

  // MARK: Edges

  @Test(arguments: [7, 8, 9, 15, 16, 17, 63, 64, 65, 127, 128, 129])
  func `a word that ends, begins or lies across an edge of the blocks is found whole`(edge: Int) {
    for start in max(0, edge - 5)...edge {
      for length in 1...9 {
        let item = [UInt8](repeating: 0x2D, count: start) + [UInt8](repeating: 0x71, count: length) + Array("- q".utf8)
        let spans = scanner.words(in: item, trailing: Array("qqqqqqqqqqqqqqqqqqqq".utf8)).map(\.span)
        #expect(spans == [start..<start + length, start + length + 2..<start + length + 3], "start \(start), length \(length)")
      }
    }
  }

  @Test(arguments: 0...130) func `a letter of two bytes is folded at any offset`(offset: Int) {
    let item = String(repeating: " ", count: offset) + "crème brûlée"
    #expect(Normalizer.normalize(item) == "creme brulee")
    let words = scanner.words(in: item)
    #expect(words.map(\.span) == [offset..<offset + 6, offset + 7..<offset + 15])
  }

  @Test func `what lies behind an item in memory is no part of it`() {
    for item in ["milk", "2% milk", "berrie", "café", "eggs", "glas"] {
      #expect(scanner.words(in: Array(item.utf8), trailing: Array("sesshake, 12".utf8)) == scanner.words(in: item), "\(item)")
    }
  }

  // MARK: Limits

  @Test func `an item has at most 64 words, and those beyond are not read`() {
    let words = scanner.words(in: (0..<200).map { "w\($0)" }.joined(separator: " "))
    #expect(words.count == Words.capacity)
    #expect(words.last.map { String(decoding: $0.folded, as: UTF8.self) } == "w63")
    let folded = scanner.words(in: (0..<200).map { "é\($0)" }.joined(separator: " "))
    #expect(folded.count == Words.capacity)
    #expect(folded.last.map { String(decoding: $0.folded, as: UTF8.self) } == "e63")
  }

  @Test(arguments: 2040...2056) func `an item is read up to 2,048 bytes, and a word across that end is cut there`(start: Int) {
    let words = scanner.words(in: [UInt8](repeating: 0x2C, count: start) + Array("milkshake".utf8))
    #expect(words.map(\.span) == (start < 2048 ? [start..<min(start + 9, 2048)] : []))
  }

  @Test func `a letter that the end of the first 2,048 bytes cuts in two is not read`() {
    let words = scanner.words(in: [UInt8](repeating: 0x20, count: 2043) + Array("milké".utf8) + Array(" more".utf8))
    #expect(words.map(\.span) == [2043..<2047])
  }

  @Test func `items that fold to much more than they were are read as far as there is room`() {
    for piece in ["&", "ŉ", "각", "ﬃ", "ΐ", "a&"] {
      let item = String(repeating: piece, count: 5_000)
      let words = scanner.words(in: item)
      #expect(words.count <= Words.capacity)
      #expect(words.allSatisfy { $0.span.upperBound <= Words.maximumBytes }, "\(piece)")
    }
  }

  @Test func `more breaks than are counted still separate words`() {
    let words = scanner.words(in: String(repeating: ",", count: 300) + "milk,(oat)")
    #expect(words.map(\.span) == [300..<304, 306..<309])
    #expect((words.first?.segment ?? 0) > 0)
  }

  @Test func `an item without a word has none`() {
    for item in ["", " ", "-", "\0\0", "'", "''''", "\u{301}", "🍎", ",,,"] { #expect(scanner.words(in: item).isEmpty, "\(item)") }
  }

  @Test func `a scan leaves nothing behind for the next`() {
    let fresh = scanner.words(in: "oat milk")
    for before in ["a, b, c, d", "crème, (brûlée)", "", String(repeating: "x ", count: 500), "'&'"] {
      _ = scanner.words(in: before)
      #expect(scanner.words(in: "oat milk") == fresh, "after \(before)")
    }
  }

  // MARK: Spans

  @Test(arguments: [
    ("Crème Fraîche", ["Crème", "Fraîche"]),
    ("Cre\u{301}me  frai\u{302}che", ["Cre\u{301}me", "frai\u{302}che"]),
    ("２ ｌｂｓ ｍｉｌｋ", ["２", "ｌｂｓ", "ｍｉｌｋ"]),
    ("Lay's chips", ["Lay's", "chips"]),
    ("half & half", ["half", "&", "half"]),
    ("mac&cheese", ["mac", "&", "cheese"]),
    ("M&M’s", ["M", "&", "M’s"]),
    ("Æbleskiver ßüß", ["Æbleskiver", "ßüß"]),
    ("가격", ["가격"]),
  ]) func `a word's span is the bytes it was written with`(item: String, expected: [String]) {
    let bytes = Array(item.utf8)
    let written = scanner.words(in: item).map { String(decoding: bytes[$0.span], as: UTF8.self) }
    #expect(written.map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "\(written)")
  }

  @Test func `a span of several words reaches from the first to the last`() {
    let item = "2 cups Crème Fraîche, chilled"
    _ = scanner.words(in: item)
    let span = scanner.span(first: 2, last: 3)
    #expect(String(decoding: Array(item.utf8)[span], as: UTF8.self) == "Crème Fraîche")
  }

  // MARK: Marks and segments

  @Test func `a word that begins with a digit is marked`() {
    let digits = scanner.words(in: "2 28oz 7-up b12 ３").map { $0.marks.contains(.digit) }
    #expect(digits == [true, true, true, false, false, true])
  }

  @Test func `segments count the commas, parentheses, semicolons, colons, bars and dashes between blanks before a word`() {
    #expect(scanner.words(in: "a, b (c) d; e: f [g] h | i - j / k").map(\.segment) == [0, 1, 2, 3, 4, 5, 6, 6, 7, 8, 8])
    #expect(scanner.words(in: "é, b (c) d; e: f [g] h | i - j / k").map(\.segment) == [0, 1, 2, 3, 4, 5, 6, 6, 7, 8, 8])
    #expect(scanner.words(in: "no breaks here").map(\.segment) == [0, 0, 0])
  }

  // MARK: Plurals

  @Test(arguments: [
    ("berries", "berry"), ("strawberries", "strawberry"), ("cherries", "cherry"), ("anchovies", "anchovy"), ("fries", "fry"),
    ("cookies", "cookie"), ("brownies", "brownie"), ("veggies", "veggie"), ("smoothies", "smoothie"), ("pies", "pie"),
    ("ties", "tie"),
    ("potatoes", "potato"), ("tomatoes", "tomato"), ("mangoes", "mango"), ("mangos", "mango"), ("avocados", "avocado"),
    ("boxes", "box"), ("mixes", "mix"), ("glasses", "glass"), ("dishes", "dish"), ("radishes", "radish"), ("peaches", "peach"),
    ("sandwiches", "sandwich"), ("matches", "match"), ("cheeses", "cheese"), ("sausages", "sausage"), ("juices", "juice"),
    ("sauces", "sauce"), ("sizes", "size"), ("olives", "olive"), ("chives", "chive"), ("dates", "date"), ("limes", "lime"),
    ("apples", "apple"), ("eggs", "egg"), ("oats", "oat"), ("peas", "pea"), ("onions", "onion"), ("crackers", "cracker"),
    ("chips", "chip"), ("bananas", "banana"), ("chilis", "chilis"), ("jalapenos", "jalapeno"), ("batteries", "battery"),
    ("thoroughly-long-words".replacing("-", with: ""), "thoroughly-long-word".replacing("-", with: "")),
  ]) func `a plural has the key of its singular`(plural: String, singular: String) {
    #expect(scanner.key(plural) == scanner.key(singular))
    #expect(scanner.words(in: plural.uppercased()).map(\.key) == [scanner.key(singular)])
    #expect(scanner.words(in: "é " + plural).last?.key == scanner.key(singular), "in folded text")
  }

  @Test func `plurals are marked, singulars are not`() {
    for plural in ["berries", "potatoes", "boxes", "cookies", "glasses", "eggs", "pies", "EGGS"] {
      #expect(scanner.words(in: plural).map { $0.marks.contains(.plural) } == [true], "\(plural)")
    }
    for singular in [
      "berry", "potato", "cookie", "glass", "egg", "hummus", "asparagus", "couscous", "swiss", "gas", "citrus", "haggis",
    ] {
      #expect(scanner.words(in: singular).map { $0.marks.contains(.plural) } == [false], "\(singular)")
    }
  }

  @Test(arguments: [
    ("hummus", "hummu"), ("asparagus", "asparagu"), ("couscous", "couscou"), ("molasses", "molasse"), ("molasses", "molas"),
    ("swiss", "swis"), ("gas", "ga"), ("bass", "bas"), ("bus", "bu"), ("rye", "ry"), ("pie", "py"), ("tea", "te"),
    ("haggis", "haggi"),
  ]) func `a word that only looks like a plural keeps a key of its own`(word: String, other: String) {
    #expect(scanner.key(word) != scanner.key(other))
  }
}

extension [UInt8] {
  /// The bytes as text with everything unusual escaped.
  fileprivate var debugText: String { "\(String(decoding: self, as: UTF8.self).debugDescription) \(self)" }
}
