import AisleCore

/// Builds a `PhraseIndex` from a taxonomy.
struct PhraseIndexBuilder {
  /// Two keywords that are the same after normalization.
  struct Conflict {
    let first: KeywordID
    let second: KeywordID
  }

  /// Keywords that stand more than once.
  private(set) var conflicts: [Conflict] = []
  /// Keywords that are forms of the same words, by a language's endings or by spellings.
  private(set) var foldings: [Conflict] = []
  /// Keywords that no item can hold: without a letter, or across a comma or parenthesis, where phrases end.
  private(set) var unmatchable: [KeywordID] = []
  /// Spellings without effect: their standard form is no keyword, or their variant means something already.
  private(set) var straySpellings: [Spelling] = []

  let taxonomy: Taxonomy
  let languages: LanguageTable
  /// Each word's number by its key, and by those of its other spellings.
  private var wordNumbers: KeyNumbers
  var wordKeys: ContiguousArray<UInt64> = []
  var wordRoles: ContiguousArray<UInt32> = []
  /// The function words, by their number, with the first language that has them.
  var functionWords: [UInt32: UInt16] = [:]
  /// Each phrase's place by the node that it goes on from and its last word.
  private var phraseNumbers: KeyNumbers
  /// What ends at single words, by the word's number.
  var roots: ContiguousArray<Node> = []
  /// What ends at longer phrases, and where they come from; their number has `phraseBit`, and they come after what they go on from.
  var phrases: ContiguousArray<(node: Node, key: UInt64)> = []
  /// Which variant keys stand for which word.
  var aliases: [(key: UInt64, number: UInt32)] = []

  /// A place in the trie while it grows.
  struct Node {
    var singular: Int32 = -1
    var plural: Int32 = -1
    /// The numbers of the words that phrases go on with.
    var followers: [UInt32] = []
  }

  /// A spelling as items are read: "wish-bone" is two words.
  private struct NormalizedSpelling {
    let spelling: Spelling
    let variant: String
    let standard: String
    let isWord: Bool
    /// Whether it is the beginning of what it stands for.
    var isCutOff: Bool { standard.hasPrefix(variant) }

    init(_ spelling: Spelling, cutsAtApostrophes: Bool) {
      self.spelling = spelling
      func normalized(_ text: String) -> String {
        Normalizer.normalize(cutsAtApostrophes ? String(text.map { $0 == "'" || $0 == "’" ? " " : $0 }) : text)
      }
      variant = normalized(spelling.variant)
      standard = normalized(spelling.standard)
      isWord = !variant.contains(" ") && !standard.contains(" ")
    }
  }

  /// Marks the number of a phrase, to tell it from a word's.
  static let phraseBit: UInt32 = 1 << 31
  /// The words of keywords, and other spellings of them, as unknown words are compared with: the letters of their singulars, in lower
  /// case, and the word's number.
  var spelled: [(letters: [UInt8], word: UInt32)] = []
  /// The shortest form that keywords have of each word, by its number; empty for a word with digits.
  private var shortestForms: [[UInt8]] = []
  /// How many keywords each word stands in, by its number.
  private(set) var wordUses: [UInt32] = []
  /// How many keywords of shelves each word stands in: which typos are seen does not depend on other stores' own keywords.
  private(set) var shelfUses: [UInt32] = []
  /// The sections whose own keywords a word stands in, one for each time.
  var ownUses: [UInt32: [UInt8]] = [:]

  init(_ taxonomy: Taxonomy) {
    self.taxonomy = taxonomy
    languages = LanguageTable(taxonomy.languages)
    let count = max(taxonomy.keywords.count, 1024)
    wordNumbers = KeyNumbers(minimumCapacity: count)
    phraseNumbers = KeyNumbers(minimumCapacity: 2 * count)
  }

  /// Builds the index.
  ///
  /// - Complexity: O(bytes of all keywords); one to two µs a keyword.
  mutating func build() -> PhraseIndex {
    let scanner = languages.makeWords()
    addGrammar(scanner)
    let spellings = taxonomy.spellings.map {
      NormalizedSpelling($0, cutsAtApostrophes: languages.cutsAtApostrophes)
    }
    addWordSpellings(spellings, scanner)
    if !languages.isEmpty {
      addForms(scanner)
      addLetters(scanner)
    }
    addVowelPlurals(scanner)
    addKeywords(scanner)
    addPhraseSpellings(spellings, scanner)
    addRealWords(scanner)
    for key in PhraseIndex.keys(of: taxonomy.moves) { wordRoles[Int(word(key))] |= Grammar.Role.moves.rawValue }
    reportUnusedSpellings(spellings, scanner)
    if !languages.isEmpty { addStems(scanner) }
    if !languages.isForeign {
      for (number, form) in shortestForms.enumerated() {
        form.withUnsafeBufferPointer { addSpelled($0, word: UInt32(number)) }
      }
    }
    // What only growing needs makes room for the tables.
    (wordNumbers, phraseNumbers) = (KeyNumbers(minimumCapacity: 0), KeyNumbers(minimumCapacity: 0))
    return PhraseIndex(taxonomy, tables())
  }

  // MARK: Collecting

  private mutating func addKeywords(_ scanner: Words) {
    let keywords = taxonomy.keywords
    // What an earlier language calls something counts before what a later one does.
    for language in 0...UInt16(clamping: taxonomy.languages.count) {
      for number in keywords.entries.indices {
        let entry = keywords.entries[number]
        if entry.language != language { continue }
        scanner.scan(keywords.bytes.address + Int(entry.start), count: Int(entry.length))
        add(Int32(number), scanner)
      }
    }
  }

  private mutating func add(_ keyword: Int32, _ scanner: Words) {
    guard !scanner.hasBreaks, let node = node(scanner) else {
      unmatchable.append(KeywordID(rawValue: UInt32(keyword)))
      return
    }
    let isPlural = scanner.marks[scanner.count - 1].contains(.plural)
    let place = isPlural ? self[node].plural : self[node].singular
    let entry = taxonomy.keywords.entries[Int(keyword)]
    if !languages.isEmpty, isHidden(node, entry.language) || isFunctionWord(node, before: entry.language) { return }
    if place >= 0 {
      if !languages.isEmpty, !isSame(KeywordID(rawValue: UInt32(place)), as: scanner) {
        foldings.append(Conflict(first: KeywordID(rawValue: UInt32(place)), second: KeywordID(rawValue: UInt32(keyword))))
        return
      }
      conflicts.append(Conflict(first: KeywordID(rawValue: UInt32(place)), second: KeywordID(rawValue: UInt32(keyword))))
    } else if isPlural {
      self[node].plural = keyword
    } else {
      self[node].singular = keyword
    }
    for place in 0..<scanner.count {
      use(scanner, place, onShelf: entry.shelfID != nil)
      if entry.shelfID == nil { ownUses[word(scanner.keys[place]), default: []].append(entry.section) }
    }
  }

  /// Whether an earlier language has a keyword with these words.
  private func isHidden(_ node: UInt32, _ language: UInt16) -> Bool {
    [self[node].singular, self[node].plural].contains { $0 >= 0 && taxonomy.keywords.entries[Int($0)].language < language }
  }

  /// Counts a keyword's word, and keeps its shortest form: of "tomatoes" and "tomato" the second, whichever comes first.
  private mutating func use(_ scanner: Words, _ place: Int, onShelf: Bool) {
    let number = Int(word(scanner.keys[place]))
    wordUses[number] += 1
    if onShelf { shelfUses[number] += 1 }
    let (start, end) = (Int(scanner.bounds[2 * place]), Int(scanner.bounds[2 * place + 1]))
    let isShorter = shortestForms[number].isEmpty || end - start < shortestForms[number].count
    // Not another spelling of it.
    guard isShorter, scanner.keys[place] == wordKeys[number], !scanner.marks[place].contains(.digit) else { return }
    shortestForms[number] = Array(UnsafeBufferPointer(start: scanner.text + start, count: end - start))
  }

  mutating func addSpelled(_ word: UnsafeBufferPointer<UInt8>, word number: UInt32) {
    guard word.allSatisfy({ $0.isASCIILetter }) else { return }
    let letters = Words.singular(ofFolded: word)
    if letters.count > 3, letters.count <= SlipTable.slipLengths.upperBound { spelled.append((letters, number)) }
  }

  /// Whether a word by itself is a keyword of a language, or the store's own.
  func isKeyword(_ number: UInt32, of language: UInt16) -> Bool {
    [roots[Int(number)].singular, roots[Int(number)].plural].contains {
      $0 >= 0 && taxonomy.keywords.entries[Int($0)].language <= language
    }
  }

  /// A one-word spelling of one word makes both the same word, in keywords and items alike.
  private mutating func addWordSpellings(_ spellings: [NormalizedSpelling], _ scanner: Words) {
    // What is a word of the language that counts first is no other spelling of another.
    let functionWords = functionWords.filter { $0.value == 1 }.map { wordKeys[Int($0.key)] }
    let own = languages.isForeign ? Set(singleWords(of: 1, scanner)).union(functionWords) : []
    for spelling in spellings where spelling.isWord {
      if own.contains(scanner.key(ofWord: Array(spelling.variant.utf8))) { continue }
      let known = word(scanner.key(ofWord: Array(spelling.standard.utf8)))
      let key = scanner.key(ofWord: Array(spelling.variant.utf8))
      if !spelling.variant.isEmpty, addAlias(key, of: known) {
        // What a receipt cuts off is a beginning of many words, so a slip never leads to it: "avocat" is no "avoca".
        if languages.isForeign || spelling.isCutOff { continue }
        spelling.variant.utf8.withContiguousStorageIfAvailable { addSpelled($0, word: known) }
      } else {
        straySpellings.append(spelling.spelling)
      }
    }
  }

  /// Makes "kiwis" the word that "kiwi" is, and "menus" that of "menu", where keywords hold these: the ends alone do not tell, since
  /// "tennis" and "hummus" are no plurals. One that is a keyword by itself stays a word of its own: "chilis" are no chili.
  private mutating func addVowelPlurals(_ scanner: Words) {
    var (singulars, own): (Set<[UInt8]>, Set<[UInt8]>) = ([], [])
    let bytes = taxonomy.keywords.bytes.elements
    for keyword in taxonomy.keywords.entries.elements {
      let text = bytes[Int(keyword.start)..<Int(keyword.start) + Int(keyword.length)]
      if text.last == UInt8(ascii: "s"), !text.contains(0x20) { own.insert(text.map { $0 | 0x20 }) }
      for word in text.split(whereSeparator: { !$0.isASCIILetter }) where word.count > 3 {
        let last = word[word.endIndex - 1] | 0x20
        if last == UInt8(ascii: "i") || last == UInt8(ascii: "u") { singulars.insert(word.map { $0 | 0x20 }) }
      }
    }
    for letters in singulars.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let plural = letters + [UInt8(ascii: "s")]
      if own.contains(plural) { continue }
      let number = word(scanner.key(ofWord: letters))
      let key = scanner.key(ofWord: plural)
      _ = addAlias(key, of: number)
    }
  }

  /// Makes a key stand for a word that was just looked up; `false` where it means something already.
  mutating func addAlias(_ key: UInt64, of number: UInt32) -> Bool {
    guard wordNumbers.number(of: key, orAdd: number).isNew else { return false }
    aliases.append((key, number))
    return true
  }

  /// A spelling of several words leads to the keyword of its standard form.
  private mutating func addPhraseSpellings(_ spellings: [NormalizedSpelling], _ scanner: Words) {
    for spelling in spellings where !spelling.isWord {
      scanner.scan(spelling.standard)
      guard let known = node(scanner), self[known].singular >= 0 || self[known].plural >= 0 else {
        straySpellings.append(spelling.spelling)
        continue
      }
      let keyword = self[known].singular >= 0 ? self[known].singular : self[known].plural
      scanner.scan(spelling.variant)
      if let other = node(scanner), self[other].singular < 0 {
        self[other].singular = keyword
      } else {
        straySpellings.append(spelling.spelling)
      }
    }
  }

  /// Spellings of a word that no keyword holds and that does nothing else.
  private mutating func reportUnusedSpellings(_ spellings: [NormalizedSpelling], _ scanner: Words) {
    for spelling in spellings where spelling.isWord {
      let number = Int(word(scanner.key(ofWord: Array(spelling.standard.utf8))))
      if wordUses[number] == 0, wordRoles[number] == 0 { straySpellings.append(spelling.spelling) }
    }
  }

  /// Real words are known, so that no typo is looked for in them; no keyword ends there, and no slip is mended to them.
  private mutating func addRealWords(_ scanner: Words) {
    for text in taxonomy.realWords.utf8.split(separator: UInt8(ascii: "\n")) {
      // Also in a store that lacks the section's own keyword with it.
      ownUses[word(scanner.key(ofWord: Array(text)))] = nil
    }
  }

  // MARK: Words, nodes and edges

  /// The number of the word with a key, added when it is new.
  mutating func word(_ key: UInt64) -> UInt32 {
    let (number, isNew) = wordNumbers.number(of: key, orAdd: UInt32(wordKeys.count))
    if isNew {
      wordKeys.append(key)
      wordRoles.append(0)
      wordUses.append(0)
      shelfUses.append(0)
      shortestForms.append([])
      roots.append(Node())
    }
    return number
  }

  private subscript(node: UInt32) -> Node {
    get { node & Self.phraseBit == 0 ? roots[Int(node)] : phrases[Int(node & ~Self.phraseBit)].node }
    _modify {
      if node & Self.phraseBit == 0 { yield &roots[Int(node)] } else { yield &phrases[Int(node & ~Self.phraseBit)].node }
    }
  }

  /// The node of the phrase in `scanner`, added when it is new; `nil` for no word at all.
  private mutating func node(_ scanner: Words) -> UInt32? {
    guard scanner.count > 0 else { return nil }
    var node = word(scanner.keys[0])
    for place in 1..<max(scanner.count, 1) {
      let next = word(scanner.keys[place])
      let key = UInt64(node) << 32 | UInt64(next)
      let (number, isNew) = phraseNumbers.number(of: key, orAdd: UInt32(phrases.count))
      if isNew {
        phrases.append((Node(), key))
        self[node].followers.append(next)
      }
      node = number | Self.phraseBit
    }
    return node
  }
}

extension Words {
  /// Cuts a text into words, of which keys and marks may be read: `text` is gone.
  func scan(_ text: String) {
    let bytes = Array(text.utf8)
    (bytes + [UInt8](repeating: 0, count: Batch.padding)).withUnsafeBufferPointer { buffer in
      if let base = buffer.baseAddress { scan(base, count: bytes.count) }
    }
  }
}
