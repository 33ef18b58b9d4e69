import AisleCore

/// Adds what languages say of their words: what they do, which forms they have, and how their letters are also written.
extension PhraseIndexBuilder {
  /// A word of a language's keywords, in any form.
  struct LanguageWord {
    /// Its letters in lower case, without accents.
    let letters: [UInt8]
    /// The section of the keyword that it is by itself; `nil` where it is only part of others.
    var section: UInt8?
    /// Whether keywords of several sections are this word.
    var isMixed = false
    /// The shelf of that keyword.
    var shelf: UInt16?
    /// The shelves of all keywords that it stands in.
    var shelves: Set<UInt16>
  }

  /// What function words do, in the order of the languages. A word of an earlier language, function word or keyword, keeps its meaning.
  mutating func addGrammar(_ scanner: Words) {
    let languages = taxonomy.languages.isEmpty ? [Language.builtInEnglish] : taxonomy.languages
    var taken: Set<UInt64> = []
    for (place, language) in languages.enumerated() {
      addGrammar(of: language, UInt16(place + 1), scanner, except: taken)
      if place + 1 == languages.count { break }
      for (number, role) in wordRoles.enumerated() where role != 0 { taken.insert(wordKeys[number]) }
      taken.formUnion(singleWords(of: UInt16(place + 1), scanner))
    }
  }

  /// What words do that are no product in a language, whatever they are in another.
  private static let binding: Set<Language.Role> = [.adds, .joins, .in, .excludes, .of, .filler]

  /// Whether a word by itself is a function word of an earlier language: German `zum` is no soap of that name.
  func isFunctionWord(_ node: UInt32, before language: UInt16) -> Bool { functionWords[node].map { $0 < language } ?? false }

  private mutating func addGrammar(of language: Language, _ place: UInt16, _ scanner: Words, except taken: Set<UInt64>) {
    for role in Language.Role.allCases {
      for text in language.words[role] ?? [] {
        scanner.scan(text)
        guard scanner.count == 1, !taken.contains(scanner.keys[0]) else { continue }
        let number = word(scanner.keys[0])
        wordRoles[Int(number)] |= Grammar.Role(role, in: language).rawValue
        if Self.binding.contains(role) { functionWords[number] = place }
      }
    }
  }

  /// The keys of a language's keywords of one word.
  func singleWords(of language: UInt16, _ scanner: Words) -> [UInt64] {
    var keys: [UInt64] = []
    let keywords = taxonomy.keywords
    for entry in keywords.entries.elements where entry.language == language {
      scanner.scan(keywords.bytes.address + Int(entry.start), count: Int(entry.length))
      if scanner.count == 1 { keys.append(scanner.keys[0]) }
    }
    return keys
  }

  /// Whether a keyword has the words that were scanned, not only other forms or spellings of them.
  func isSame(_ keyword: KeywordID, as scanner: Words) -> Bool {
    let other = languages.makeWords()
    let entry = taxonomy.keywords.entries[Int(keyword.rawValue)]
    other.scan(taxonomy.keywords.bytes.address + Int(entry.start), count: Int(entry.length))
    return other.count == scanner.count && (0..<scanner.count).allSatisfy { other.keys[$0] == scanner.keys[$0] }
  }

  // MARK: Forms

  /// Makes the forms of a word one word, where no two shelves have keywords for them. What only stands in longer keywords is another word
  /// unless one of them is on the shelf of the word: `collo` (neck) is no `colla` (glue).
  mutating func addForms(_ scanner: Words) {
    let moving = Set(PhraseIndex.keys(of: taxonomy.moves))
    for reading in languages.readings where !reading.endings.isEmpty {
      let all = languageWords(of: reading.number, scanner)
      var groups: [UInt64: [Int]] = [:]
      for (place, word) in all.enumerated() where word.letters.count > 3 {
        groups[word.letters.withUnsafeBufferPointer { reading.mainStem($0) }, default: []].append(place)
      }
      for members in groups.values.sorted(by: { $0[0] < $1[0] }) where members.count > 1 {
        let shelves = Set(members.compactMap { all[$0].shelf })
        if shelves.count > 1 { continue }
        let same = members.filter { place in shelves.first.map(all[place].shelves.contains) ?? true }
        let keys = same.map { scanner.key(ofWord: all[$0].letters) }.filter { !moving.contains($0) }
        guard let first = keys.first else { continue }
        let number = word(first)
        if wordRoles[Int(number)] != 0 { continue }
        for key in keys.dropFirst() { _ = addAlias(key, of: number) }
      }
    }
  }

  /// Adds the stems of the words of languages, and which of the first one's slips of the hand are mended to, so that forms that no keyword has are found by them. A stem of words that keywords of
  /// several sections are is none.
  mutating func addStems(_ scanner: Words) {
    for reading in languages.readings where !reading.endings.isEmpty {
      var owners: [UInt64: (number: UInt32, section: UInt8?, isClaimed: Bool)] = [:]
      var order: [UInt64] = []
      for item in languageWords(of: reading.number, scanner) where item.letters.count > 2 {
        let number = word(scanner.key(ofWord: item.letters))
        if wordRoles[Int(number)] & Grammar.Role.silent.rawValue != 0 { continue }
        if reading.number == 1, isKeyword(number, of: 1) {
          item.letters.withUnsafeBufferPointer { addSpelled($0, word: number) }
        }
        item.letters.withUnsafeBufferPointer { letters in
          reading.forEachStem(letters) { stem in
            guard let owner = owners[stem] else {
              owners[stem] = (number, item.section, item.isMixed)
              order.append(stem)
              return true
            }
            if owner.number == number { return true }
            if let section = owner.section, let other = item.section {
              if section != other { owners[stem]?.isClaimed = true }
            } else if owner.section == nil, item.section != nil {
              owners[stem] = (number, item.section, item.isMixed || owner.isClaimed)
            }
            return true
          }
        }
      }
      for stem in order {
        if let owner = owners[stem], !owner.isClaimed { _ = addAlias(stem, of: owner.number) }
      }
    }
  }

  /// Adds words as they are written without their special letters: `haehnchen`.
  mutating func addLetters(_ scanner: Words) {
    let keywords = taxonomy.keywords
    for (place, language) in taxonomy.languages.enumerated() where !language.letters.isEmpty {
      for entry in keywords.entries.elements where entry.language == UInt16(place + 1) {
        let text = keywords.bytes.elements[Int(entry.start)..<Int(entry.start) + Int(entry.length)]
        if !text.contains(where: { $0 >= 0x80 }) { continue }
        var written = String(decoding: text, as: UTF8.self)
        scanner.scan(written)
        let known = (0..<scanner.count).map { scanner.keys[$0] }
        for letter in language.letters {
          written = written.split(separator: letter.written, omittingEmptySubsequences: false).joined(separator: letter.meant)
        }
        scanner.scan(written)
        guard scanner.count == known.count else { continue }
        for (place, key) in known.enumerated() where scanner.keys[place] != key {
          _ = addAlias(scanner.keys[place], of: word(key))
        }
      }
    }
  }

  /// The words that a language's keywords have, in their order.
  private func languageWords(of language: UInt16, _ scanner: Words) -> [LanguageWord] {
    var places: [[UInt8]: Int] = [:]
    var found: [LanguageWord] = []
    let keywords = taxonomy.keywords
    for entry in keywords.entries.elements where entry.language == language {
      scanner.scan(keywords.bytes.address + Int(entry.start), count: Int(entry.length))
      for word in 0..<scanner.count {
        let (start, end) = (Int(scanner.bounds[2 * word]), Int(scanner.bounds[2 * word + 1]))
        guard (2...LanguageTable.Reading.longestWord).contains(end - start) else { continue }
        let letters = (start..<end).map { scanner.text[$0].lowercasedASCII }
        let section = scanner.count == 1 ? entry.section : nil
        guard let place = places[letters] else {
          places[letters] = found.count
          found.append(
            LanguageWord(letters: letters, section: section, shelf: section.map { _ in entry.shelf }, shelves: [entry.shelf]))
          continue
        }
        found[place].shelves.insert(entry.shelf)
        guard let section else { continue }
        if let other = found[place].section, other != section { found[place].isMixed = true }
        (found[place].section, found[place].shelf) = (section, entry.shelf)
      }
    }
    return found
  }
}

extension Grammar.Role {
  /// What a word of a language does. Where the head comes first, what a flavor is of follows, `goût vanille`, and only accompanies.
  init(_ role: Language.Role, in language: Language) {
    self =
      switch role {
      case .measure: .measure
      case .counts: .counts
      case .prepares: .prepares
      case .adds: .adds
      case .joins: .joins
      case .in: [.joins, .measure]
      case .excludes: .excludes
      case .of: .of
      case .flavors: language.isHeadFirst ? .joins : .flavors
      case .unsaysBefore: .unsaysBefore
      case .unsaysAfter: .unsaysAfter
      case .filler: .filler
      }
  }
}
