import Foundation
import ModelServer
import Testing

/// The caps on money, tokens and requests, against servers that lie about what they took, or do not say.
@Suite struct SpendingTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let items = (0..<3_000).map { "odd thing \($0)" }
  private static let model = ["--llm-model", "claude-haiku-4-5", "--summary", "--llm-parallel", "64"]
  /// What that model costs in US dollars a token: what the provider keeps of what is sent costs most.
  private static let price = (sent: 1.25e-6, received: 5e-6)

  private func categorize(_ server: ModelServer, _ arguments: [String]) throws -> Finished {
    try ModelRun.categorize(Self.items, server, Self.model + arguments, in: folder)
  }

  /// The most that a server can have spent in truth: a token for each byte that came, and answers as long as they may be.
  private func most(_ server: ModelServer) -> (tokens: Int, dollars: Double) {
    server.received.reduce((0, 0)) { sum, request in
      (
        sum.0 + request.body.count + request.answerLimit,
        sum.1 + Double(request.body.count) * Self.price.sent + Double(request.answerLimit) * Self.price.received
      )
    }
  }

  /// The figures of the summary.
  private func reported(_ run: Finished) throws -> (tokens: Int, dollars: Double, isEstimate: Bool) {
    let figures = try #require(
      run.diagnostics.firstMatch(of: /, (at most )?(\d+) tokens in.* and (\d+) out, (?:at most )?\$([0-9.]+)/),
      "\(run.diagnostics)")
    let (sent, received) = (try #require(Int(figures.2)), try #require(Int(figures.3)))
    return (sent + received, try #require(Double(figures.4)), figures.1 != nil)
  }

  static let lies: [(String, String?)] = [
    ("nothing", nil), ("null", "null"), ("no figures", "{}"), ("zero", #"{"input_tokens":0,"output_tokens":0}"#),
    ("one", #"{"input_tokens":1,"output_tokens":1}"#), ("negative", #"{"input_tokens":-5000,"output_tokens":-70000}"#),
    ("fractions", #"{"input_tokens":700.5,"output_tokens":0.25}"#), ("texts", #"{"input_tokens":"1","output_tokens":"1"}"#),
  ]
  static let cappedLies =
    lies.indices.map { ($0, ["--max-tokens", "200000"]) } + [
      (0, ["--max-cost", "0.25"]), (4, ["--max-cost", "0.25"]), (3, ["--max-requests", "20"]),
    ]

  @Test(
    "No cap is passed where a server says nothing believable of what it took, with 64 requests at a time, and the summary says `at most`",
    arguments: cappedLies)
  func unbelievable(row: Int, cap: [String]) throws {
    let (what, usage) = Self.lies[row]
    let server = try ModelServer(.anthropic) { _ in .answer.claiming(usage) }
    let run = try categorize(server, cap)
    let (most, reported) = (most(server), try reported(run))
    #expect(reported.isEstimate, "\(what)")
    #expect(run.diagnostics.contains("\(cap[0]) \(cap[1]) is reached"), "\(what): \(run.diagnostics)")
    switch cap[0] {
    case "--max-tokens":
      #expect(most.tokens <= 200_000 && reported.tokens <= 200_000 && reported.tokens > 150_000, "\(what): \(most) \(reported)")
    case "--max-cost":
      #expect(most.dollars <= 0.25 && reported.dollars <= 0.25 && reported.dollars > 0.2, "\(what): \(most) \(reported)")
    default: #expect(server.count == 20, "\(what)")
    }
    #expect(reported.tokens >= most.tokens, "\(what)")
    #expect(run.text.split(separator: "\n").count == Self.items.count)
  }

  @Test("A server's figures count where they can be true, and a cap holds for the densest of texts and the longest of answers")
  func dense() throws {
    let server = try ModelServer(.anthropic) { request in
      .answer.claiming(#"{"input_tokens":\#(request.body.count),"output_tokens":\#(request.answerLimit)}"#)
    }
    let run = try categorize(server, ["--max-tokens", "200000"])
    let reported = try reported(run)
    #expect(!reported.isEstimate && reported.tokens == most(server).tokens)
    #expect(reported.tokens <= 200_000 && reported.tokens > 150_000, "\(reported)")
  }

  @Test(
    "Of what a server says, each half counts for itself",
    arguments: [
      (#"{"input_tokens":900}"#, 900, 144), (#"{"input_tokens":900,"cache_read_input_tokens":100}"#, 1_000, 144),
      (#"{"input_tokens":0,"output_tokens":12,"cache_read_input_tokens":"all"}"#, nil, 12),
    ])
  func halves(usage: String, sent: Int?, received: Int) throws {
    let server = try ModelServer(.anthropic) { _ in .answer.claiming(usage) }
    let run = try ModelRun.categorize(["odd thing"], server, Self.model, in: folder)
    let most = try #require(server.received.first).body.count + 1_024
    #expect(run.diagnostics.contains("at most \(sent ?? most) tokens in"), "\(run.diagnostics)")
    #expect(run.diagnostics.contains(" and \(received) out, at most $"), "\(run.diagnostics)")
  }

  @Test("A cap is used up: requests wait for what others turn out not to need, instead of going without")
  func used() throws {
    let server = try ModelServer(.anthropic) { _ in .answer.after(seconds: 0.02) }
    let run = try categorize(server, ["--max-tokens", "60000"])
    let reported = try reported(run)
    #expect(!reported.isEstimate && reported.tokens <= 60_000 && reported.tokens > 50_000, "\(run.diagnostics)")
    #expect(server.peak > 2)
  }

  @Test(
    "A server that claims more than a request can take is asked no more: what it claims counts", arguments: ["30000000", "1e300"])
  func huge(claim: String) throws {
    let server = try ModelServer(.anthropic) { _ in .answer.claiming(#"{"input_tokens":\#(claim),"output_tokens":1000}"#) }
    for cap in [["--max-tokens", "90000000"], ["--max-cost", "400"]] {
      let before = server.count
      let run = try categorize(server, cap + ["--llm-cache", "off"])
      #expect(server.count == before + 1)
      #expect(
        run.ending == .exited(2) && run.diagnostics.contains("no cap can be enforced; it is not asked again"),
        "\(run.diagnostics)")
      #expect(try reported(run).tokens >= 30_000_000)
    }
    // Nobody asked for a bound: then it is only counted, however much it is.
    let free = try categorize(server, ["--llm-cache", "off"])
    #expect(free.ending == .exited(0) && server.count > 70, "\(free.diagnostics)")
  }

  static let failures: [(String, Behaviour)] = [
    ("fails", .fail(500, headers: [("retry-after-ms", "1")])), ("is overloaded", .fail(529, headers: [("retry-after-ms", "1")])),
    ("closes", .raw("")), ("breaks off", .raw("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"cont")), ("is silent", .hang),
    ("says nothing", .body("")), ("talks nonsense", .body("no JSON")),
    ("has no end", .body([UInt8](repeating: 0x20, count: 2 << 20))),
  ]

  @Test(
    "What may have been spent by a request that failed counts as spent, so that no cap is passed by retries",
    arguments: failures.indices)
  func failing(row: Int) throws {
    let (what, behaviour) = Self.failures[row]
    let server = try ModelServer(.anthropic) { _ in behaviour }
    let run = try categorize(server, ["--max-tokens", "20000", "--llm-timeout", "1"])
    let (most, reported) = (most(server), try reported(run))
    #expect(most.tokens <= 20_000 && server.count >= 1, "\(what): \(server.count) requests")
    #expect(reported.isEstimate && reported.tokens >= most.tokens, "\(what): \(run.diagnostics)")
    #expect(run.ending == .exited(2), "\(what)")
  }

  @Test("A request that a server refuses, or never got, costs nothing", arguments: [400, 401, 429, nil])
  func refused(status: Int?) throws {
    let server = try ModelServer(.anthropic) { _ in status.map { .fail($0, headers: [("retry-after-ms", "1")]) } ?? .answer }
    let options = Self.model + (status == nil ? ["--llm-url", "http://127.0.0.1:1"] : [])
    let run = try ModelRun.categorize(["odd thing"], server, options + ["--max-cost", "1"], in: folder)
    #expect(run.diagnostics.contains(", 0 tokens in and 0 out, $0.00\n"), "\(run.diagnostics)")
  }

  @Test("The log tells estimates from figures, on a terminal's lines and in JSON, and so does the sum")
  func log() throws {
    let server = try ModelServer(.anthropic) { $0.number == 0 ? .answer.claiming(nil) : .answer }
    for item in ["odd thing", "other thing"] {
      #expect(try ModelRun.categorize([item], server, Self.model, in: folder).ending == .exited(0))
    }
    let table = try aisle("llm", "log", in: folder)
    let rows = table.text.split(separator: "\n")
    #expect(rows.count == 2 && rows[0].contains("\tat most $0.0") && !rows[1].contains("at most"), "\(table.text)")
    #expect(table.diagnostics.contains(/2 requests, at most \d+ tokens in and \d+ out, at most \$0\.0/), "\(table.diagnostics)")
    let lines = try aisle("llm", "log", "--format", "jsonl", in: folder).text.split(separator: "\n")
    #expect(lines.map { $0.contains("\"estimated\":true") } == [true, false], "\(lines)")
  }

  @Test("A request that is interrupted may have been spent, and is on the record as that")
  func interrupted() throws {
    let server = try ModelServer(.anthropic) { _ in .hang }
    let process = try RunningAisle(["categorize"] + ModelRun.options(server) + Self.model, in: folder, environment: ModelRun.key)
    process.send("odd thing\n")
    while server.count == 0, process.isRunning { usleep(1_000) }
    process.signal(SIGINT)
    #expect(try process.finish(endingInput: false).ending == .exited(130))
    let log = try aisle("llm", "log", "--format", "jsonl", in: folder).text
    #expect(log.contains("\"estimated\":true") && log.contains("cancelled") && !log.contains("\"tokens-in\":0"), "\(log)")
  }

  // MARK: Photos

  private func read(_ server: ModelServer, _ arguments: [String]) throws -> Finished {
    try folder.write(SamplePhoto.png, to: "photo.png")
    return try RunningAisle(
      ["read", "photo.png", "--summary"] + ModelRun.options(server) + arguments, in: folder, environment: ModelRun.key
    ).finish()
  }

  @Test(
    "A photo is not sent where a cap does not allow what it may take, and the message says how much that is",
    arguments: [["--max-tokens", "50000"], ["--max-cost", "0.006"], ["--max-requests", "0"]])
  func photoCaps(cap: [String]) throws {
    let server = try ModelServer(.anthropic)
    let run = try read(server, cap)
    #expect(server.count == 0 && run.ending == .exited(2))
    #expect(run.diagnostics.contains("photo.png: not read: \(cap[0]) \(cap[1])"), "\(run.diagnostics)")
    if cap[0] == "--max-tokens" { #expect(run.diagnostics.contains(/may take up to 5\d{4}/), "\(run.diagnostics)") }
  }

  @Test("What a photo took is estimated where the server does not say")
  func photoWithoutUsage() throws {
    let server = try ModelServer(.anthropic, photo: #"[{"name":"List","type":"grocery","items":["kale"]}]"#) { _ in
      .answer.claiming(nil)
    }
    let run = try read(server, ["--max-tokens", "100000"])
    let reported = try reported(run)
    #expect(
      run.text == "kale\n" && reported.isEstimate && reported.tokens > 50_000 && reported.tokens <= 100_000, "\(run.diagnostics)"
    )
  }

  // MARK: Batches

  private func batch(_ command: String, _ server: ModelServer, _ arguments: [String] = []) throws -> Finished {
    try folder.write("dragon fruit\nkefir\nnori\n", to: "items.txt")
    return try RunningAisle(
      ["llm", "batch", command, "items.txt", "--llm-batch", "1"] + ModelRun.options(server) + arguments, in: folder,
      environment: ModelRun.key
    ).finish()
  }

  @Test(
    "A batch is not submitted that could pass a cap",
    arguments: [
      (["--max-tokens", "2000"], "tokens, more than --max-tokens 2000"),
      (["--max-requests", "2"], "has 3 requests, more than --max-requests 2"),
      (["--max-cost", "0.0001"], "more than --max-cost 0.0001"),
    ])
  func batchCaps(cap: [String], message: String) throws {
    let server = try ModelServer(.anthropic)
    let run = try batch("submit", server, cap)
    #expect(run.ending == .exited(2) && run.diagnostics.contains(message), "\(run.diagnostics)")
    #expect(server.count == 0)
  }

  @Test("A batch's cost is estimated where the results do not say it; what has expired or failed costs nothing")
  func batchWithoutUsage() throws {
    let server = try ModelServer(.anthropic, answers: ["dragon fruit": "Produce"]) { _ in .answer.claiming(nil) }
    #expect(try batch("submit", server).ending == .exited(0))
    let run = try batch("collect", server, ["--summary"])
    // One of the three is answered.
    let reported = try reported(run)
    #expect(reported.isEstimate && (1_000...6_000).contains(reported.tokens), "\(run.diagnostics)")
    #expect(try aisle("llm", "log", in: folder).text.contains("\tat most $0.00"))
  }

  @Test("A batch that may have been taken is not submitted again, but looked for", arguments: [500, 504, 529])
  func batchFailure(status: Int) throws {
    // The server takes what it says it failed to.
    let server = try ModelServer(.anthropic) { request in
      request.method == "POST" ? .fail(status, headers: [("retry-after-ms", "1")]) : .answer
    }
    let run = try batch("submit", server)
    #expect(run.ending == .exited(2) && run.diagnostics.contains("run the same command again to continue"), "\(run.diagnostics)")
    #expect(server.batchCount == 1)
    #expect(try batch("submit", server).ending == .exited(0))
    #expect(server.batchCount == 1)
  }
}
