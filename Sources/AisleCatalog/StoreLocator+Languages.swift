public import AisleCore
public import AisleFiles
import KeywordStrategy

extension StoreLocator {
  /// The same stores, read in languages, the one that counts first before the others; `nil` for what a store's file says. `auto` alone
  /// leaves it to each list.
  ///
  /// - Parameter place: Where they are named, for messages.
  /// - Throws: `FileError` for one that is not there, or is named twice.
  public func speaking(_ languages: [String]?, namedBy place: String? = nil) throws(FileError) -> StoreLocator {
    guard let languages else { return self }
    var choice = self.languages
    choice.isPerList = languages.contains(LanguageChoice.auto)
    choice.ids = choice.isPerList ? nil : languages
    func failed(_ reason: String) -> FileError {
      FileError(path: place ?? choice.folders.first ?? CompiledStores.name, reason: reason)
    }
    if choice.isPerList, languages.count > 1 {
      throw failed("`auto` detects the language; leave out either `auto` or the other languages")
    }
    if !choice.isPerList, let fault = choice.faults(in: languages).first { throw failed(fault.reason) }
    guard case .folder(let folder) = source else { return self }
    var locator = StoreLocator(source: .folder(folder.speaking(choice)))
    locator.report = report
    return locator
  }

  /// The languages that there are, and where.
  public var languages: LanguageChoice {
    guard case .folder(let folder) = source else { return LanguageChoice() }
    return folder.languages
  }

  /// The languages of a store's lists, the one that counts first before the others; none for English alone.
  public func languages(of store: String) -> [String] {
    guard case .folder(let folder) = source else { return [] }
    let languages = folder.languages(of: store)
    return languages == [Language.english] ? [] : languages
  }

  /// The languages of lists at a store, to tell one by its words; `nil` where nobody asks for that, or there is only English.
  ///
  /// Among them are all that are there. What is in none of them more than in the store's own language is in that.
  ///
  /// - Throws: `FileError` for an unknown store or an unreadable folder.
  /// - Complexity: O(bytes of all keywords); some 50 ns a word.
  public func detector(for store: String) throws(FileError) -> LanguageDetector? {
    guard case .folder(let folder) = source, folder.languages.isPerList else { return nil }
    let own = folder.languages(of: store).first ?? Language.english
    let ids = [own] + folder.languages.known.filter { $0 != own }
    if ids.count == 1 { return nil }
    let taxonomy = try folder.speaking(LanguageChoice(ids: ids, folders: folder.languages.folders)).load(store).taxonomy
    return LanguageDetector(taxonomy)
  }
}

extension SettledChain {
  /// Reads the store in the language that a list is in by its words.
  ///
  /// - Parameters:
  ///   - text: What the items are in; it ends in `Batch.padding` zeros.
  ///   - extents: The items.
  /// - Returns: The language's id.
  /// - Throws: `FileError` for an unknown store or an unreadable folder.
  package mutating func speak(asIn text: [UInt8], _ extents: ContiguousArray<Batch.Extent>) throws(FileError) -> String {
    guard let detector = try locator.detector(for: store.value) else { return Language.english }
    let found = text.count < Batch.padding ? detector.languages[0] : detector.language(of: text, extents)
    // The store's own language may have others behind it.
    if found != detector.languages[0] { locator = try locator.speaking([found]) }
    return found
  }
}

extension LanguageDetector {
  /// How often a word counts that says how an item is built: lists have it oftener than keywords do.
  private static let common = 5

  /// Knows the words of a taxonomy that is read in several languages, the one for what is in none before the others.
  /// Spellings do not count: most are clipped words, which say little, and make a language's own words seem rarer.
  init(_ taxonomy: Taxonomy) {
    self.init(taxonomy.languages.map(\.id))
    let scanner = Self.makeWords()
    let english = languages.firstIndex(of: Language.english) ?? 0
    let keywords = taxonomy.keywords
    for entry in keywords.entries.elements {
      let language = entry.language == 0 ? english : Int(entry.language) - 1
      add(keywords.bytes.address + Int(entry.start), count: Int(entry.length), to: language, with: scanner)
    }
    add(words: taxonomy.realWords, to: english, times: 1, with: scanner)
    for (number, language) in taxonomy.languages.enumerated() {
      for role in Language.Role.allCases {
        for word in language.words[role] ?? [] { add(word, to: number, times: Self.common, with: scanner) }
      }
    }
  }

  private mutating func add(words: String, to language: Int, times: Int, with scanner: Words) {
    for word in words.split(whereSeparator: \.isWhitespace) { add(String(word), to: language, times: times, with: scanner) }
  }
}
