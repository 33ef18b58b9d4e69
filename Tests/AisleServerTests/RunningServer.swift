import AisleCatalog
import AisleCore
import AisleFiles
import Foundation
import HTTPTransport
import Synchronization

@testable import AisleServer

/// A server on this machine, with the compiled-in stores and a file of corrections of its own.
final class RunningServer: Sendable {
  let port: Int
  let folder: URL
  private let task: Task<Void, any Error>
  private let client: HTTPClient

  /// Starts one.
  ///
  /// - Parameter change: Changes its settings.
  init(_ change: (inout ServerSettings, URL) throws -> Void = { _, _ in }) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "server-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var settings = ServerSettings(
      SettledChain(
        configuration: nil, locator: StoreLocator(source: .builtIn), store: Settled(value: "kroger", origin: "default"),
        chain: Settled(value: try ChainSpecification(StrategyCatalog.defaultChain), origin: "default"),
        policy: Settled(value: StrategyCatalog.defaultPolicy, origin: "default"),
        corrections: Settled(value: folder.path + "/corrections.db", origin: "--db"), catalog: .builtIn,
        model: SettledModel(choice: nil, name: nil, setup: ModelSetup())))
    settings.port = 0
    settings.version = "test"
    settings.recipeStore = "kroger"
    try change(&settings, folder)
    let server = try await Server(settings) { _ in }
    let (ports, listening) = AsyncStream.makeStream(of: Int.self)
    task = Task {
      defer { listening.finish() }
      try await server.run { listening.yield($0) }
    }
    guard let port = await ports.first(where: { _ in true }) else {
      try await task.value
      throw CancellationError()
    }
    self.port = port
    self.folder = folder
    client = try HTTPClient()
  }

  deinit {
    task.cancel()
    try? FileManager.default.removeItem(at: folder)
  }

  /// What the server answers.
  struct Answer {
    let status: Int
    let json: [String: Any]
    let text: String
    let header: (String) -> String?

    var detail: String { json["detail"] as? String ?? "" }
    /// The results of an answer about items.
    var results: [[String: Any]] { json["results"] as? [[String: Any]] ?? [] }
    /// The results' sections.
    var sections: [String] { results.compactMap { $0["section"] as? String } }
  }

  /// Asks with the GET method.
  func get(_ path: String, token: String? = nil, headers: [String: String] = [:]) async throws -> Answer {
    try await send(.get, path, "", token, headers)
  }

  /// Asks with the POST method.
  func post(_ path: String, _ body: String, token: String? = nil, headers: [String: String] = [:]) async throws -> Answer {
    try await send(.post, path, body, token, headers)
  }

  /// No time of the clock ends a test: a server that was built for tests reads languages slowly where much else is under way.
  private static let limits = HTTPTransport.HTTPRequest.Limits(
    connect: .seconds(600), total: .seconds(3600), idle: .seconds(3600))

  private func send(
    _ method: HTTPTransport.HTTPRequest.Method, _ path: String, _ body: String, _ token: String?, _ headers: [String: String]
  ) async throws -> Answer {
    var fields: [HTTPTransport.HTTPRequest.Header] = headers.map { .init($0.key, $0.value) }
    if method == .post, headers["Content-Type"] == nil { fields.append(.init("Content-Type", "application/json")) }
    if let token { fields.append(.init("Authorization", "Bearer \(token)")) }
    let request = HTTPTransport.HTTPRequest(
      method, try HTTPURL("http://127.0.0.1:\(port)\(path)"), headers: fields, body: Array(body.utf8), limits: Self.limits)
    let response = try await client.send(request)
    let json = try? JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
    return Answer(
      status: response.status, json: json ?? [:], text: String(decoding: response.body, as: UTF8.self), header: { response[$0] })
  }
}
