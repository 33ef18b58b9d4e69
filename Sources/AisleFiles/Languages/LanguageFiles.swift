import AisleCore

/// The files of a language, read.
struct LanguageFiles {
  /// What its grammar says.
  let language: Language
  /// The keywords of its shelves, by the shelves' names.
  let shelves: [String: StoreParts.SharedText]
  /// Words that move products as words of the store's `moves.txt` do; other ways to write its words.
  let moves, spellings: StoreParts.SharedText?
  /// What is wrong in its grammar, or where a file could not be read.
  let findings: [Finding]

  /// English where no folder has its grammar. Its shelves, moves, and spellings are the store's own.
  static let english = LanguageFiles(language: Language.builtInEnglish)

  /// Whether they say nothing but what is built in.
  var isBuiltIn: Bool {
    language == Language.builtInEnglish && shelves.isEmpty && moves == nil && spellings == nil && findings.isEmpty
  }

  private init(language: Language) {
    (self.language, shelves, moves, spellings, findings) = (language, [:], nil, nil, [])
  }

  /// What is wrong with the languages that a store's file names.
  init(findings: [Finding]) {
    (language, shelves, moves, spellings, self.findings) = (Language(id: Language.english), [:], nil, nil, findings)
  }

  /// Reads a language's folder.
  ///
  /// - Parameter folder: A taxonomies folder, with what is read in place of its files.
  init(_ id: String, in folder: TaxonomyFolder) {
    var findings: [Finding] = []
    func text(_ name: String, isRequired: Bool = false) -> StoreParts.SharedText? {
      folder.sharedText("languages/\(id)/\(name)", isRequired: isRequired, noting: &findings)
    }
    var language = Language(id: id)
    if let grammar = text("grammar.txt", isRequired: true) {
      let reader = grammar.bytes.withUnsafeBufferPointer { LanguageReader(id, text: $0, path: grammar.path) }
      language = reader.language
      findings += reader.findings
    }
    var shelves: [String: StoreParts.SharedText] = [:]
    let place = "\(folder.path)/languages/\(id)/shelves"
    let new = folder.changes.keys.filter { $0.hasPrefix(place + "/") }.map { String($0.dropFirst(place.count + 1)) }
    for name in Set((FileReader.list(place) ?? []) + new).sorted() where name.hasSuffix(".txt") && !name.hasPrefix(".") {
      shelves[String(name.dropLast(4))] = text("shelves/\(name)")
    }
    (moves, spellings) = (text("moves.txt"), text("spellings.txt"))
    (self.language, self.shelves, self.findings) = (language, shelves, findings)
  }

  /// What is wrong where the stores of the language's own folder have no such shelf; those of another may have shelves of their own.
  func strayShelves(_ known: Set<String>, in folder: String) -> [Finding] {
    let stray = shelves.filter { !known.contains($0.key) && $0.value.path.hasPrefix("\(folder)/languages/") }
    if stray.isEmpty { return [] }
    let names = DidYouMean.Candidates(known.sorted())
    return stray.sorted { $0.key < $1.key }.map { name, text in
      let hint = names.hint(name)
      return Finding(
        SourceLocation(path: text.path), "no shelf `\(name)`\(hint.isEmpty ? "; name the file after one in shelves/" : hint)")
    }
  }
}

extension [LanguageFiles] {
  /// Adds the keywords of all languages to the shelf that was added last.
  ///
  /// - Parameter places: Keywords to leave out, by where they stand.
  func add(_ shelf: String, to builder: inout TaxonomyBuilder, except places: Set<SourceLocation> = []) {
    for language in self {
      guard let text = language.shelves[shelf] else { continue }
      text.bytes.withUnsafeBufferPointer {
        builder.addToLastShelf(language.language.id, text: $0, path: text.path, except: places)
      }
    }
  }

  /// Adds what all languages say of words; moves must have been added.
  func addRules(to builder: inout TaxonomyBuilder) {
    for language in self {
      for text in [language.moves].compactMap(\.self) {
        text.bytes.withUnsafeBufferPointer { builder.addMoveWords(text: $0, path: text.path) }
      }
      for text in [language.spellings].compactMap(\.self) {
        text.bytes.withUnsafeBufferPointer { builder.addSpellings(text: $0, path: text.path) }
      }
    }
  }
}
