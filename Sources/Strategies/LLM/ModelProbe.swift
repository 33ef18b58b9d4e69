import AisleCore
import HTTPTransport

/// Checks, at no cost, whether a model's server is reachable and accepts the key.
public enum ModelProbe {
  /// The result.
  public enum Finding: Sendable, Hashable {
    /// The server is reachable and accepts the key; `knowsModel` tells whether it has the model, if the server says so.
    case ready(knowsModel: Bool?)
    /// The server is reachable, but something is wrong.
    case rejected(String)
    /// The server is not reachable.
    case unreachable(String)
  }

  /// The most bytes of a list of models.
  private static let limit = 4 << 20

  /// Asks for the list of models. A proxy has none, so only its reachability is checked.
  ///
  /// - Throws: `CancellationError`.
  @concurrent
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
