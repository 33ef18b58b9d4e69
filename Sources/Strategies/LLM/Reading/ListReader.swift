import AisleCore
import HTTPTransport

/// Reads photos of handwritten lists with a language model that has vision.
public final class ListReader: Sendable {
  /// Why the photo could not be read.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// What happened and what to do, in one line.
    public let description: String
  }

  /// The default model for photos; `nil` if the provider has none.
  public static func standardModel(of provider: ModelProvider) -> String? {
    switch provider {
    case .anthropic: "claude-sonnet-4-5-20250929"
    case .openai: provider.standardModel
    case .proxy: nil
    }
  }

  /// The most tokens that a photo takes. The APIs scale large ones down: Anthropic's to 1,600 tokens, and 4,784 of newer models; OpenAI's to
  /// 48,169 of gpt-4o-mini, the greediest (platform.openai.com, "Images and vision"). Other servers may read it as text.
  private static func photoTokens(_ photo: ListPhoto, _ settings: ModelSettings) -> Int {
    switch settings.url.host {
    case "api.anthropic.com": 6_000
    case "api.openai.com": 50_000
    default: max(50_000, base64Bytes(photo))
    }
  }

  private static func base64Bytes(_ photo: ListPhoto) -> Int { (photo.bytes.count + 2) / 3 * 4 }

  /// The most items that are taken from a photo.
  static let mostItems = 1_000

  private let settings: ModelSettings
  private let ledger: Ledger
  private let client: ModelClient

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - settings: Which model to ask, and how; its provider must not be a proxy.
  ///   - log: Is told about every request.
  ///   - interruption: A descriptor that becomes readable when all waiting must end.
  ///   - remark: Receives each problem as one line, on any thread.
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

  /// The text on a photo.
  ///
  /// - Throws: `Failure`; `CancellationError`.
  @concurrent
  public func read(_ photo: ListPhoto) async throws -> [ReadSection] {
    let dialect: PhotoDialect
    switch settings.provider {
    case .anthropic: dialect = .anthropic
    case .openai: dialect = .openai
    case .proxy: throw Failure(description: "a proxy cannot read photos; use --llm anthropic or openai")
    }
    let isVersioned = settings.url.description.hasSuffix("/v1")
    let body = dialect.body(photo, model: settings.model, isOpenAI: settings.url.host == "api.openai.com").bytes
    let reservation = Reservation(
      textBytes: body.count - Self.base64Bytes(photo), photoTokens: Self.photoTokens(photo, settings),
      answerTokens: PhotoPrompt.answerTokens, price: settings.price)
    let call = ModelClient.Call<PhotoDialect.Reply>(
      purpose: "read", items: 1, path: (isVersioned ? "" : "/v1") + dialect.path, headers: dialect.headers(settings.key),
      body: body, reservation: reservation, sizeRemedy: "shrink it: magick photo.jpg -resize 2000x2000 small.jpg",
      read: { body throws(ModelFailure) in try dialect.read(body) },
      fault: { dialect.fault($0) })
    let reply: PhotoDialect.Reply
    do {
      reply = try await client.send(call)
    } catch let refusal as ModelClient.Refusal {
      if case .capped(let reason) = refusal { throw Failure(description: "not read: \(reason)") }
      throw Failure(description: "\(settings.model): \(report.firstFailure ?? "not asked")")
    }
    switch reply {
    case .sections(let sections): return checked(sections)
    case .refused: throw Failure(description: "\(settings.model): the model refuses to read the photo")
    case .truncated: throw Failure(description: "\(settings.model): the list is too long for one answer; photograph it in parts")
    }
  }

  /// The sections with what can be items: clean text without the key, at most `mostItems` in all. Empty ones are left out.
  private func checked(_ sections: [JSONValue]) -> [ReadSection] {
    func clean(_ text: String, limit: Int = .max) -> String? {
      let shown = settings.key?.hidden(in: text) ?? text
      return Question(Array(shown.utf8.prefix(limit))[...])?.text
    }
    var left = Self.mostItems
    return sections.compactMap { section in
      guard let kind = section["type"]?.string.flatMap({ ReadSection.Kind(rawValue: $0) }), let items = section["items"]?.elements
      else { return nil }
      let texts = items.compactMap { $0.string.flatMap { clean($0) } }.prefix(left)
      left -= texts.count
      let name = section["name"]?.string.flatMap { clean($0, limit: 100) }
      return texts.isEmpty ? nil : ReadSection(name: name ?? kind.rawValue, kind: kind, items: Array(texts))
    }
  }
}
