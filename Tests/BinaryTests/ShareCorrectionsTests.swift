import Foundation
import GRDB
import ModelServer
import Synchronization
import Testing

@testable import CorrectionMatching
@testable import LearnedStrategy

/// Corrections shared with a server, by the command.
@Suite struct ShareCorrectionsTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let token = "token-5d0b2c9f71aa"

  /// What `/v1/changes` of a server does, with a store of its own; `fault` may do something else with a request.
  private func serve(
    _ name: String = "server.db", token: String? = nil, fault: @escaping @Sendable (Received) -> Behaviour? = { _ in nil }
  ) throws -> ModelServer {
    let store = try CorrectionStore("\(folder.path)/\(name)")
    return try ModelServer(.proxy) { request in
      if let token, request.headers["authorization"] != "Bearer \(token)" { return .fail(401) }
      let answer = Self.answer(request, store)
      return fault(request) ?? answer
    }
  }

  private static func answer(_ request: Received, _ store: CorrectionStore) -> Behaviour {
    guard request.path.hasPrefix("/v1/changes") else { return .fail(404) }
    do {
      if request.method == "POST" {
        return .body(SharedChangeJSON.body(try store.merge(SharedChangeJSON.readBody(request.body), from: "a machine", time: 0)))
      }
      let query = URLComponents(string: request.path)?.queryItems ?? []
      func value(_ name: String) -> String? { query.first { $0.name == name }?.value ?? nil }
      return .body(
        SharedChangeJSON.body(try store.changes(after: value("after"), limit: value("limit").flatMap { Int($0) } ?? 1000)))
    } catch {
      return .fail(422, message: "\(error)")
    }
  }

  private func corrections(_ db: String) throws -> String { try aisle("corrections", "export", "--db", db, in: folder).text }

  private func share(_ arguments: String..., db: String, server: ModelServer) throws -> Finished {
    try RunningAisle(["corrections"] + arguments + ["--db", db, "--server", server.url], in: folder).finish()
  }

  // MARK: Three commands

  @Test("Two machines share what they taught, forgot and undid; the counts are exact, and conflicts are results")
  func sync() throws {
    let server = try serve()
    _ = try aisle("correct", "kale", "Snacks", "--by", "ann", "--db", "a.db", in: folder)
    _ = try aisle("correct", "leek", "Produce", "--by", "ann", "--db", "a.db", in: folder)
    let first = try share("sync", db: "a.db", server: server)
    #expect(first.ending == .exited(0) && first.text == "")
    #expect(first.diagnostics == "pushed 2 changes: 2 new, 0 changed, 0 unchanged\n")
    _ = try aisle("correct", "KALE", "Produce", "--by", "bob", "--db", "b.db", in: folder)
    let second = try share("sync", db: "b.db", server: server)
    #expect(second.ending == .exited(0))
    let columns = second.text.split(separator: "\t").map(String.init)
    #expect(columns.count == 8 && columns[..<4] == ["kroger", "KALE", "Produce", "bob"] && columns[5...6] == ["Snacks", "ann"])
    #expect(
      second.diagnostics == """
        pulled 2 changes: 1 new, 0 changed, 1 unchanged; 1 conflict
        pushed 2 changes: 0 new, 1 changed, 1 unchanged
        `aisle corrections undo 2` undoes what was pulled

        """, "\(second.diagnostics)")
    #expect(try share("push", db: "a.db", server: server).diagnostics == "nothing new\n")
    let overruled = try aisle("corrections", "list", "--overruled", "--db", "b.db", in: folder)
    #expect(overruled.text.hasPrefix("kroger\tkale\tSnacks\t\tann\t") && overruled.diagnostics == "", "\(overruled.text)")
    #expect(
      try share("pull", db: "a.db", server: server).diagnostics.hasPrefix(
        "pulled 1 change: 0 new, 1 changed, 0 unchanged; 1 conflict\n"))
    #expect(try corrections("a.db") == corrections("b.db") && corrections("a.db") == corrections("server.db"))
    _ = try aisle("corrections", "forget", "leek", "--db", "a.db", in: folder)
    #expect(try share("push", db: "a.db", server: server).diagnostics == "pushed 1 change: 0 new, 1 changed, 0 unchanged\n")
    #expect(try share("pull", db: "b.db", server: server).text.contains("\tleek\t\t"))
    #expect(try !corrections("b.db").contains("leek"))
    _ = try aisle("corrections", "undo", "--db", "a.db", in: folder)
    _ = try share("sync", db: "a.db", server: server)
    _ = try share("sync", db: "b.db", server: server)
    #expect(try corrections("b.db").contains("leek") && corrections("b.db") == corrections("server.db"))
    let nothing = try share("sync", db: "b.db", server: server)
    #expect(nothing.text == "" && nothing.diagnostics == "nothing new\n")
  }

  @Test("What was pulled is undone by the number that was said, and undo without one undoes what was done here")
  func undo() throws {
    let server = try serve()
    _ = try aisle("correct", "kale", "Snacks", "--db", "server.db", in: folder)
    _ = try aisle("correct", "leek", "Snacks", "--db", "a.db", in: folder)
    _ = try share("pull", db: "a.db", server: server)
    #expect(try aisle("corrections", "undo", "--db", "a.db", in: folder).text == "undone\tcorrect leek -> Snacks\n")
    #expect(try aisle("corrections", "undo", "--db", "a.db", in: folder).ending == .exited(1))
    let undone = try aisle("corrections", "undo", "2", "--db", "a.db", in: folder)
    #expect(undone.text == "undone\tmerge 1 change from \(server.url)\n")
    _ = try share("push", db: "a.db", server: server)
    #expect(try corrections("server.db") == "")
  }

  @Test("Cut anywhere, by a lost answer or an end of the connection, running it again brings all there, once", arguments: 0..<4)
  func cuts(cut: Int) throws {
    let numbers = Mutex(0)
    let server = try serve { _ in
      numbers.withLock { number in
        defer { number += 1 }
        return number == cut ? (cut % 2 == 0 ? .raw("") : .raw("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"cha")) : nil
      }
    }
    func teach(_ letters: String, _ db: String) throws {
      let lines = letters.flatMap { one in letters.map { "item \(one)\($0)z \(one)x\tSnacks\n" } }.joined()
      #expect(try aisle("correct", "-", "--db", db, input: lines, in: folder).ending == .exited(0))
    }
    try teach("abcdefghijklmnopqrstuvwxyzàéîõüñçßøåœæðþşğı", "server.db")
    try teach("abcdefghijklmnopqrstuvwxyzабвгдежзиклмнопрс", "a.db")
    let first = try share("sync", db: "a.db", server: server)
    if first.ending != .exited(0) {
      #expect(first.ending == .exited(2) && first.diagnostics.contains("aisle: \(server.url): "), "\(first.diagnostics)")
      #expect(try share("sync", db: "a.db", server: server).ending == .exited(0))
    }
    #expect(server.count > cut, "the cut came")
    #expect(try corrections("a.db") == corrections("server.db"))
    _ = try share("sync", db: "a.db", server: server)
    #expect(try share("sync", db: "a.db", server: server).diagnostics == "nothing new\n")
  }

  // MARK: What goes wrong

  static let faults: [(String, Behaviour, String)] = [
    ("401", .fail(401), "needs a token; name its file with --token-file, or set AISLE_TOKEN"),
    ("403", .fail(403), "the token may not do this; `aisle serve token add NAME --can teach` on the server makes one that may"),
    ("404", .fail(404), "not an aisle server (404 at /v1/changes); check the address, or update aisle there"),
    ("500", .fail(500), "failed (500); see the server's messages"),
    ("busy", .fail(503, headers: [("Retry-After", "0")]), "is busy; try again later"),
    ("a redirect", .fail(302, headers: [("Location", "https://x.example")]), "redirects to https://x.example; name the address"),
    ("a page", .body("<html>"), "not what an aisle server answers (bad JSON: "),
    ("an answer of another", .body("{}"), "(field `changes` is missing)"),
    ("a change of a newer one", .body(#"{"changes":[{"store":"kroger","item":"x"}],"next":"1","more":false}"#), "(change 1: "),
    (
      "a change that cannot be kept",
      .body(
        #"{"changes":[{"store":"?","item":"x","section":"S","by":"x","time":"2026-11-21T16:03:42.125Z"}],"next":"1","more":false}"#
      ), "store id `?`"
    ),
    ("the same again and again", .body(#"{"changes":[],"next":"1","more":true}"#), "gives the same changes again and again"),
    ("a problem", .body("HTTP"), "not what an aisle server answers"),
  ]

  @Test("A server that is none, or does not want us, is an error with the address and what to do", arguments: faults.indices)
  func wrongServer(row: Int) throws {
    let (_, behaviour, words) = Self.faults[row]
    let server = try serve { _ in behaviour }
    _ = try aisle("correct", "kale", "Snacks", "--db", "a.db", in: folder)
    let run = try share("sync", db: "a.db", server: server)
    #expect(run.ending == .exited(2) && run.text == "", "\(run.text)")
    #expect(run.diagnostics.hasPrefix("aisle: \(server.url): ") && run.diagnostics.contains(words), "\(run.diagnostics)")
    #expect(try corrections("a.db").contains("kale"))
  }

  @Test("A server that is not there is named, and so is a wrong address; nothing is made")
  func unreachable() throws {
    let gone = try aisle("corrections", "push", "--server", "http://127.0.0.1:1", "--db", "a.db", in: folder)
    #expect(gone.diagnostics == "nothing new\n" || gone.ending == .exited(2))
    _ = try aisle("correct", "kale", "Snacks", "--db", "a.db", in: folder)
    let run = try aisle("corrections", "push", "--server", "http://127.0.0.1:1/", "--db", "a.db", in: folder)
    #expect(run.ending == .exited(2))
    #expect(
      run.diagnostics
        == "aisle: http://127.0.0.1:1: no answer; check the address, and that `aisle serve` is running there\n")
    for (address, words) in [
      ("home:8400", "write https://host/path"), ("http://203.0.113.5:8400", "http is only allowed within a private network"),
      ("https://a/?x", "remove the part that begins with ?"),
    ] {
      let run = try aisle("corrections", "sync", "--server", address, "--db", "a.db", in: folder)
      #expect(run.ending == .exited(64) && run.diagnostics.contains(words), "\(run.diagnostics)")
    }
    #expect(try aisle("corrections", "sync", in: folder).ending == .exited(64))
  }

  @Test("The token comes from a file or the environment, and is written nowhere, even where the server repeats it")
  func token() throws {
    let server = try serve(token: Self.token) { request in
      request.number == 3 ? .fail(500, message: "bad token \(Self.token)") : nil
    }
    _ = try aisle("correct", "kale", "Snacks", "--db", "a.db", in: folder)
    let wrong = try aisle(
      "corrections", "sync", "--db", "a.db", "--server", server.url, in: folder, environment: ["AISLE_TOKEN": "x"])
    #expect(wrong.ending == .exited(2) && wrong.diagnostics.contains("the token is wrong or was revoked"))
    try folder.write("\(Self.token)\n", to: "token")
    chmod("\(folder.path)/token", 0o600)
    let file = try share("sync", "--token-file", "token", db: "a.db", server: server)
    #expect(file.ending == .exited(0), "\(file.diagnostics)")
    _ = try aisle("correct", "leek", "Snacks", "--db", "a.db", in: folder)
    let runs = try (0..<2).map { _ in
      try aisle(
        "corrections", "sync", "--db", "a.db", "--server", server.url, in: folder, environment: ["AISLE_TOKEN": Self.token])
    }
    for run in runs { #expect(!run.diagnostics.contains(Self.token) && !run.text.contains(Self.token)) }
    #expect(runs[1].ending == .exited(0))
    let bytes = try Data(contentsOf: URL(filePath: "\(folder.path)/a.db"))
    #expect(bytes.range(of: Data(Self.token.utf8)) == nil)
    chmod("\(folder.path)/token", 0o644)
    let open = try share("sync", "--token-file", "token", db: "a.db", server: server)
    #expect(open.ending == .exited(2) && open.diagnostics.contains("chmod 600"))
  }

  @Test("A server of the home's network is reached without a proxy, which would read the token")
  func noProxy() throws {
    let proxy = try serve()
    let finished = try aisle(
      "corrections", "sync", "--db", "a.db", "--server", "http://nas.home.arpa", in: folder,
      environment: ["AISLE_TOKEN": Self.token, "http_proxy": proxy.url])
    #expect(finished.ending == .exited(2) && proxy.received.isEmpty, "\(finished.diagnostics)")
  }

  // MARK: In place of a file

  private func run(_ arguments: String..., server url: String, input: String = "") throws -> Finished {
    let process = try RunningAisle(arguments, in: folder, environment: ["AISLE_SERVER": url])
    process.feed([Data(input.utf8)])
    return try process.finish(endingInput: false)
  }

  @Test("--server takes the place of a file: commands see what others taught, and others see what they teach")
  func inPlaceOfFile() throws {
    let server = try serve()
    _ = try aisle("correct", "kale", "Snacks", "--by", "ann", "--db", "server.db", in: folder)
    #expect(try aisle("categorize", "--server", server.url, input: "kale\n", in: folder).text == "kale\tSnacks\n")
    #expect(try run("categorize", server: server.url, input: "kale\n").text == "kale\tSnacks\n")
    let taught = try aisle("correct", "leek", "Snacks", "--server", server.url, in: folder)
    #expect(taught.ending == .exited(0) && taught.text == "leek\tSnacks\n" && taught.diagnostics == "", "\(taught.diagnostics)")
    #expect(try corrections("server.db").contains("leek"))
    #expect(try aisle("corrections", "undo", "--server", server.url, in: folder).text == "undone\tcorrect leek -> Snacks\n")
    #expect(try !corrections("server.db").contains("leek"))
    #expect(try aisle("corrections", "--server", server.url, in: folder).text.hasPrefix("kroger\tkale\tSnacks"))
    let both = try aisle("corrections", "--server", server.url, "--db", "a.db", in: folder)
    #expect(both.ending == .exited(64) && both.diagnostics.contains("--server takes the place of --db"), "\(both.diagnostics)")
  }

  @Test("What is measured is measured with the server's corrections")
  func measured() throws {
    let server = try serve()
    _ = try aisle("correct", "kale", "Snacks", "--by", "ann", "--db", "server.db", in: folder)
    try folder.write("kale\tSnacks\nbutter\tDairy & Eggs\n", to: "items.tsv")
    let measured = ["eval", "--corpus", "items.tsv", "--chain", "learned,keyword"]
    func right(_ options: String...) throws -> String { try RunningAisle(measured + options, in: folder).finish().text }
    #expect(try right("--server", server.url).contains("  2 right\n"))
    #expect(try right("--db", "off").contains("  1 right\n"))
  }

  @Test("Where the server cannot be reached, the command goes on with the copy and says so in a line; the next one sends")
  func offline() throws {
    let isDown = Mutex(false)
    let server = try serve { _ in isDown.withLock { $0 } ? .fail(500) : nil }
    _ = try aisle("correct", "kale", "Snacks", "--db", "server.db", in: folder)
    #expect(try run("categorize", server: server.url, input: "kale\n").diagnostics == "")
    isDown.withLock { $0 = true }
    let answered = try run("categorize", server: server.url, input: "kale\n")
    #expect(answered.ending == .exited(0) && answered.text == "kale\tSnacks\n")
    #expect(
      answered.diagnostics
        == "aisle: \(server.url): failed (500); see the server's messages; continuing with the last known corrections\n")
    #expect(try run("correct", "leek", "Snacks", server: server.url).ending == .exited(0))
    isDown.withLock { $0 = false }
    #expect(try !corrections("server.db").contains("leek"))
    #expect(try run("corrections", "list", server: server.url).diagnostics == "")
    #expect(try corrections("server.db").contains("leek"))
    let gone = try run("categorize", server: "http://127.0.0.1:1", input: "kale\n")
    #expect(gone.ending == .exited(0) && gone.text == "kale\tProduce\n")
    #expect(
      gone.diagnostics.split(separator: "\n").count == 1
        && gone.diagnostics.contains("continuing with the last known corrections"))
  }
}
