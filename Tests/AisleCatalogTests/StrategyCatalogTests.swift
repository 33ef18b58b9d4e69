import AisleCatalog
import AisleCore
import AisleFiles
import AisleTesting
import Foundation
import KeywordStrategy
import Testing

struct `The strategy catalog` {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private func kroger() throws -> Taxonomy {
    try TaxonomyFolder(path: Self.root.appending(path: "taxonomies").path).load("kroger").taxonomy
  }

  @Test(arguments: StrategyCatalog.builtIn.kinds.filter { kind in !kind.options.contains(where: \.isRequired) }.map(\.id))
  func `every strategy in it keeps its promises`(id: String) async throws {
    let taxonomy = try kroger()
    let strategy = try #require(
      try StrategyCatalog.builtIn.strategies(in: StrategyContext(taxonomy: taxonomy)).first { $0.metadata.id == id })
    let failures = await StrategyConformance.check(strategy, taxonomy: taxonomy)
    #expect(failures.isEmpty, "\(failures.map(\.description).joined(separator: "\n"))")
  }

  @Test(arguments: ["learned", "regex", "model"])
  func `a strategy of another store is an error when a categorizer is made`(id: String) throws {
    let chain = try StrategyCatalog.builtIn.chain(
      try ChainSpecification(id), in: StrategyContext(taxonomy: SmallStore.taxonomy())
    ).chain
    #expect(throws: TaxonomyMismatch(strategy: id, found: "small", expected: "kroger")) {
      _ = try Categorizer(taxonomy: try kroger(), chain: chain)
    }
    _ = try Categorizer(taxonomy: SmallStore.taxonomy(), chain: chain)
  }

  @Test func `substring mode keeps them too, but for the examples, which show phrases`() async throws {
    let taxonomy = try kroger()
    let failures = await StrategyConformance.check(
      KeywordStrategy(taxonomy, mode: .substring), taxonomy: taxonomy,
      cases: Set(ConformanceCase.allCases).subtracting([.examples, .metadata]))
    #expect(failures.isEmpty, "\(failures.map(\.description).joined(separator: "\n"))")
  }

  @Test func `agrees with the folders and with the table in Package.swift`() throws {
    let manifest = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: "Sources/Strategies").path)
      .filter { !$0.hasPrefix(".") }
    let tests = try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: "Tests").path)
    let listing = try StrategyListing(
      folders: Set(folders), table: Set(StrategyListing.table(in: manifest)), tests: Set(tests),
      catalog: StrategyCatalog.builtIn.ids,
      made: StrategyCatalog.builtIn.strategies(in: StrategyContext(taxonomy: SmallStore.taxonomy())).map(\.metadata.id))
    #expect(listing.missing.isEmpty, "\(listing.missing.joined(separator: "\n"))")
  }

  @Test func `the table in Package.swift is read as it is written`() {
    let manifest = """
      let strategies: [(name: String, dependencies: [Target.Dependency])] = [
        ("Keyword", []),
        // ("Dream", []),
        ("LLM", [grdb, .product(name: "Logging", package: "swift-log")]),
      ]
      let other = [("Not", [])]
      """
    #expect(StrategyListing.table(in: manifest) == ["Keyword", "LLM"])
    #expect(StrategyListing.table(in: "let strategy = 1") == [])
  }

  @Test func `the message says which line is missing`() {
    let all = Set(["Keyword", "Regex", "LLM"])
    let tests = Set(all.map { "\($0)StrategyTests" })
    let ids = ["regex", "keyword", "llm"]
    func missing(
      folders: Set<String>? = nil, table: Set<String>? = nil, tests given: Set<String>? = nil, catalog: [String]? = nil,
      made: [String]? = nil
    ) -> [String] {
      StrategyListing(
        folders: folders ?? all, table: table ?? all, tests: given ?? tests, catalog: catalog ?? ids,
        made: made ?? ["regex", "keyword"]
      ).missing
    }
    #expect(missing() == [])
    #expect(
      missing(folders: ["Keyword", "LLM"]) == [
        "Sources/Strategies/Regex is missing: make the folder, or take the strategy out of Package.swift and the catalog"
      ])
    #expect(missing(table: ["Keyword", "LLM"]) == ["Package.swift: the table `strategies` lacks the line (\"Regex\", []),"])
    #expect(
      missing(tests: tests.subtracting(["LLMStrategyTests"])) == [
        "Tests/LLMStrategyTests is missing: make the folder with its tests"
      ])
    #expect(
      missing(catalog: ["regex", "keyword"]) == [
        "Sources/AisleCatalog/StrategyCatalog.swift: `builtIn` lacks \"llm\", the id of Sources/Strategies/LLM"
      ])
    #expect(
      missing(made: ["keyword", "regex"]) == [
        "Sources/AisleCatalog/StrategyCatalog.swift: the strategies of `builtIn` call themselves keyword, regex; make that their ids"
      ])
    #expect(
      missing(made: ["keyword", "dream"]) == [
        "Sources/AisleCatalog/StrategyCatalog.swift: `builtIn` lacks \"dream\", which its strategies call themselves"
      ])
  }
}

/// The places that name the built-in strategies.
struct StrategyListing {
  /// The folders in Sources/Strategies.
  let folders: Set<String>
  /// The names in the table of Package.swift.
  let table: Set<String>
  /// The folders in Tests.
  let tests: Set<String>
  /// The catalog's ids.
  let catalog: [String]
  /// The ids of the strategies that the catalog makes: all that need no settings.
  let made: [String]

  /// What is missing for all to agree, a line each.
  var missing: [String] {
    let names = folders.union(table).union(
      catalog.filter { id in !folders.contains { $0.lowercased() == id } }.map(\.capitalized))
    var missing: [String] = []
    for name in names.sorted() {
      if !folders.contains(name) {
        missing.append(
          "Sources/Strategies/\(name) is missing: make the folder, or take the strategy out of Package.swift and the catalog")
      }
      if !table.contains(name) { missing.append("Package.swift: the table `strategies` lacks the line (\"\(name)\", []),") }
      if !tests.contains("\(name)StrategyTests") {
        missing.append("Tests/\(name)StrategyTests is missing: make the folder with its tests")
      }
      if !catalog.contains(name.lowercased()) {
        missing.append("\(Self.catalogFile): `builtIn` lacks \"\(name.lowercased())\", the id of Sources/Strategies/\(name)")
      }
    }
    let unknown = made.filter { !catalog.contains($0) }
    missing += unknown.map { "\(Self.catalogFile): `builtIn` lacks \"\($0)\", which its strategies call themselves" }
    if unknown.isEmpty, made != catalog.filter(made.contains) {
      missing.append(
        "\(Self.catalogFile): the strategies of `builtIn` call themselves \(made.joined(separator: ", ")); make that their ids")
    }
    return missing
  }

  private static let catalogFile = "Sources/AisleCatalog/StrategyCatalog.swift"

  /// The names in the manifest's table of strategies.
  static func table(in manifest: String) -> [String] {
    let lines = manifest.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    guard let start = lines.firstIndex(where: { $0.hasPrefix("let strategies:") }) else { return [] }
    return lines[(start + 1)...].prefix { $0 != "]" }.compactMap { line in
      line.hasPrefix("(\"") ? line.dropFirst(2).split(separator: "\"").first.map(String.init) : nil
    }
  }
}
