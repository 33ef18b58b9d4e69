import AisleCatalog
import AisleCore
import AisleFiles
import Foundation
import Testing

/// Which language a list is in is told by its words.
@Suite struct LanguageDetectorTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let folder = root.appending(path: "taxonomies").path
  private static let others = ["de", "es", "fr", "it", "nl", "pl", "pt", "sv"]
  private static let detector = Result {
    let found = TaxonomyFolder(path: folder).speaking(LanguageChoice(folders: [folder]))
    return try StoreLocator(source: .folder(found)).speaking(["auto"]).detector(for: "kroger")
  }

  private static func items(_ name: String) throws -> [String] {
    try String(contentsOf: root.appending(path: "corpus/\(name)"), encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: "\t").first.map(String.init) }
  }

  /// How many of a hundred lists of 10 to 40 items, or of another size, are found to be in a language.
  private func found(_ language: String, in items: [String], of size: ClosedRange<Int> = 10...40, seed: UInt64) throws -> Int {
    let detector = try #require(try Self.detector.get())
    var random = SeededGenerator(seed: seed)
    var (count, wrong) = (0, [String]())
    for _ in 0..<100 {
      let list = (0..<Int.random(in: size, using: &random)).compactMap { _ in items.randomElement(using: &random) }
      let answer = detector.language(of: list)
      if answer == language { count += 1 } else { wrong.append("\(answer): \(list.joined(separator: ", ").prefix(200))") }
    }
    if count < 99 { print("seed \(seed): \(count) of 100 in \(language); \(wrong.joined(separator: " | "))") }
    return count
  }

  @Test(arguments: others) func `a list is found to be in its language`(language: String) throws {
    #expect(try found(language, in: Self.items("languages/\(language).tsv"), seed: 1) >= 99)
  }

  @Test(arguments: others) func `so is a short one`(language: String) throws {
    #expect(try found(language, in: Self.items("languages/\(language).tsv"), of: 3...8, seed: 3) >= 97)
    #expect(try found("en", in: Self.items("everyday.tsv"), of: 3...8, seed: 3) >= 97)
  }

  @Test(arguments: [
    "blind", "catalog", "everyday", "fresh", "kitchen", "lists", "messy", "natural", "others", "purchases", "rare", "recipes",
    "shelf-talk", "surprises", "titles",
  ])
  func `a list in English is found to be in English`(file: String) throws {
    #expect(try found("en", in: Self.items("\(file).tsv"), seed: 2) >= 99)
  }

  @Test(
    arguments: [
      ([], "en"), ([""], "en"), (["12345", "2 x 3"], "en"), (["xqzt"], "en"), (["pan"], "en"),
      (["chips", "ketchup", "pizza"], "en"),
      (["milk", "bread", "Apfelsaft"], "en"), (["Hafermilch"], "de"), (["Hafermilch", "Äpfel", "Joghurt", "bread"], "de"),
      (["d'avoine", "œufs", "beurre"], "fr"), (["leche", "pan", "huevos"], "es"), (["gift"], "en"), (["burro"], "en"),
      (["leite", "pão", "ovos"], "pt"),
    ] as [([String], String)])
  func `ties are English`(list: [String], language: String) throws {
    let detector = try #require(try Self.detector.get())
    #expect(detector.language(of: list) == language)
  }

  @Test func `nobody pays for it who does not ask`() throws {
    let found = StoreLocator(source: .folder(TaxonomyFolder(path: Self.folder).speaking(LanguageChoice(folders: [Self.folder]))))
    #expect(try found.detector(for: "kroger") == nil)
    #expect(try found.speaking(["de"]).detector(for: "kroger") == nil)
    #expect(try StoreLocator(source: .builtIn).speaking(["auto"]).detector(for: "kroger") == nil)
  }

  @Test func `auto stands alone`() {
    let found = StoreLocator(source: .folder(TaxonomyFolder(path: Self.folder).speaking(LanguageChoice(folders: [Self.folder]))))
    #expect(throws: FileError.self) { try found.speaking(["auto", "de"]) }
  }
}
