import AisleCore
import Hummingbird

/// What RecipeSage asks of its categorizer: `POST /categorize`, `GET /categories`.
struct RecipeSageRoutes: Sendable {
  let stores: StoreRoom
  /// The store whose sections' ids are RecipeSage's categories.
  let store: String
  let metrics: ServerMetrics

  private static let most = 50

  private struct Question: Decodable { let items: [String] }

  private struct Answer: Encodable {
    struct Result: Encodable {
      let item: String
      let category: String
      let confidence: Double
      @OrNull var probabilities: [String: Double]?
    }

    let results: [Result]
    let processingTime: Double

    enum CodingKeys: String, CodingKey {
      case results
      case processingTime = "processing_time_ms"
    }
  }

  func categories() throws -> Response { try Response(json: ["categories": try stores.store(store).sections.map(\.id)]) }

  func categorize(_ request: Request) async throws -> Response {
    let start = ContinuousClock.now
    let items = try await request.json(Question.self).items
    guard (1...Self.most).contains(items.count), !items.contains(where: { $0.allSatisfy(\.isWhitespace) }) else {
      throw Problem(.unprocessableContent, "`items` must have 1 to \(Self.most) texts, none of them blank")
    }
    let store = try await stores.readyStore(store, for: items)
    let batch = try await store.decide(items)
    metrics.add(items: batch.count)
    let results = items.enumerated().map { index, item in
      let decision = batch.decisions[index]
      let confidence = Double(Explanation.hundredths(decision?.confidence ?? 0)) ?? 0
      return Answer.Result(
        item: item, category: store.sections[store.place(of: decision)].id, confidence: confidence, probabilities: nil)
    }
    let time = (ContinuousClock.now - start) / .milliseconds(1)
    return try Response(json: Answer(results: results, processingTime: (time * 1000).rounded() / 1000))
  }
}
