import AisleCatalog
import AisleFiles
import Foundation
import Testing

@testable import AisleServer

/// `aisle serve --language auto`: each request is read in the language of its words.
@Suite struct LanguageTests {
  private static let taxonomies = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "taxonomies").path

  private static let folder = TaxonomyFolder(path: taxonomies).speaking(LanguageChoice(folders: [taxonomies]))

  private func server(_ languages: [String]?) async throws -> RunningServer {
    try await RunningServer { settings, _ in
      var chain = settings.chain
      chain.locator = try StoreLocator(source: .folder(Self.folder)).speaking(languages)
      settings = ServerSettings(chain)
      settings.port = 0
    }
  }

  @Test func `the whole of a request says which`() async throws {
    let server = try await server(["auto"])
    for _ in 0..<2 {
      let german = try await server.post("/v1/categorize", #"{"items": ["Hafermilch", "Äpfel", "Waschmittel"]}"#)
      #expect(german.sections == ["Dairy & Eggs", "Produce", "Household & Cleaning"])
      let english = try await server.post("/v1/categorize", #"{"items": ["oat milk", "apples", "peanut butter"]}"#)
      #expect(english.sections == ["Dairy & Eggs", "Produce", "Condiments & Sauces"])
      let spanish = try await server.post("/v1/categorize", #"{"items": ["pan", "huevos", "leche", "lejía"], "explain": true}"#)
      #expect(spanish.sections == ["Bakery", "Dairy & Eggs", "Dairy & Eggs", "Household & Cleaning"])
      #expect((spanish.results.first?["source"] as? String)?.contains("/languages/es/") == true)
    }
  }

  @Test func `requests that come together open a store once`() async throws {
    var room: StoreRoom?
    _ = try await RunningServer { settings, _ in
      var chain = settings.chain
      chain.locator = StoreLocator(source: .folder(Self.folder))
      room = try StoreRoom(chain) { _ in }
    }
    let stores = try #require(room)
    let opened = try await withThrowingTaskGroup(of: ServedStore.self) { group in
      for _ in 0..<6 { group.addTask { try await stores.readyStore("kroger", in: "nl") } }
      return try await group.reduce(into: Set<ObjectIdentifier>()) { $0.insert(ObjectIdentifier($1)) }
    }
    #expect(opened.count == 1)
  }

  @Test func `that another language is read is no change of a file`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "languages-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let german = folder.appending(path: "languages/de")
    try FileManager.default.createDirectory(at: german, withIntermediateDirectories: true)
    try Data("a".utf8).write(to: german.appending(path: "grammar.txt"))
    let taxonomies = TaxonomyFolder(path: folder.path).speaking(LanguageChoice(folders: [folder.path]))
    var sight = StoreRoom.Sight(StoreLocator(source: .folder(taxonomies)), ["en"])
    #expect(!sight.hasChanged(["en"]) && !sight.hasChanged(["de", "en"]) && !sight.hasChanged(["de", "en"]))
    try Data("ab".utf8).write(to: german.appending(path: "grammar.txt"))
    #expect(sight.hasChanged(["de", "en"]) && !sight.hasChanged(["de", "en"]) && !sight.hasChanged(["en"]))
  }

  @Test func `a language that is named is every request's`() async throws {
    let server = try await server(["es"])
    #expect(try await server.post("/v1/categorize", #"{"items": ["pan"]}"#).sections == ["Bakery"])
  }
}
