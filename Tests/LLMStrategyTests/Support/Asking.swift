import AisleCore
import AisleFiles
import Foundation
import HTTPTransport
import LLMStrategy
import ModelServer
import Synchronization

/// Strategies that ask a server of the tests.
enum Asking {
  static func settings(_ server: ModelServer, key: String = ModelServer.key) throws -> ModelSettings {
    let provider = ModelProvider(rawValue: server.api.rawValue) ?? .anthropic
    let path = provider == .proxy ? "/check" : ""
    return ModelSettings(
      provider: provider, model: provider == .proxy ? nil : "test-model", url: try HTTPURL(server.url + path), key: Secret(key))
  }

  static func strategy(
    _ server: ModelServer, _ taxonomy: Taxonomy, cache: (any AnswerCache)? = nil, remarks: Remarks = Remarks(),
    change: (inout ModelSettings) -> Void = { _ in }
  ) throws -> LanguageModelStrategy {
    var settings = try settings(server)
    change(&settings)
    return LanguageModelStrategy(settings, taxonomy: taxonomy, cache: cache, remark: { remarks.add($0) })
  }

  /// The sections that a strategy gives items; `nil` where it abstains.
  static func sections(_ items: [String], _ strategy: some Strategy, _ taxonomy: Taxonomy) async throws -> [String?] {
    var batch = Batch(items, taxonomy: taxonomy)
    try await strategy.decide(&batch)
    return (0..<batch.count).map { index in batch.decisions[index].map { batch.sectionName($0.section) } }
  }
}

/// What a strategy remarks.
final class Remarks: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// The taxonomy of the repository.
enum KrogerStore {
  static func taxonomy() throws -> Taxonomy {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try TaxonomyFolder(path: root.appending(path: "taxonomies").path).load("kroger").taxonomy
  }

  /// What the strategy's own examples say.
  static let examples = ["gochugaru": "International", "piri piri": "Condiments & Sauces", "hostess gift": "Other"]
}
