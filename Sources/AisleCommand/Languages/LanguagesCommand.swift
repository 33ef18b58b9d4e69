import AisleCatalog
import AisleCore
import AisleFiles
import AisleReporting
import ArgumentParser

struct LanguagesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "languages", abstract: "List and check languages, and create new ones.",
    discussion: """
      A language is a folder of keywords, spellings, and a grammar, in the `languages` folder of the taxonomies folder. `--language de` \
      reads a list in German, for any store.

      Examples:
        aisle languages
        aisle languages check de
        aisle languages new da --name Danish
        printf 'Hafermilch\\nÄpfel\\n' | aisle categorize --language de
      """,
    subcommands: [ListLanguages.self, CheckLanguages.self, NewLanguage.self], defaultSubcommand: ListLanguages.self)
}

struct ListLanguages: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the languages.",
    discussion: """
      Prints one line per language: its id, its own name, its English name, and how many keywords and other spellings it has. In a pipe, \
      columns are separated by tabs.

      Examples:
        aisle languages list
        aisle languages list --taxonomies ~/my-stores

      Exit codes: 0 done; 2 a language cannot be read; 64 usage.
      """)

  @OptionGroup var stores: StoreOptions

  @MainActor
  func run() async throws {
    let locator = try stores.locate()
    let store = try LanguagesCommand.store(in: locator)
    let rows = try locator.languages.known.map { id in
      let report = try LanguageCheck.report(id, on: store, of: locator)
      return [
        id, report.language.name, report.language.englishName, "\(report.keywords) keywords", "\(report.spellings) spellings",
      ] + (report.findings.isEmpty ? [] : ["\(report.findings.count) to mend; run `aisle languages check \(id)`"])
    }
    try TextTable.write(rows)
  }
}

struct CheckLanguages: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Report every error in the languages' files.",
    discussion: """
      Prints each error as `path:line:column: message` on standard output: unknown roles and shelves, keywords that are on two shelves, and \
      keywords of different shelves that are the same apart from endings or spellings. Checks all languages if none is named.

      Examples:
        aisle languages check
        aisle languages check de nl

      Exit codes: 0 no errors; 1 errors found; 2 a file or folder cannot be read; 64 usage.
      """)

  @Argument(help: "The languages' ids.", completion: NameCompletion.language)
  var names: [String] = []

  @OptionGroup var stores: StoreOptions

  @MainActor
  func run() async throws {
    let locator = try stores.locate()
    let store = try LanguagesCommand.store(in: locator)
    let ids = names.isEmpty ? locator.languages.known.filter { locator.languages.folder(of: $0) != nil } : names
    var findings: [Finding] = []
    for id in ids { findings += try LanguageCheck.report(id, on: store, of: locator).findings }
    var text = findings.map { Style.visible($0.description) + "\n" }.joined()
    try text.withUTF8 { try Descriptor.standardOutput.write(UnsafeRawBufferPointer($0)) }
    let what = ids.count == 1 ? ids[0] : "\(ids.count) languages"
    let count = countedOrNone(findings.count, "error")
    Descriptor.standardError.tell("\(what): \(count)\n")
    if !findings.isEmpty { throw ExitCode(1) }
  }
}

struct NewLanguage: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Create a language.",
    discussion: """
      Writes the folder languages/ID into the taxonomies folder: a grammar to fill in, with what each line is for, and the first shelf. \
      taxonomies/languages/README.md says what to do next.

      Examples:
        aisle languages new da --name Danish

      Exit codes: 0 done; 2 a file cannot be written, or the language already exists; 64 usage.
      """)

  @Argument(help: "The language's id: two lowercase letters, as in ISO 639-1.")
  var id: String

  @Option(help: ArgumentHelp("The language's name in English (default: the id).", valueName: "name"))
  var name: String?

  @OptionGroup var stores: StoreOptions

  func validate() throws {
    guard (2...3).contains(id.utf8.count), id.utf8.allSatisfy(\.isLowercaseASCII), id != "auto" else {
      throw ValidationError("The id must be two or three lowercase letters, such as da.")
    }
    if let name, name.allSatisfy(\.isWhitespace) || name.unicodeScalars.contains(where: { $0.value < 32 }) {
      throw ValidationError("--name must have a letter and no control characters.")
    }
  }

  @MainActor
  func run() async throws {
    guard case .folder(let folder) = try stores.locate().source else {
      throw CommandFailure(
        description: "no taxonomies folder found, and a language needs its shelves; name one with --taxonomies")
    }
    if let there = folder.languages.folder(of: id) {
      throw CommandFailure(description: "\(there): already exists; edit its files")
    }
    if id == Language.english { throw CommandFailure(description: "English already exists; edit the files in \(folder.path)") }
    let home = "\(folder.path)/languages/\(id)"
    for part in ["\(folder.path)/languages", home, "\(home)/shelves"] where !FileReader.isFolder(part) {
      try FileWriter.makeFolder(part)
    }
    for file in LanguageDraft.files(id, named: name ?? id) {
      try FileWriter.make("\(home)/\(file.name)", with: Array(file.text.utf8))
    }
    Descriptor.standardError.tell(
      """
      \(home): created
      next: fill in grammar.txt and the shelves, and run
        aisle languages check \(id)
        aisle categorize --language \(id)

      """)
  }
}

extension LanguagesCommand {
  /// The store whose shelves a language is read with: Kroger, or else the first.
  static func store(in locator: StoreLocator) throws -> String {
    let known = locator.stores
    guard let store = known.contains(StoreLocator.standard) ? StoreLocator.standard : known.first else {
      throw ListStores.nothing(in: locator)
    }
    return store
  }
}
