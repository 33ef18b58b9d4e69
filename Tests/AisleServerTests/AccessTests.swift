import AisleFiles
import Foundation
import JWTKit
import Testing

@testable import AisleServer

/// Who gets in.
@Suite struct AccessTests {
  private func open(_ settings: inout ServerSettings, _ folder: URL) { settings.tokens = TokenFile(folder.path + "/tokens.txt") }

  @Test func `a token may do what it was made for, and nothing once it is revoked`() async throws {
    let server = try await RunningServer { settings, folder in
      open(&settings, folder)
      settings.names = ["groceries.local"]
    }
    let file = TokenFile(server.folder.path + "/tokens.txt")
    let reader = try file.add("kitchen", .read, date: "2026-01-01T00:00:00.000Z")
    let teacher = try file.add("jane", .teach, date: "2026-01-01T00:00:00.000Z")
    #expect(!(try String(contentsOfFile: file.path, encoding: .utf8)).contains(reader))
    try await Task.sleep(for: .milliseconds(600))
    let lesson = #"{"item": "kale", "section": "Snacks", "by": "somebody else"}"#
    #expect(try await server.get("/v1/me", token: reader).json["name"] as? String == "kitchen")
    #expect(try await server.post("/v1/corrections", lesson, token: reader).status == 403)
    #expect(try await server.post("/v1/corrections", lesson, token: teacher).status == 200)
    #expect(try await server.get("/v1/corrections", token: reader).text.contains(#""by":"jane""#))
    #expect(try await server.post("/v1/check", #"{"items": [{"name": "kale"}]}"#, token: teacher).status == 403)
    for wrong in ["x", reader + "0", String(reader.dropLast()), "a.b.c"] {
      let answer = try await server.get("/v1/me", token: wrong)
      #expect(answer.status == 401 && answer.header("www-authenticate") == "Bearer")
    }
    #expect(try file.revoke("kitchen"))
    try await Task.sleep(for: .milliseconds(600))
    #expect(try await server.get("/v1/me", token: reader).status == 401)
  }

  @Test(.timeLimit(.minutes(30))) func `who listens hears nothing more once the token is revoked`() async throws {
    let server = try await RunningServer { settings, folder in open(&settings, folder) }
    let file = TokenFile(server.folder.path + "/tokens.txt")
    let (reader, teacher) = (try file.add("kitchen", .read, date: "2026-01-01"), try file.add("jane", .teach, date: "2026-01-01"))
    try await Task.sleep(for: .milliseconds(600))
    async let heard = server.get("/v1/events", token: reader)
    while try await !server.get("/metrics").text.contains("/v1/events") { try await Task.sleep(for: .milliseconds(10)) }
    #expect(try file.revoke("kitchen"))
    try await Task.sleep(for: .milliseconds(600))
    #expect(try await server.post("/v1/corrections", #"{"item": "kale", "section": "Snacks"}"#, token: teacher).status == 200)
    let answer = try await heard
    #expect(answer.status == 200 && !answer.text.contains("kale"), "\(answer.text)")
  }

  @Test func `no wrong token gets in, however many there are`() async throws {
    let server = try await RunningServer { settings, folder in
      open(&settings, folder)
      for number in 0..<60 { _ = try settings.tokens?.add("holder\(number)", .check, date: "2026-01-01") }
    }
    for number in 0..<150 { #expect(try await server.get("/v1/me", token: "aisle_\(number)").status == 401) }
  }

  @Test func `other machines are let in with tokens only`() async throws {
    await #expect(throws: ServerError.self) {
      _ = try await RunningServer { settings, folder in
        open(&settings, folder)
        settings.host = "0.0.0.0"
      }
    }
    let server = try await RunningServer { settings, folder in
      open(&settings, folder)
      settings.host = "0.0.0.0"
      _ = try settings.tokens?.add("kitchen", .read, date: "2026-01-01T00:00:00.000Z")
    }
    #expect(try await server.get("/v1/me").status == 401)
    #expect(try await server.get("/health").status == 200)
    #expect(try await server.get("/health", headers: ["Host": "evil.example"]).status == 403)
    #expect(try await server.get("/health", headers: ["Host": "192.0.2.7:8400"]).status == 200)
  }

  @Test func `a token is told to wait after twice the rate, alone`() async throws {
    let server = try await RunningServer { settings, folder in
      open(&settings, folder)
      settings.rate = 1  // So low that a slow machine, too, asks faster.
    }
    let file = TokenFile(server.folder.path + "/tokens.txt")
    let (busy, calm) = (try file.add("busy", .read, date: "2026-01-01"), try file.add("calm", .read, date: "2026-01-01"))
    try await Task.sleep(for: .milliseconds(600))
    var statuses: [Int] = []
    for _ in 0..<40 { statuses.append(try await server.get("/v1/me", token: busy).status) }
    #expect(statuses.prefix(2).allSatisfy { $0 == 200 } && statuses.contains(429))
    #expect(try await server.get("/v1/me", token: calm).status == 200)
  }

  @Test func `tokens of an issuer are taken while they last`() async throws {
    let secret = String(repeating: "k", count: 40)
    let server = try await RunningServer { settings, folder in
      let path = folder.path + "/secret"
      try FileWriter.replace(path, with: Array(secret.utf8), isPrivate: true)
      settings.issuer = .init(key: .secret(path), name: "lists", permission: .read)
    }
    struct Claims: JWTPayload {
      var exp: ExpirationClaim
      var iss: String? = "lists"
      var sub = "user-7"

      func verify(using algorithm: some JWTAlgorithm) {}
    }
    func token(_ claims: Claims, secret: String) async throws -> String {
      try await JWTKeyCollection().add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256).sign(claims)
    }
    let (later, before) = (ExpirationClaim(value: .now + 60), ExpirationClaim(value: .now - 60))
    let good = try await token(Claims(exp: later), secret: secret)
    #expect(try await server.get("/v1/me", token: good).json["name"] as? String == "user-7")
    let spaced = try await token(Claims(exp: later, sub: "Jane Doe"), secret: secret)
    #expect(try await server.get("/v1/me", token: spaced).json["name"] as? String == "Jane Doe")
    #expect(try await server.post("/v1/undo", "{}", token: good).status == 403)
    for bad in [
      try await token(Claims(exp: before), secret: secret), try await token(Claims(exp: later, iss: "others"), secret: secret),
      try await token(Claims(exp: later), secret: secret + "x"), good + "x",
      try await token(Claims(exp: later, sub: ""), secret: secret),
      try await token(Claims(exp: later, sub: "a\u{1}"), secret: secret),
      try await token(Claims(exp: later, sub: String(repeating: "x", count: 101)), secret: secret),
      "eyJhbGciOiJub25lIn0." + good.split(separator: ".")[1] + ".",
    ] {
      #expect(try await server.get("/v1/me", token: bad).status == 401)
    }
  }

  @Test func `photos that are read at once do not pass the limit together, and one that fails does not count`() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "scans-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let scans = ScanCounter(path: path)
    for _ in 0..<2 { #expect(try scans.begin("a user", in: "2026-11", limit: 2) == nil) }
    #expect(try scans.begin("a user", in: "2026-11", limit: 2) == 2)
    try scans.end("a user", in: "2026-11", isSent: false)
    #expect(try scans.begin("a user", in: "2026-11", limit: 2) == nil)
    for isSent in [true, true] { try scans.end("a user", in: "2026-11", isSent: isSent) }
    #expect(try scans.begin("a user", in: "2026-11", limit: 2) == 2)
  }

  @Test func `photos are counted by user and month, and the count is kept`() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "scans-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let scans = ScanCounter(path: path)
    func read(_ user: String, in month: String) throws {
      #expect(try scans.begin(user, in: month, limit: 9) == nil)
      try scans.end(user, in: month, isSent: true)
    }
    let users = ["a user", " a user", "\u{301}a", "e\u{301}"]
    for user in users { for _ in 0..<3 { try read(user, in: "2026-11") } }
    try read("another", in: "2026-11")
    #expect(try scans.begin("a user", in: "2026-11", limit: 3) == 3)
    let again = ScanCounter(path: path)
    for user in users { #expect(try again.begin(user, in: "2026-11", limit: 3) == 3, "\(user)") }
    // A photo that was begun in the month before takes none of this month's away.
    try read("another", in: "2026-10")
    #expect(try ScanCounter(path: path).begin("a user", in: "2026-11", limit: 3) == 3)
    try read("another", in: "2026-12")
    #expect(try ScanCounter(path: path).begin("a user", in: "2026-11", limit: 1) == nil)
  }
}
