import AisleCore
import HTTPTransport

/// Asks a model's server whether it is there and takes the key, for nothing.
public enum ModelProbe {
  /// What was found out.
  public enum Finding: Sendable, Hashable {
    /// It is there and takes the key; whether it knows the model, where it says.
    case ready(knowsModel: Bool?)
    /// It is there, and something is wrong.
    case rejected(String)
    /// It is not there.
    case unreachable(String)
  }

  /// The most bytes of a list of models.
  private static let limit = 4 << 20

  /// Asks for the list of models; of a proxy, which has none, only whether somebody answers.
  ///
  /// - Throws: `CancellationError`.
  public static func ask(_ settings: ModelSettings, interruption: Int32? = nil) async throws -> Finding {
    let headers =
      settings.provider == .anthropic
      ? AnthropicDialect.headers(settings.key)
      : settings.key.map { [HTTPRequest.Header("authorization", prefix: "Bearer ", secret: $0)] } ?? []
    do {
      let path = settings.provider == .proxy ? "" : settings.url.description.hasSuffix("/v1") ? "/models" : "/v1/models"
      let query = settings.provider == .anthropic ? "?limit=1000" : ""
      var limits = settings.limits
      limits.responseBytes = limit
      let response = try await HTTPClient(interruption: interruption).send(
        HTTPRequest(.get, try settings.url.appending(path + query), headers: headers, limits: limits))
      return finding(response, settings)
    } catch let error as HTTPError {
      return .unreachable(error.description)
    }
  }

  private static func finding(_ response: HTTPResponse, _ settings: ModelSettings) -> Finding {
    let body = try? JSONValue(response.body)
    if settings.provider == .proxy, ![401, 403].contains(response.status) { return .ready(knowsModel: nil) }
    guard response.status == 200 else {
      let fault = body.map { AnthropicDialect.fault($0) } ?? (type: "", message: "")
      let failure = ModelFailure(response, type: fault.type, message: fault.message, key: settings.key)
      return .rejected(failure.text(from: settings.url.host))
    }
    let models = body?["data"]?.elements?.compactMap { $0["id"]?.string }
    return .ready(knowsModel: models.map { $0.contains(settings.model) })
  }
}
