import AisleCore
import AisleFiles
import AisleItems
import Hummingbird
import LearnedStrategy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `POST /v1/app`: what the edge function of a list app answers, so that the app only changes the address it calls.
struct AppRoute: Sendable {
  let stores: StoreRoom
  let corrections: CorrectionRoom
  let model: ModelRoom
  let scans: ScanCounter
  /// How many photos a month are free; 0 for any number.
  let scanLimit: Int

  private struct Question: Decodable {
    let action: String
    let store: String?
    let items: [CheckRoute.Item]?
    let image: Data?

    enum CodingKeys: String, CodingKey {
      case action, store, items
      case image = "imageBase64"
    }
  }

  private struct Item: Encodable {
    let id: CheckRoute.Identifier?
    let name: String
    let category: String
  }

  private struct Section: Encodable {
    let name: String
    let type: String
    let items: [String]
  }

  private struct Reached: Encodable {
    let error = "scan_limit_reached"
    let scansUsed: Int
    let scanLimit: Int
    let upgradeRequired = true
  }

  func answer(_ request: Request, _ caller: Caller) async throws -> Response {
    let question = try await request.json(Question.self)
    do {
      switch question.action {
      case "sanity_check": return try await check(question)
      case "analyze": return try await analyze(question, caller)
      default:
        throw Problem(.badRequest, "no action `\(question.action.prefix(100))`; use sanity_check or analyze")
      }
    } catch let problem as Problem where problem.status == .badGateway {
      // The app knows this as the model's failure.
      throw Problem(.internalServerError, problem.detail)
    }
  }

  /// The items with the sections where the model would put them.
  private func check(_ question: Question) async throws -> Response {
    guard let items = question.items else { throw Problem(.unprocessableContent, "`items` is missing") }
    let store = try stores.store(question.store)
    // An app may call several items the same, so that they go by their places.
    let (list, sections) = try await CheckRoute.list(items, in: store) { .json("\($0)") }
    let (run, outcome) = try await model.check(list, named: nil, in: store, corrections)
    var moves: [RecordFields.Value: String] = [:]
    for suggestion in outcome.suggestions.map(\.suggestion) {
      for place in run.ids(of: suggestion) { moves[place] = suggestion.to }
    }
    let answers = items.enumerated().map { place, item in
      Item(id: item.id, name: item.name, category: moves[.json("\(place)")] ?? item.category ?? sections[place])
    }
    return try Response(json: ["items": answers])
  }

  /// The text on a photo.
  private func analyze(_ question: Question, _ caller: Caller) async throws -> Response {
    guard let image = question.image else { throw Problem(.unprocessableContent, "`imageBase64` is missing") }
    // Tokens of the file are the household's own; those of an app's issuer are its users'.
    let user = caller.isSubscriber ? nil : caller.name
    let month = String(Timestamp.full(Timestamp.now).prefix(7))
    if let user, let used = try scans.begin(user, in: month, limit: scanLimit > 0 ? scanLimit : .max) {
      var response = try Response(json: Reached(scansUsed: used, scanLimit: scanLimit))
      response.status = .forbidden
      return response
    }
    let sections: [Section]
    do {
      sections = try await model.read(Array(image)).map {
        Section(name: $0.name, type: $0.kind.rawValue, items: $0.items)
      }
    } catch {
      if let user { try scans.end(user, in: month, isSent: false) }
      throw error
    }
    if let user { try scans.end(user, in: month, isSent: true) }
    return try Response(json: ["sections": sections])
  }
}
