import AisleCatalog
import Foundation
import LearnedStrategy
import Testing

@testable import AisleServer

/// What apps ask, and what they are answered.
@Suite struct ServerTests {
  @Test func `items and records come back in order with their sections, and records as they were given`() async throws {
    let server = try await RunningServer()
    let answer = try await server.post(
      "/v1/categorize", #"{"items": ["2 lbs chicken thighs", {"id": 7, "name": "o\u0061t milk", "x": [1.50]}, "qwrtzx"]}"#)
    #expect(answer.status == 200 && answer.json["store"] as? String == "kroger")
    #expect(answer.sections == ["Meat & Seafood", "Dairy & Eggs", "Other"])
    #expect(answer.results.map { $0["strategy"] as? String } == ["keyword", "keyword", "none"])
    #expect(answer.text.contains(#""item":"o\u0061t milk","section":"Dairy & Eggs","section_id":"dairy-eggs","color":"blue""#))
    #expect(answer.text.contains(#""record":{"id": 7, "name": "o\u0061t milk", "x": [1.50]}}"#))
    let other = try await server.post("/v1/categorize", #"{"store": "aldi", "items": [{"title": "kale"}], "field": "title"}"#)
    #expect(other.json["store"] as? String == "aldi" && other.sections.count == 1)
  }

  @Test func `explained answers are those of the library`() async throws {
    let server = try await RunningServer()
    let answer = try await server.post(
      "/v1/categorize", #"{"explain": true, "items": ["2 lbs chicken thighs", {"name": "kale"}]}"#)
    let first = try #require(answer.results.first)
    #expect(first["keyword"] as? String == "chicken thigh" && first["match"] as? String == "chicken thighs")
    #expect(
      (first["source"] as? String)?.hasSuffix(
        "/chicken.txt:\(first["source"].map { "\($0)".split(separator: ":").last ?? "" } ?? "")") == true)
    #expect((answer.results.last?["record"] as? [String: Any])?["name"] as? String == "kale")
  }

  @Test func `the next answer knows a correction, and undo takes it back`() async throws {
    let server = try await RunningServer()
    let taught = try await server.post("/v1/corrections", #"{"item": "oat milk", "section": "snacks", "by": "jane"}"#)
    #expect(taught.status == 200 && taught.json["section"] as? String == "Snacks" && taught.json["replaced"] is NSNull)
    #expect(try await server.post("/v1/categorize", #"{"items": ["2 oat milks"]}"#).sections == ["Snacks"])
    let listed = try await server.get("/v1/corrections?q=JANE")
    #expect((listed.json["corrections"] as? [[String: Any]])?.first?["section_id"] as? String == "snacks")
    #expect(try await server.get("/v1/corrections?q=nobody").text.contains(#""corrections":[]"#))
    let action = try #require(taught.json["action"] as? Int)
    #expect(
      try await server.post("/v1/undo", "{\"action\": \(action)}").json["undone"] as? String == "correct oat milk -> Snacks")
    #expect(try await server.post("/v1/categorize", #"{"items": ["2 oat milks"]}"#).sections == ["Dairy & Eggs"])
    #expect(try await server.post("/v1/undo", "{\"action\": \(action)}").status == 409)
    let history = try await server.get("/v1/history?limit=1")
    #expect((history.json["actions"] as? [[String: Any]])?.count == 1 && history.json["next"] is Int)
  }

  @Test func `a suggestion teaches nothing until it is accepted, and is decided once`() async throws {
    let server = try await RunningServer()
    let made = try await server.post(
      "/v1/suggestions",
      #"{"suggestions": [{"item": "oat milk", "to": "Beverages", "confidence": 0.8}, {"item": "kale", "to": "Produce"}]}"#)
    let waiting = try #require(made.json["waiting"] as? [Any])
    let id = try #require(waiting.first as? Int)
    #expect(waiting.last is NSNull)
    #expect(try await server.post("/v1/categorize", #"{"items": ["oat milk"]}"#).sections == ["Dairy & Eggs"])
    let decided = try await server.post("/v1/suggestions/decide", "{\"ids\": [\(id)], \"verdict\": \"accept\", \"by\": \"jane\"}")
    #expect(decided.status == 200 && decided.json["decided"] as? Int == 1)
    #expect(try await server.post("/v1/categorize", #"{"items": ["oat milk"]}"#).sections == ["Beverages"])
    let again = try await server.post("/v1/suggestions/decide", "{\"ids\": [\(id)], \"verdict\": \"accept\"}")
    #expect(again.status == 409 && again.detail.contains("suggestion \(id)"))
    #expect(try await server.get("/v1/suggestions").text == #"{"suggestions":[]}"#)
  }

  @Test(
    arguments: [
      ("/v1/categorize", "", 400, "JSON"), ("/v1/categorize", "[]", 422, "object"),
      ("/v1/categorize", "{\"items\": [\"a\"]", 400, "JSON"),
      ("/v1/categorize", "{}", 422, "`items`"), ("/v1/categorize", #"{"items": []}"#, 422, "1 to 10000"),
      ("/v1/categorize", #"{"items": [7]}"#, 422, "`items[0]`"),
      ("/v1/categorize", #"{"items": [{"title": "a"}]}"#, 422, "`name`"),
      ("/v1/categorize", #"{"items": "a"}"#, 422, "array"), ("/v1/categorize", #"{"items": ["a"], "store": 7}"#, 422, "`store`"),
      ("/v1/categorize", #"{"items": ["a"], "explain": "yes"}"#, 422, "true or false"),
      ("/v1/categorize", #"{"items": ["a"], "store": "krogr"}"#, 404, "did you mean `kroger`?"),
      ("/v1/corrections", #"{"item": "a", "section": "Snakcs"}"#, 422, "did you mean `Snacks`?"),
      ("/v1/corrections", #"{"item": "", "section": "Snacks"}"#, 422, "item"),
      ("/v1/corrections", #"{"section": "Snacks"}"#, 422, "`item`"),
      ("/v1/corrections", #"{"item": 7, "section": "Snacks"}"#, 422, "`item` must be a text"),
      ("/v1/suggestions/decide", #"{"ids": [1], "verdict": "maybe"}"#, 422, "accept or dismiss"),
      ("/v1/suggestions/decide", #"{"ids": [99], "verdict": "accept"}"#, 404, "99"),
      ("/v1/check", #"{"items": [{"name": "kale"}]}"#, 501, "--llm"), ("/v1/nothing", "{}", 404, "/openapi.json"),
      ("/categorize", #"{"items": [" "]}"#, 422, "blank"), ("/v1/app", #"{"action": "dance"}"#, 400, "sanity_check"),
    ])
  func `a wrong request is a problem that says what to do`(path: String, body: String, status: Int, text: String) async throws {
    let answer = try await RunningServer.shared.value.post(path, body)
    #expect(answer.status == status && answer.detail.contains(text), "\(answer.status) \(answer.text)")
    #expect(answer.header("content-type") == "application/problem+json" && answer.json["status"] as? Int == status)
  }

  @Test func `a check that fails is on the record, and one whose list has no fit name asks nothing`() async throws {
    // It is no model, and says so at once.
    let stranger = try await RunningServer.shared.value
    let server = try await RunningServer { settings, _ in
      var chain = settings.chain
      chain.model.choice = Settled(value: .anthropic, origin: "--llm")
      chain.model.setup.url = "http://127.0.0.1:\(stranger.port)"
      chain.model.setup.variable = { _ in "key-of-a-test" }
      settings = ServerSettings(chain)
      settings.port = 0
    }
    let path = server.folder.path + "/corrections.db"
    let items = #""items": [{"name": "kale", "category": "Snacks"}]"#
    for name in ["", String(repeating: "x", count: 1025), #"a\u0000"#] {
      let misnamed = try await server.post("/v1/check", #"{"list": "\#(name)", \#(items)}"#)
      #expect(misnamed.status == 422 && misnamed.detail.contains("`list`"), "\(misnamed.text)")
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try await server.post("/v1/check", "{\(items)}").status == 502)
    let requests = try CorrectionStore(path, access: .reading).requests()
    #expect(!requests.isEmpty && requests.allSatisfy { $0.failure != nil })
  }

  @Test func `other methods, types, hosts, and origins are refused`() async throws {
    let server = try await RunningServer.shared.value
    let method = try await server.get("/v1/undo")
    #expect(method.status == 405 && method.header("allow") == "POST")
    #expect(try await server.post("/v1/undo", "{}", headers: ["Content-Type": "text/plain"]).status == 415)
    #expect(try await server.post("/v1/undo", "{}", headers: ["Content-Encoding": "gzip"]).status == 415)
    #expect(try await server.get("/v1/me", headers: ["Host": "evil.example"]).status == 403)
    #expect(try await server.post("/v1/undo", "{}", headers: ["Origin": "http://evil.example"]).status == 403)
    #expect(try await server.post("/v1/undo", "{}", headers: ["Origin": "null"]).status == 403)
    #expect(try await server.post("/v1/undo", "{}", headers: ["Origin": "http://127.0.0.1:\(server.port)"]).status == 409)
    let long = "{\"items\": [\"\(String(repeating: "a", count: 1 << 20))\"]}"
    #expect(try await server.post("/v1/categorize", long).status == 413)
    let many = "{\"items\": [\((0...10_000).map { _ in "\"a\"" }.joined(separator: ","))]}"
    #expect(try await server.post("/v1/categorize", many).status == 413)
  }

  @Test func `every answer says what a browser may do with it`() async throws {
    let server = try await RunningServer.shared.value
    for path in ["/", "/app.js", "/health", "/v1/me", "/v1/nothing"] {
      let answer = try await server.get(path)
      #expect(answer.header("x-content-type-options") == "nosniff", "\(path)")
      let policy = answer.header("content-security-policy")
      #expect(path == "/" ? policy?.hasPrefix("default-src 'none'") == true : policy == nil, "\(path)")
    }
    let file = try await server.get("/app.css")
    let tag = try #require(file.header("etag"))
    #expect(try await server.get("/app.css", headers: ["If-None-Match": tag]).status == 304)
  }

  @Test func `the page sorts a list without JavaScript, and an item is only text`() async throws {
    let form = ["Content-Type": "application/x-www-form-urlencoded"]
    let page = try await RunningServer.shared.value.post(
      "/", "items=oat+milk%0Akale%0A%3Cimg+src%3Dx+onerror%3Dalert(1)%3E&store=kroger", headers: form)
    let places = [
      "<h2>Produce</h2><ul><li>kale</li>", "<h2>Dairy &amp; Eggs</h2><ul><li>oat milk</li>", "&lt;img src=x onerror=alert(1)&gt;",
    ]
    .map { page.text.range(of: $0)?.lowerBound }
    #expect(places.allSatisfy { $0 != nil } && places[0]! < places[1]! && !page.text.contains("<img src=x"))
    #expect(PageRoutes.escaped("\u{600}<img>&\u{301}") == "\u{600}&lt;img&gt;&amp;\u{301}")
  }

  @Test func `RecipeSage is answered as its own categorizer does`() async throws {
    let server = try await RunningServer.shared.value
    let answer = try await server.post("/categorize", #"{"items": ["2 lbs chicken breast", "kale"]}"#)
    #expect(Set(answer.json.keys) == ["results", "processing_time_ms"])
    #expect(answer.results.map { $0["category"] as? String } == ["meat-seafood", "produce"])
    #expect(answer.results.allSatisfy { Set($0.keys) == ["item", "category", "confidence", "probabilities"] })
    #expect(try await server.get("/health").text == #"{"status":"healthy"}"#)
  }

  @Test func `what machines exchange is taken once, and the later one wins`() async throws {
    let server = try await RunningServer()
    let start = try await server.get("/v1/changes")
    #expect((start.json["changes"] as? [Any])?.isEmpty == true && start.json["anew"] == nil)
    #expect(!FileManager.default.fileExists(atPath: server.folder.path + "/corrections.db"), "asking makes no file")
    #expect(try await server.get("/v1/changes?after=7-a").json["anew"] as? Bool == true)
    let beginning = try #require(start.json["next"] as? String)
    let change =
      #"{"changes": [{"store": "kroger", "item": "kale", "section": "Snacks", "by": "jo", "time": "2026-01-01T00:00:00.000Z"}]}"#
    #expect(try await server.post("/v1/changes", change).json["added"] as? Int == 1)
    #expect(try await server.post("/v1/changes", change).json["unchanged"] as? Int == 1)
    #expect(try await server.post("/v1/categorize", #"{"items": ["kale"]}"#).sections == ["Snacks"])
    let page = try await server.get("/v1/changes?after=\(beginning)")
    #expect(page.json["anew"] == nil && (page.json["changes"] as? [Any])?.count == 1 && page.json["more"] as? Bool == false)
    let next = try #require(page.json["next"] as? String)
    #expect((try await server.get("/v1/changes?after=\(next)").json["changes"] as? [Any])?.isEmpty == true)
  }
}

extension RunningServer {
  /// One for the tests that change nothing.
  static let shared = Task { try await RunningServer() }
}
