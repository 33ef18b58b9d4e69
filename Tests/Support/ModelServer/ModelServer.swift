import AisleCore
import Foundation
import Synchronization

/// A server that speaks the APIs of language models on loopback, strictly: it rejects unknown fields and wrong headers, and misbehaves
/// on command. It answers by a table, else by a hash of the item, so that the same item always gets the same section.
public final class ModelServer: Sendable {
  /// The API that it speaks.
  public enum API: String, Sendable, CaseIterable {
    case anthropic, openai, proxy
  }

  /// The key that it wants.
  public static let key = "sentinel-key-8c1f4e77"

  private struct State {
    var received: [Received] = []
    var active = 0
    var peak = 0
    var connections = 0
    var isStopped = false
  }

  /// The API that it speaks.
  public let api: API
  private let sections: [String]
  private let answers: [String: String]
  private let photo: String
  let batches: BatchStore
  private let schemaRejection: Int?
  private let refusing: Set<String>
  private let models: [String]
  private let owner: String
  private let behave: @Sendable (Received) -> Behaviour
  private let listener: Listener
  private let state = Mutex(State())

  /// Starts a server on a free port.
  ///
  /// - Parameters:
  ///   - sections: What it may answer where a request does not say.
  ///   - answers: Sections of items; other items get one by their hash, or stay where they stand.
  ///   - photo: What is written on photos, as JSON.
  ///   - batchPatience: How often a batch is asked for before it has ended.
  ///   - models: The models that it lists.
  ///   - owner: Whom it names as the owner of its models.
  ///   - schemaRejection: With what it rejects schemas that do not stand beside `json_object`, as some servers of llama.cpp do.
  ///   - refusing: Forms of answers that it does not know, by their fields: `output_config` and `tools`; `json_schema`, `schema`, and
  ///     `json_object`.
  ///   - port: The port; 0 for any that is free.
  ///   - behave: What it does with a request.
  public init(
    _ api: API, sections: [String] = [], answers: [String: String] = [:], photo: String = "[]", batchPatience: Int = 0,
    models: [String] = ["test-model"], owner: String = "someone", schemaRejection: Int? = nil, refusing: Set<String> = [],
    port: UInt16 = 0,
    behave: @escaping @Sendable (Received) -> Behaviour = { _ in .answer }
  ) throws {
    self.api = api
    self.sections = sections
    self.answers = answers
    self.photo = photo
    self.schemaRejection = schemaRejection
    self.refusing = refusing
    self.models = models
    self.owner = owner
    batches = BatchStore(patience: batchPatience)
    self.behave = behave
    listener = try Listener(port: port)
    Thread.detachNewThread { [weak self, listener] in
      while let connection = listener.accept() {
        guard let self else {
          connection.close()
          return
        }
        Thread.detachNewThread { [weak self] in
          self?.serve(connection)
          connection.close()
        }
      }
    }
  }

  deinit { listener.stop() }

  /// Where it is reached.
  public var url: String { "http://127.0.0.1:\(listener.port)" }

  /// The requests that came in so far.
  public var received: [Received] { state.withLock { $0.received } }

  /// How many requests came in so far.
  public var count: Int { state.withLock { $0.received.count } }

  /// The most requests that were under way at once.
  public var peak: Int { state.withLock { $0.peak } }

  /// How many connections brought a request. What connects and says nothing is somebody who asked this port's last owner.
  public var connections: Int { state.withLock { $0.connections } }

  /// Why requests were rejected.
  public var faults: [String] { received.compactMap(\.fault) }

  /// The section that it gives an item.
  public func section(of item: String, among sections: [String]) -> String {
    if let answer = answers[item] { return answer }
    var hash: UInt32 = 2_166_136_261
    for byte in item.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return sections.isEmpty ? "Nowhere" : sections[Int(hash % UInt32(sections.count))]
  }

  private func serve(_ connection: Connection) {
    var isCounted = false
    while let head = connection.readHead() {
      let length = Int(head.headers["content-length"] ?? "0") ?? 0
      guard let body = connection.read(length) else { return }
      var request = state.withLock { state in
        if !isCounted { state.connections += 1 }
        isCounted = true
        state.active += 1
        state.peak = max(state.peak, state.active)
        let request = Received(
          method: head.method, path: head.path, headers: head.headers, body: body, number: state.received.count)
        state.received.append(request)
        return request
      }
      let asked = StrictReader(api: api, sections: sections, schemaRejection: schemaRejection, refusing: refusing).read(request)
      switch asked {
      case .success(let asked):
        request.items = asked.items
        request.context = asked.context
        request.photo = asked.photo.map { SentPhoto(type: $0.type, data: $0.data) }
      case .failure(let rejection): request.fault = rejection.message
      }
      state.withLock { $0.received[request.number] = request }
      let keepsOpen = respond(request, asked, on: connection)
      state.withLock { $0.active -= 1 }
      if !keepsOpen { return }
    }
  }

  /// `false` when the connection must be closed.
  private func respond(_ request: Received, _ asked: Result<Asked, Rejection>, on connection: Connection) -> Bool {
    let behaviour = behave(request)
    let batch = batchResponse(request, behaviour)
    if let batch, case .answer = behaviour.action { return connection.respond(batch.status, batch.body) }
    if behaviour.latency > 0 { usleep(UInt32(behaviour.latency * 1_000_000)) }
    let writer = AnswerWriter(api: api)
    if request.method == "GET", case .answer = behaviour.action {
      let given = request.headers["x-api-key"] ?? request.headers["authorization"] ?? ""
      if given != Self.key, given != "Bearer \(Self.key)" {
        return connection.respond(401, writer.fault("authentication_error", "invalid key"))
      }
      if request.path.hasPrefix("/v1/models") { return connection.respond(200, writer.models(models, owner: owner)) }
    }
    switch (behaviour.action, asked) {
    case (.fail(let status, let type, let message, let headers), _):
      return connection.respond(status, headers: headers, writer.fault(type, message))
    case (.body(let bytes), _): return connection.respond(200, bytes)
    case (.raw(let bytes, let hangs), _):
      connection.write(bytes)
      if hangs { connection.waitForEnd() }
      return false
    case (.hang, _):
      connection.waitForEnd()
      return false
    case (_, .failure(let rejection)):
      return connection.respond(rejection.status, writer.fault(rejection.type, rejection.message))
    case (.outcome(let reason), .success(let asked)):
      return connection.respond(
        200, headers: [("request-id", "req_\(request.number)")], behaviour.lie(writer.ended(reason, request, asked)))
    case (.answer, .success(let asked)) where asked.photo != nil:
      let sections = (try? JSONValue(Array(photo.utf8))) ?? .null
      return connection.respond(200, behaviour.lie(writer.sections(sections, request, asked)))
    case (.answer, .success(let asked)), (.edit, .success(let asked)):
      var items = asked.items.map { (item: AnswerItem) -> AnswerItem in
        let isKept = answers[item.item] == nil && !item.section.isEmpty
        return AnswerItem(
          id: item.id, item: item.item, section: isKept ? item.section : section(of: item.item, among: asked.sections))
      }
      if case .edit(let change) = behaviour.action { change(&items) }
      return connection.respond(
        200, headers: [("request-id", "req_\(request.number)")],
        behaviour.lie(writer.answer(items, request, asked, style: behaviour.style)))
    }
  }
}
