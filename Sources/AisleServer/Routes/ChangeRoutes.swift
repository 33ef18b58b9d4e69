import AisleCore
import Hummingbird
import LearnedStrategy

/// `/v1/changes`: what machines that are not always online exchange, so that all know what each was taught.
struct ChangeRoutes: Sendable {
  let stores: StoreRoom
  let corrections: CorrectionRoom

  private static let most = 10_000

  /// What changed since.
  func list(_ query: Query) async throws -> Response {
    let limit = try query.number("limit", 1...Self.most) ?? 1000
    let after = query.text("after")
    @Sendable func page(_ file: CorrectionStore) throws(CorrectionStoreError) -> ChangePage {
      try file.changes(after: after, limit: limit)
    }
    let found: ChangePage?
    do {
      found = try await corrections.read(page)
    } catch let error as CorrectionStoreError where error.kind == .system {
      // A file that an older version wrote is brought up to date here, too, since clients wait for that.
      found = try await corrections.change(for: try stores.store(nil), page)
    }
    return Response(json: ByteBuffer(bytes: SharedChangeJSON.body(found ?? .empty(after: after))))
  }

  /// Takes up what another machine changed: the later change of an item wins.
  func take(_ request: Request, _ caller: Caller) async throws -> Response {
    let body = try await request.bytes()
    let changes: [SharedChange]
    do throws(JSONFault) { changes = try SharedChangeJSON.readBody(Array(buffer: body), limit: Self.most) } catch {
      throw Problem(error.isSound || Request.isJSON(body) ? .unprocessableContent : .badRequest, error.message)
    }
    let merge = try await corrections.change(for: try stores.store(nil)) { file throws(CorrectionStoreError) in
      try file.merge(changes, from: caller.name, time: Timestamp.now)
    }
    return Response(json: ByteBuffer(bytes: SharedChangeJSON.body(merge)))
  }
}
