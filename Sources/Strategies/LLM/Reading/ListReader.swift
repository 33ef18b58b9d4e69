import AisleCore
import HTTPTransport
public import Photos

/// Reads photos of handwritten lists with a language model that has vision.
public final class ListReader: Sendable {
  /// Why the photo could not be read.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// What happened and what to do, in one line.
    public let description: String
  }

  /// The most tokens that a photo takes. The APIs scale large ones down: Anthropic's to 1,600 tokens, and 4,784 of newer models; OpenAI's to
  /// 48,169 of gpt-4o-mini, the greediest (platform.openai.com, "Images and vision"). Other servers may read it as text.
  private static func photoTokens(_ base64: String, _ settings: ModelSettings) -> Int {
    switch settings.url.host {
    case "api.anthropic.com": 6_000
    case "api.openai.com": 50_000
    default: max(50_000, base64.utf8.count)
    }
  }

  /// The most digits of a photo in Base64: Anthropic's limit of 5 MB.
  private static let mostDigits = 5 << 20
  /// The longer side of a photo that was too large at the size that is best for the model: the square that Anthropic's models see whole.
  private static let smallSide = 1_092
  /// The most items that are taken from a photo.
  static let mostItems = 1_000

  private let settings: ModelSettings
  private let ledger: Ledger
  private let client: ModelClient

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - settings: Which model to ask, and how.
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

  /// The text on a photo, which is sent upright, at the model's best size, and without anything but its pixels. Where that is still too
  /// large, it is sent smaller.
  ///
  /// - Throws: `Failure`; `PhotoFault`; `CancellationError`.
  @concurrent
  public func read(_ photo: Photo) async throws -> [ReadSection] {
    let sides = [settings.photoSide] + (settings.photoSide > Self.smallSide ? [Self.smallSide] : [])
    var dialect = settings.dialect()
    for side in sides {
      let isLast = side == sides.last
      let base64 = Base64.text(try photo.jpeg(longSide: side))
      if !isLast, base64.utf8.count > Self.mostDigits { continue }
      do {
        return try checked(await ask(base64, &dialect))
      } catch ModelClient.Refusal.tooLarge where !isLast {
        continue
      } catch let refusal as ModelClient.Refusal {
        if case .capped(let reason) = refusal { throw Failure(description: "not read: \(reason)") }
        throw Failure(description: "\(name): \(report.firstFailure ?? "not asked")")
      }
    }
    throw Failure(description: "\(name): the photo is too large")
  }

  private var name: String { settings.model.isEmpty ? settings.provider.rawValue : settings.model }

  /// Asks about a photo, in another form where the server does not know this one.
  private func ask(_ base64: String, _ dialect: inout any Dialect) async throws -> [JSONValue] {
    while true {
      do {
        let ending = try await client.send(call(base64, dialect))
        switch ending.outcome {
        case .complete: return ending.answer?["sections"]?.elements ?? []
        case .refused: throw Failure(description: "\(name): the model refuses to read the photo")
        case .truncated:
          let remedy = settings.effort == nil ? "" : ", or let it reason less with --llm-effort"
          throw Failure(description: "\(name): the list is too long for one answer; photograph it in parts\(remedy)")
        }
      } catch ModelClient.Refusal.otherForm {
        guard let other = dialect.alternative else { throw ModelClient.Refusal.failed }
        dialect = other
      }
    }
  }

  private func call(_ base64: String, _ dialect: any Dialect) -> ModelClient.Call<AnswerEnding> {
    let inquiry = PhotoPrompt.inquiry(base64, dialect.form, settings.effort)
    let body = dialect.body(inquiry).bytes
    let reservation = Reservation(
      textBytes: body.count - base64.utf8.count, photoTokens: Self.photoTokens(base64, settings),
      answerTokens: inquiry.answerTokens, price: settings.price)
    return ModelClient.Call(
      purpose: "read", items: 1, path: dialect.path, headers: { dialect.headers($0) }, body: body, reservation: reservation,
      sizeRemedy: "photograph the list in parts",
      read: { body throws(ModelFailure) in
        let ending = try dialect.ending(body, tool: PhotoPrompt.toolName)
        if ending.outcome == .complete, ending.answer?["sections"]?.elements == nil {
          throw ModelFailure(.badReply, "the answer does not fit the schema", claim: ending.claim)
        }
        return (ending, ending.claim)
      }, fault: { dialect.fault($0) }, isOfForm: { dialect.alternative != nil && dialect.form.isRefused(by: $0) })
  }

  /// The sections with what can be items: clean text without the key, at most `mostItems` in all. What is too long is cut, and what is
  /// empty is left out.
  private func checked(_ sections: [JSONValue]) -> [ReadSection] {
    func clean(_ text: String, limit: Int = Question.maximumBytes) -> String? {
      let shown = client.keys.hidden(in: text)
      guard let end = shown.utf8.index(shown.startIndex, offsetBy: limit, limitedBy: shown.endIndex), end < shown.endIndex else {
        return Question(Array(shown.utf8)[...])?.text
      }
      ledger.remark("a line with more than \(limit) bytes is cut off; photograph the list in parts")
      return Question(Array(shown[..<end].utf8)[...])?.text
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
