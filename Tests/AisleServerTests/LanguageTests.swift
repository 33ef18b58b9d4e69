import AisleCatalog
import AisleFiles
import Foundation
import Testing

@testable import AisleServer

/// `aisle serve --language auto`: each request is read in the language of its words.
@Suite struct LanguageTests {
  private static let taxonomies = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "taxonomies").path

  private func server(_ languages: [String]?) async throws -> RunningServer {
    try await RunningServer { settings, _ in
      let folder = TaxonomyFolder(path: Self.taxonomies).speaking(LanguageChoice(folders: [Self.taxonomies]))
      var chain = settings.chain
      chain.locator = try StoreLocator(source: .folder(folder)).speaking(languages)
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

  @Test func `a language that is named is every request's`() async throws {
    let server = try await server(["es"])
    #expect(try await server.post("/v1/categorize", #"{"items": ["pan"]}"#).sections == ["Bakery"])
  }
}
