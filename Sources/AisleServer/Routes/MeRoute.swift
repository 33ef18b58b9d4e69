import Hummingbird

/// `GET /v1/me`: what a caller may do here.
struct MeRoute: Sendable {
  let settings: ServerSettings
  let stores: StoreRoom
  let model: ModelRoom
  let access: Access

  private struct Answer: Encodable {
    let name: String?
    let can: String
    let version: String
    let store: String
    let model: String?
    let needsToken: Bool

    enum CodingKeys: String, CodingKey {
      case name, can, version, store, model
      case needsToken = "needs_token"
    }

    func encode(to encoder: any Encoder) throws {
      var fields = encoder.container(keyedBy: CodingKeys.self)
      try fields.encode(name, forKey: .name)
      try fields.encode(can, forKey: .can)
      try fields.encode(version, forKey: .version)
      try fields.encode(store, forKey: .store)
      try fields.encode(model, forKey: .model)
      try fields.encode(needsToken, forKey: .needsToken)
    }
  }

  func answer(_ caller: Caller) throws -> Response {
    try Response(
      json: Answer(
        name: caller.name, can: caller.permission.rawValue, version: settings.version, store: stores.standard, model: model.name,
        needsToken: access.needsToken))
  }
}
