import AisleCore

extension ModelServer {
  /// Answers a request about batches; `nil` for any other.
  ///
  /// The request named `…-1` of each batch fails, the one named `…-2` has expired, and results come in reverse.
  func batchResponse(_ request: Received, _ behaviour: Behaviour) -> (status: Int, body: [UInt8])? {
    let base = "/v1/messages/batches"
    guard api == .anthropic, request.path.hasPrefix(base) else { return nil }
    let writer = AnswerWriter(api: api)
    let reader = StrictReader(api: api, sections: [])
    if let rejection = reader.batchRejection(request) {
      return (rejection.status, writer.fault(rejection.type, rejection.message))
    }
    let rest = request.path.dropFirst(base.count).split(separator: "?", omittingEmptySubsequences: false)[0]
    let parts = rest.split(separator: "/").map(String.init)
    switch (request.method, parts.count) {
    case ("POST", 0):
      switch reader.batch(request.body) {
      case .success(let requests): return (200, batches.add(requests).bytes)
      case .failure(let rejection): return (rejection.status, writer.fault(rejection.type, rejection.message))
      }
    case ("GET", 0): return (200, batches.list().bytes)
    case ("GET", 1): if let batch = batches.poll(parts[0]) { return (200, batch.bytes) }
    case ("GET", 2) where parts[1] == "results":
      if let requests = batches.requests(parts[0]) { return (200, results(requests, request, behaviour, reader)) }
    default: break
    }
    return (404, writer.fault("not_found_error", "no \(request.path)"))
  }

  private func results(
    _ requests: [(name: String, params: JSONValue)], _ request: Received, _ behaviour: Behaviour, _ reader: StrictReader
  ) -> [UInt8] {
    requests.reversed().flatMap { name, params -> [UInt8] in
      let result: JSONValue
      if name.hasSuffix("-1") {
        result = ["type": "errored", "error": ["type": "error", "error": ["type": "api_error", "message": "no luck"]]]
      } else if name.hasSuffix("-2") {
        result = ["type": "expired"]
      } else {
        let asked = (try? reader.anthropic(params)) ?? Asked()
        let items = asked.items.map {
          AnswerItem(id: $0.id, item: $0.item, section: section(of: $0.item, among: asked.sections))
        }
        let request = Received(
          method: request.method, path: request.path, headers: request.headers, body: params.bytes, number: request.number)
        let message = (try? JSONValue(behaviour.lie(AnswerWriter(api: api).answer(items, request, asked)))) ?? .null
        result = ["type": "succeeded", "message": message]
      }
      let line: JSONValue = ["custom_id": .text(name), "result": result]
      return line.bytes + [0x0A]
    }
  }

  /// How many batches were taken.
  public var batchCount: Int { batches.count }
}

extension StrictReader {
  /// Why a request about batches is rejected.
  func batchRejection(_ request: Received) -> Rejection? {
    if request.headers["x-api-key"] != ModelServer.key {
      return Rejection(status: 401, type: "authentication_error", message: "invalid key")
    }
    if request.headers["anthropic-version"] != "2023-06-01" { return Rejection(message: "the header anthropic-version is wrong") }
    return nil
  }

  /// The requests of a batch.
  func batch(_ body: [UInt8]) -> Result<[(name: String, params: JSONValue)], Rejection> {
    Result { () throws(Rejection) in
      guard let value = try? JSONValue(body), let requests = value["requests"]?.elements, !requests.isEmpty else {
        throw Rejection(message: "requests: Field required")
      }
      try fields(value, ["requests"])
      var read: [(name: String, params: JSONValue)] = []
      for request in requests {
        try fields(request, ["custom_id", "params"])
        guard let name = request["custom_id"]?.string, let params = request["params"],
          name.wholeMatch(of: #/[a-zA-Z0-9_-]{1,64}/#) != nil, !read.contains(where: { $0.name == name })
        else { throw Rejection(message: "custom_id: must be unique, of 1 to 64 letters, digits, _ and -") }
        _ = try anthropic(params)
        read.append((name, params))
      }
      return read
    }
  }
}
