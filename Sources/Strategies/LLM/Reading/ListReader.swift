import AisleCore
import HTTPTransport

/// Reads photos of handwritten lists with a language model that sees.
public final class ListReader: Sendable {
  /// Why there is nothing to show.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// What happened and what to do, in one line.
    public let description: String
  }

  /// The model that reads photos where none is named; `nil` where the provider has none.
  public static func standardModel(of provider: ModelProvider) -> String? {
    switch provider {
    case .anthropic: "claude-sonnet-4-5-20250929"
    case .openai: provider.standardModel
    case .proxy: nil
    }
  }

  /// The most tokens that a photo and the words beside it take: providers scale large ones down.
  private static let photoTokens = 6_000
  /// The most items that are taken from a photo.
  static let mostItems = 1_000

  private let settings: ModelSettings
  private let ledger: Ledger
  private let client: ModelClient

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - settings: Which model, and how; its provider must not be a proxy.
  ///   - log: Hears of every request.
  ///   - interruption: A descriptor that becomes readable when all waiting shall end.
  ///   - remark: Gets what goes wrong, a line at a time, on any thread.
  public init(
    _ settings: ModelSettings, log: (any RequestLog)? = nil, interruption: Int32? = nil,
    remark: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.settings = settings
    let ledger = Ledger(hasPrice: settings.price != nil, log: log, remark: remark)
    self.ledger = ledger
    client = ModelClient(settings, ledger) { () throws(HTTPError) in try HTTPClient(interruption: interruption) }
  }

  /// What it has spent.
  public var report: ModelReport { ledger.current }

  /// What is written on a photo.
  ///
  /// - Throws: `Failure`; `CancellationError`.
  public func read(_ photo: ListPhoto) async throws -> [ReadSection] {
    let dialect: PhotoDialect
    switch settings.provider {
    case .anthropic: dialect = .anthropic
    case .openai: dialect = .openai
    case .proxy: throw Failure(description: "a proxy reads no photos; choose --llm anthropic or openai")
    }
    let isVersioned = settings.url.description.hasSuffix("/v1")
    let call = ModelClient.Call<PhotoDialect.Reply>(
      purpose: "read", items: 1, path: (isVersioned ? "" : "/v1") + dialect.path, headers: dialect.headers(settings.key),
      body: dialect.body(photo, model: settings.model, isOpenAI: settings.url.host == "api.openai.com").bytes,
      countedBytes: Self.photoTokens * 2, answerTokens: PhotoPrompt.answerTokens,
      read: { body throws(ModelFailure) in try dialect.read(body) },
      fault: { dialect.fault($0) })
    let reply: PhotoDialect.Reply
    do {
      reply = try await client.send(call)
    } catch let refusal as ModelClient.Refusal {
      if refusal == .capped { throw Failure(description: "a cap does not allow the request") }
      throw Failure(description: "\(settings.model): \(report.firstFailure ?? "not asked")")
    }
    switch reply {
    case .sections(let sections): return Self.checked(sections)
    case .refused: throw Failure(description: "\(settings.model): refuses to read the photo")
    case .truncated: throw Failure(description: "\(settings.model): the list is too long for one answer; photograph it in parts")
    }
  }

  /// The sections with what can be items: clean text, at most `mostItems` in all. Empty ones are left out.
  private static func checked(_ sections: [JSONValue]) -> [ReadSection] {
    var left = mostItems
    return sections.compactMap { section in
      guard let kind = section["type"]?.string.flatMap({ ReadSection.Kind(rawValue: $0) }), let items = section["items"]?.elements
      else { return nil }
      let texts = items.compactMap { $0.string.flatMap { Question(Array($0.utf8)[...])?.text } }.prefix(left)
      left -= texts.count
      let name = section["name"]?.string.flatMap { Question(Array($0.utf8.prefix(100))[...])?.text }
      return texts.isEmpty ? nil : ReadSection(name: name ?? kind.rawValue, kind: kind, items: Array(texts))
    }
  }
}
