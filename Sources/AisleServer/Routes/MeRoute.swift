import Hummingbird

/// `GET /v1/me`: what a caller may do here.
struct MeRoute: Sendable {
  let settings: ServerSettings
  let stores: StoreRoom
  let model: ModelRoom
  let access: Access

  private struct Answer: Encodable {
    @OrNull var name: String?
    let can: String
    let version: String
    let store: String
    @OrNull var model: String?
    let needsToken: Bool

    enum CodingKeys: String, CodingKey {
      case name, can, version, store, model
      case needsToken = "needs_token"
    }
  }

  func answer(_ caller: Caller) throws -> Response {
    try Response(
      json: Answer(
        name: caller.name, can: caller.permission.rawValue, version: settings.version, store: stores.standard, model: model.name,
        needsToken: access.needsToken))
  }
}
