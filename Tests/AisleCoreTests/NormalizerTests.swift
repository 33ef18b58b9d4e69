@testable import AisleCore
import Foundation
import Testing

@Suite struct NormalizerTests {
  @Test(arguments: [
    ("Crème Fraîche, 8oz", "creme fraiche 8oz"),
    ("  Oat   MILK\t", "oat milk"),
    ("Lay's", "lays"),
    ("Lay’s", "lays"),
    ("Lay`s", "lays"),
    ("Layʼs", "lays"),
    ("'quoted' name", "quoted name"),
    ("half & half", "half and half"),
    ("half&half", "half and half"),
    ("M&M's", "m and ms"),
    ("mac 'n' cheese", "mac n cheese"),
    ("7-Up", "7 up"),
    ("ice_cream", "ice cream"),
    ("Jalapeño", "jalapeno"),
    ("Häagen-Dazs", "haagen dazs"),
    ("Smørrebrød", "smorrebrod"),
    ("Żubrówka", "zubrowka"),
    ("Łaciate", "laciate"),
    ("Weißwurst", "weisswurst"),
    ("WEIẞWURST", "weisswurst"),
    ("Œufs", "oeufs"),
    ("œufs", "oeufs"),
    ("Ｔｏｆｕ　２ｐｋ", "tofu 2pk"),
    ("ﬁsh ﬀ", "fish ff"),
    ("ÇIĞ KÖFTE", "cig kofte"),
    ("çiğ köfte", "cig kofte"),
    ("İÇLİ", "icli"),
    ("ıspanak", "ispanak"),
    ("ISPANAK", "ispanak"),
    ("Ελιές", "ελιεσ"),
    ("ΕΛΙΈΣ", "ελιεσ"),
    ("Ёжик", "ежик"),
    ("豆腐", "豆腐"),
    ("soft\u{AD}hyphen zero\u{200B}width", "softhyphen zerowidth"),
    ("\u{FEFF}milk", "milk"),
    ("🥛milk🥛", "milk"),
    ("1½ cups", "1 cups"),
    ("", ""),
    ("!?", ""),
  ]) func `a text folds to its plain form`(text: String, expected: String) {
    #expect(Normalizer.normalize(text).unicodeScalars.elementsEqual(expected.decomposedHangul.unicodeScalars))
  }

  @Test(arguments: [
    "Crème Fraîche", "jalapeño", "Ångström", "ệ", "Häagen-Dazs", "çiğ köfte", "İçli", "Ελιές", "Ёжик", "がんも", "パン", "김치", "क़",
    "שּׁ", "Ǖ", "ṩ", "q̣̇",
  ]) func `composed and decomposed text have one form`(text: String) {
    let expected = Normalizer.normalize(text)
    #expect(!expected.isEmpty)
    for variant in [text.precomposedStringWithCanonicalMapping, text.decomposedStringWithCanonicalMapping] {
      #expect(Array(Normalizer.normalize(variant).utf8) == Array(expected.utf8), "\(Array(variant.unicodeScalars))")
    }
  }

  @Test(arguments: [
    ("ｶﾞ", "ガ"), ("ﾊﾟﾝ", "パン"), ("ＭＩＬＫ", "milk"), ("ｍｉｌｋ", "MILK"), ("２", "2"), ("mac＆cheese", "mac & cheese"), ("Lay＇s", "Lay's"),
  ]) func `full-width and half-width text has the form of the usual width`(wide: String, usual: String) {
    #expect(Array(Normalizer.normalize(wide).utf8) == Array(Normalizer.normalize(usual).utf8))
  }

  // MARK: The folding table

  /// All letters and digits of the plane that the table covers, but for the apostrophe and the half-width kana marks, which count as
  /// letters in Unicode.
  private static let letters: [Unicode.Scalar] = (0x80...0xFFFF).compactMap { Unicode.Scalar($0) }.filter {
    if ["\u{2BC}", "\u{FF9E}", "\u{FF9F}"].contains($0) { return false }
    return switch $0.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber: true
    default: false
    }
  }

  @Test func `every letter and its canonical variants have one form`() {
    var faults: [String] = []
    for scalar in Self.letters {
      let text = String(scalar)
      let expected = Array(Normalizer.normalize(text).utf8)
      if expected.isEmpty { faults.append("\(scalar.hex) vanishes") }
      for variant in [text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping]
      where Array(Normalizer.normalize(variant).utf8) != expected {
        faults.append("\(scalar.hex) and \(variant.unicodeScalars.map(\.hex))")
      }
    }
    #expect(faults.isEmpty, "\(faults.count): \(faults.prefix(20))")
  }

  @Test func `every letter and its other cases have one form`() {
    var faults: [String] = []
    for scalar in Self.letters {
      let expected = Array(Normalizer.normalize(String(scalar)).utf8)
      for variant in [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping, scalar.properties.titlecaseMapping]
      where variant.unicodeScalars.count == 1 && (variant + String(scalar)).isKnownToTheTable
        && Array(Normalizer.normalize(variant).utf8) != expected
      {
        faults.append("\(scalar.hex) and \(variant.unicodeScalars.map(\.hex))")
      }
    }
    #expect(faults.isEmpty, "\(faults.count): \(faults.prefix(20))")
  }

  @Test func `every Latin letter with a mark folds to plain letters`() {
    var faults: [String] = []
    for base in "abcdefghijklmnopqrstuvwxyz".unicodeScalars {
      for mark in 0x300...0x36F {
        guard let mark = Unicode.Scalar(mark), mark != "\u{345}" else { continue }  // whose capital is an iota
        for text in ["\(base)\(mark)", "\(base)\(mark)".precomposedStringWithCanonicalMapping, "\(base)\(mark)".uppercased()]
        where Normalizer.normalize(text) != String(base) {
          faults.append("\(text.unicodeScalars.map(\.hex))")
        }
      }
    }
    #expect(faults.isEmpty, "\(faults.count): \(faults.prefix(20))")
  }

  @Test func `folding what is folded changes nothing`() {
    var faults: [String] = []
    for scalar in Self.letters {
      let once = Normalizer.normalize(String(scalar))
      if Array(Normalizer.normalize(once).utf8) != Array(once.utf8) { faults.append("\(scalar.hex)") }
    }
    #expect(faults.isEmpty, "\(faults.count): \(faults.prefix(20))")
  }

  @Test func `the table is sorted and has no row twice, as its search needs`() {
    var last: UInt32 = 0
    let rows = FoldingTable.text.description.split(separator: ";").compactMap { row in
      row.split(whereSeparator: \.isWhitespace).first.flatMap { UInt32($0, radix: 16) }
    }
    #expect(rows.count > 1_000)
    for row in rows {
      #expect(row > last)
      last = row
    }
  }

  @Test func `two words in a space are one text, however the space is written`() {
    for space in [" ", "\t", "\u{A0}", "\u{2003}", "\u{3000}", "  ", "\r\n", "/", "-", "\u{2013}", "."] {
      #expect(Normalizer.normalize("oat\(space)milk") == "oat milk", "\(space.unicodeScalars.map(\.hex))")
    }
  }

  @Test func `what is neither letter, mark, nor digit separates words, looked up in a table or not`() {
    let apostrophes: Set<UInt32> = [0x2BC, 0x2018, 0x2019, 0x2032]
    var faults: [String] = []
    for value in Array(UInt32(0x80)..<0x500) + Array(0x2000..<0x2400) where !apostrophes.contains(value) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isJoined = Folding.shared.fold(scalar) { _ in }
      if Normalizer.normalize("oat\(scalar)milk").contains(" ") == isJoined { faults.append(scalar.hex) }
    }
    #expect(faults.isEmpty, "\(faults.count): \(faults.prefix(20))")
    #expect(Normalizer.normalize("Oat® Milk™x") == "oat milk x")
  }

  @Test func `plurals stay as they are`() {
    #expect(Normalizer.normalize("Berries, potatoes & COOKIES") == "berries potatoes and cookies")
  }
}

extension Unicode.Scalar {
  fileprivate var hex: String { "U+" + String(value, radix: 16, uppercase: true) }
}

extension String {
  /// Whether the Unicode version that the table is made from, 14, has all the letters.
  fileprivate var isKnownToTheTable: Bool { unicodeScalars.allSatisfy { $0.properties.age.map { $0.major <= 14 } ?? false } }

  /// The text with Hangul syllables taken apart, as folding leaves them.
  fileprivate var decomposedHangul: String {
    unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) } ? decomposedStringWithCanonicalMapping : self
  }
}
