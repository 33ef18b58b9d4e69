import AisleCore
import HTTPTransport

/// Checks, at no cost, whether a model's server is reachable and accepts the key.
public enum ModelProbe {
  /// The result.
  public enum Finding: Sendable, Hashable {
    /// The server is reachable and accepts the key.
    ///
    /// `models` are the names of its models; `nil` if it does not say. `program` is the program that runs them on that very server, e.g.
    /// `llama.cpp`; `nil` if they may be somebody else's, or may cost something.
    case ready(models: [String]?, program: String?)
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
    do {
      return try await ask(settings, HTTPClient(interruption: interruption))
    } catch let error as HTTPError {
      return .unreachable(error.description)
    }
  }

  static func ask(_ settings: ModelSettings, _ client: HTTPClient) async throws -> Finding {
    let headers =
      settings.provider == .anthropic
      ? AnthropicDialect.headers(settings.key)
      : settings.key.map { [HTTPRequest.Header("authorization", prefix: "Bearer ", secret: $0)] } ?? []
    do {
      let path = settings.provider == .proxy ? "" : settings.url.description.hasSuffix("/v1") ? "/models" : "/v1/models"
      let query = settings.provider == .anthropic ? "?limit=1000" : ""
      var limits = settings.limits
      limits.responseBytes = limit
      let response = try await client.send(
        HTTPRequest(.get, try settings.url.appending(path + query), headers: headers, limits: limits))
      return finding(response, settings)
    } catch let error as HTTPError {
      return .unreachable(error.description)
    }
  }

  private static func finding(_ response: HTTPResponse, _ settings: ModelSettings) -> Finding {
    let body = try? JSONValue(response.body)
    if settings.provider == .proxy, ![401, 403].contains(response.status) { return .ready(models: nil, program: nil) }
    guard response.status == 200 else {
      let fault = body.map { AnthropicDialect.fault($0) } ?? (type: "", message: "")
      let failure = ModelFailure(response, type: fault.type, message: fault.message, key: settings.key)
      return .rejected(failure.text(from: settings.url.host))
    }
    let models = body?["data"]?.elements
    return .ready(
      models: models?.compactMap { $0["id"]?.string },
      program: settings.url.isLoopback && settings.provider == .openai ? program(models ?? [], running: settings.model) : nil)
  }

  /// Programs that run models themselves, by what they write as the owner of each.
  private static let programs = [
    "llamacpp": "llama.cpp", "me": "llama-cpp-python", "library": "Ollama", "vllm": "vLLM", "sglang": "SGLang",
    "organization_owner": "LM Studio", "organization-owner": "LM Studio",
  ]

  /// The program that runs a model, by the server's list of models. Ollama also passes requests on to its own cloud, for models whose
  /// names say so.
  private static func program(_ models: [JSONValue], running model: String) -> String? {
    let owners = models.filter { isSame($0["id"]?.string ?? "", model) || models.count == 1 }.map { $0["owned_by"]?.string ?? "" }
    guard let owner = owners.first, !model.hasSuffix("cloud") else { return nil }
    return programs[owner]
  }

  /// Whether two names are of one model of a server: Ollama lists its own with a tag.
  public static func isSame(_ listed: String, _ model: String) -> Bool { listed == model || listed == model + ":latest" }
}
