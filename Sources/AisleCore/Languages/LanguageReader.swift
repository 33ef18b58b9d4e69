/// Reads a language's `grammar.txt`: lines of `role: word, word`, and a few settings.
public struct LanguageReader {
  /// The language, as far as it could be read.
  public private(set) var language: Language
  /// What is wrong in the text.
  public private(set) var findings: [Finding] = []
  private var seen: Set<String> = []

  /// The settings, in the order of the template.
  static let settings = ["name", "english", "head", "apostrophe", "letters", "endings", "compounds", "links"]

  /// Reads the text of `grammar.txt`.
  public init(_ id: String, text: UnsafeBufferPointer<UInt8>, path: String) {
    language = Language(id: id)
    forEachLine(of: text) { line, column, written in
      read(String(decoding: written, as: UTF8.self), at: SourceLocation(path: path, line: line, column: column))
    }
    if language.name.isEmpty { report(SourceLocation(path: path), "no line `name:`; say what the language calls itself") }
    if !seen.contains("head") {
      report(SourceLocation(path: path), "no line `head:`; write `head: last` where `apple juice` is a juice, else `head: first`")
    }
  }

  private mutating func read(_ row: String, at location: SourceLocation) {
    guard let colon = row.firstIndex(of: ":") else {
      return report(location, "expected `role: word, word`")
    }
    let name = row[..<colon].trimmed
    let rest = row[row.index(after: colon)...]
    let words = rest.split { $0 == "," || $0 == " " || $0 == "\t" }.map(String.init)
    if let role = Language.Role(rawValue: name) { return language.words[role, default: []] += words }
    guard Self.settings.contains(name) else {
      let known = Language.Role.allCases.map(\.rawValue) + Self.settings
      let hint = DidYouMean.hint(name, among: known)
      return report(location, "unknown role `\(name)`\(hint.isEmpty ? "; use one of \(known.joined(separator: ", "))" : hint)")
    }
    if !seen.insert(name).inserted { return report(location, "`\(name)` is set twice; keep one") }
    set(name, rest.trimmed, words, at: location)
  }

  private mutating func set(_ name: String, _ text: String, _ words: [String], at location: SourceLocation) {
    switch name {
    case "name": language.name = text
    case "english": language.englishName = text
    case "head": language.isHeadFirst = choice(name, text, "first", "last", at: location)
    case "apostrophe": language.cutsAtApostrophes = choice(name, text, "cuts", "joins", at: location)
    case "compounds": language.makesCompounds = choice(name, text, "yes", "no", at: location)
    case "links": language.links = words
    case "letters": language.letters = letters(text.split(separator: ",").map(\.trimmed), at: location)
    default: language.endings = endings(words, at: location)
    }
  }

  private mutating func choice(_ name: String, _ text: String, _ yes: String, _ no: String, at location: SourceLocation) -> Bool {
    if text != yes, text != no { report(location, "`\(name)` must be \(yes) or \(no), not `\(text)`") }
    return text == yes
  }

  /// `ä = ae`, a letter as it is written.
  private mutating func letters(_ entries: [String], at location: SourceLocation) -> [Language.Exchange] {
    entries.compactMap { entry in
      let sides = entry.split(separator: "=", omittingEmptySubsequences: false).map(\.trimmed)
      guard sides.count == 2, sides[0].count == 1, !sides[1].isEmpty else {
        report(location, "expected `letter = letters`, not `\(entry)`")
        return nil
      }
      return Language.Exchange(written: sides[0], meant: sides[1])
    }
  }

  /// An ending, `aux=al`, or `-` for none, without accents.
  private mutating func endings(_ entries: [String], at location: SourceLocation) -> [Language.Exchange] {
    entries.compactMap { entry in
      let sides = entry.split(separator: "=", omittingEmptySubsequences: false).map {
        $0 == "-" ? "" : Normalizer.normalize(String($0))
      }
      guard sides.count <= 2, sides.allSatisfy({ !$0.contains(" ") }), entry == "-" || !sides[0].isEmpty else {
        report(location, "expected `ending` or `ending=other`, not `\(entry)`")
        return nil
      }
      guard sides[0].utf8.count <= Language.longestEnding else {
        report(location, "the ending `\(entry)` has more than \(Language.longestEnding) letters; write its last ones")
        return nil
      }
      return Language.Exchange(written: sides[0], meant: sides.count == 2 ? sides[1] : "")
    }
  }

  private mutating func report(_ location: SourceLocation, _ message: String) { findings.append(Finding(location, message)) }
}
