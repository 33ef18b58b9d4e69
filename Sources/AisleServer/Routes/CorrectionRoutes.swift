import AisleCore
import Hummingbird
import LearnedStrategy

/// `/v1/corrections`, `/v1/undo`, and `/v1/history`: what people taught, and taking it back.
struct CorrectionRoutes: Sendable {
  let stores: StoreRoom
  let corrections: CorrectionRoom

  /// A correction as it is sent.
  struct Sent: Encodable {
    let store: String
    let item: String
    let section: String
    let sectionID: String?
    let shelf: String?
    let by: String
    let acceptedBy: String?
    let model: String?
    let time: String

    enum CodingKeys: String, CodingKey {
      case store, item, section, shelf, by, model, time
      case sectionID = "section_id"
      case acceptedBy = "accepted_by"
    }

    init(_ correction: Correction, _ stores: StoreRoom) {
      (store, item, section) = (correction.store, correction.item, correction.section)
      sectionID = (try? stores.store(correction.store))?.sectionID(correction.section)
      (shelf, by, model) = (correction.shelf, correction.origin.proposer, correction.origin.model)
      acceptedBy = correction.origin.accepter
      time = Timestamp.full(correction.origin.time)
    }
  }

  // MARK: Listing

  private struct Page: Encodable {
    let corrections: [Sent]
    @OrNull var next: String?
  }

  /// The corrections, newest first, that are of a store, and contain a text in their item, section, or names.
  func list(_ query: Query) async throws -> Response {
    let store = try query.text("store").map { try stores.store($0).id }
    let text = query.text("q")?.lowercased() ?? ""
    let limit = try query.number("limit", 1...1000) ?? 100
    let after = try query.text("after").map { try Self.place($0) }
    let contains: @Sendable (Correction) -> Bool = { correction in
      let names = [correction.item, correction.section, correction.origin.proposer, correction.origin.accepter ?? ""]
      return names.contains { $0.lowercased().contains(text) }
    }
    let isMeant = text.isEmpty ? nil : contains
    let found = try await corrections.read { try $0.newest(limit + 1, of: store, after: after, where: isMeant) }
    let page = (found ?? []).prefix(limit)
    let last = page.count < (found ?? []).count ? page.last : nil
    return try Response(
      json: Page(
        corrections: page.map { Sent($0, stores) }, next: last.map { "\($0.origin.time)/\($0.store)/\($0.item)" }))
  }

  /// The place that an earlier answer ended at.
  ///
  /// - Throws: `Problem` for a text that is no place.
  private static func place(_ text: String) throws -> CorrectionStore.Place {
    let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let time = Int(parts[0]) else {
      throw Problem(.badRequest, "`after` must be the `next` of an earlier answer")
    }
    return CorrectionStore.Place(time: time, store: String(parts[1]), item: String(parts[2]))
  }

  // MARK: Teaching

  private struct Lesson: Decodable {
    let store: String?
    let item: String
    let section: String
    let by: String?
  }

  private struct Taught: Encodable {
    let action: Int
    let item: String
    let section: String
    let sectionID: String?
    @OrNull var replaced: Sent?

    enum CodingKeys: String, CodingKey {
      case action, item, section, replaced
      case sectionID = "section_id"
    }
  }

  /// Says where an item belongs.
  func correct(_ request: Request, _ caller: Caller) async throws -> Response {
    let lesson = try await request.json(Lesson.self)
    let store = try stores.store(lesson.store)
    let place = try store.place(lesson.section)
    let correction = Correction(
      store: store.id, item: lesson.item, section: place.section, shelf: place.shelf,
      origin: Origin(proposer: caller.person(lesson.by), time: Timestamp.now))
    let taught = try await corrections.change(for: store) { file throws(CorrectionStoreError) in try file.teach(correction) }
    return try Response(
      json: Taught(
        action: taught.action, item: lesson.item, section: place.section, sectionID: store.sectionID(place.section),
        replaced: taught.replaced.map { Sent($0, stores) }))
  }

  private struct Forgotten: Encodable {
    let forgotten: Bool
    @OrNull var action: Int?
  }

  /// Forgets what was taught about an item.
  func forget(_ query: Query, _ caller: Caller) async throws -> Response {
    let store = try stores.store(query.text("store"))
    guard let item = query.text("item"), !item.isEmpty else {
      throw Problem(.badRequest, "`item` is missing; name the item whose correction is to be forgotten")
    }
    let person = caller.person(nil)
    let forgotten = try await corrections.change(for: store) { file throws(CorrectionStoreError) in
      try file.forget(items: [item], .init(store: store.id), by: person, time: Timestamp.now)
    }
    return try Response(json: Forgotten(forgotten: forgotten.count > 0, action: forgotten.action))
  }

  // MARK: Taking back

  private struct Undo: Decodable { let action: Int? }

  /// Takes an action back.
  func undo(_ request: Request, _ caller: Caller) async throws -> Response {
    let undo = try await request.json(Undo.self)
    let person = caller.person(nil)
    let store = try stores.store(nil)
    do {
      let what = try await corrections.change(for: store) { file throws(CorrectionStoreError) in
        try file.undo(undo.action, by: person, time: Timestamp.now)
      }
      guard let what else { throw Problem(.conflict, "there is nothing to undo; /v1/history lists what there is") }
      return try Response(json: ["undone": what])
    } catch let error as CorrectionStoreError where error.kind == .invalid { throw Problem(.conflict, error.reason) }
  }

  private struct Past: Encodable {
    struct Action: Encodable {
      let action: Int
      let what: String
      let time: String
      let canUndo: Bool

      enum CodingKeys: String, CodingKey {
        case action, what, time
        case canUndo = "can_undo"
      }
    }

    let actions: [Action]
    @OrNull var next: Int?
  }

  /// The last actions, newest first.
  func history(_ query: Query) async throws -> Response {
    let limit = try query.number("limit", 1...1000) ?? 100
    let before = try query.number("before", 0...Int.max)
    let actions = try await corrections.read { try $0.actions(last: limit, before: before) } ?? []
    return try Response(
      json: Past(
        actions: actions.map {
          Past.Action(action: $0.number, what: $0.what, time: Timestamp.full($0.time), canUndo: $0.canUndo)
        }, next: actions.count == limit ? actions.last?.number : nil))
  }
}
