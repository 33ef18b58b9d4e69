import Foundation
import ModelServer
import Testing

/// `aisle doctor`.
@Suite struct DoctorTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func doctor(_ arguments: [String] = [], environment: [String: String] = ModelRun.key) throws -> (
    lines: [[String]], run: Finished
  ) {
    // The cache of whoever runs the tests is no part of them.
    let environment = environment.merging(["AISLE_CACHE": folder.path + "/cache"]) { given, _ in given }
    let run = try RunningAisle(["doctor"] + arguments, in: folder, environment: environment).finish()
    return (run.text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }, run)
  }

  @Test("Without a language model all is well, and nothing is connected to")
  func withoutModel() throws {
    let (lines, run) = try doctor(environment: ModelRun.key.merging(["AISLE_CACHE": "off"]) { $1 })
    #expect(run.ending == .exited(0), "\(run.text)\(run.diagnostics)")
    #expect(lines.map { $0[0] } == ["ok", "ok", "ok", "off", "off", "off"])
    #expect(lines.map { $0[1] } == ["configuration", "store", "chain", "corrections file", "cache", "language model"])
  }

  @Test("A model that answers is well, and the key is not shown", arguments: ModelServer.API.allCases)
  func model(api: ModelServer.API) throws {
    let server = try ModelServer(api)
    let (lines, run) = try doctor(ModelRun.options(server) + (api == .proxy ? [] : ["--llm-model", "test-model"]))
    #expect(run.ending == .exited(0), "\(run.text)\(run.diagnostics)")
    #expect(lines.contains(["ok", "key", "from AISLE_LLM_KEY"]))
    #expect(lines.last == ["ok", "server", api == .proxy ? "answers" : "reachable, and has the model"])
    #expect(!run.text.contains(ModelServer.key))
    let (_, offline) = try doctor(ModelRun.options(server) + ["--offline"])
    #expect(offline.ending == .exited(0))
    #expect(server.count == 1)
  }

  @Test("The database is described, and one that is damaged, or not ours, named")
  func database() throws {
    let server = try ModelServer(.anthropic, answers: ["oat milk": "Snacks"])
    #expect(
      try doctor(["--db", "off"]).lines.contains { $0[..<2] == ["off", "corrections file"] && $0[2].hasPrefix("none (--db)") })
    #expect(try aisle("correct", "kale", "Snacks", in: folder).ending == .exited(0))
    let process = try RunningAisle(["check"] + ModelRun.options(server), in: folder, environment: ModelRun.key)
    process.feed([Data("oat milk\n".utf8)])
    #expect(try process.finish(endingInput: false).ending == .exited(0))
    let file = "\(folder.path)/data/aisle/aisle.db"
    let words = "\(file) (default), 1 correction, 1 suggestion pending, 2 model answers kept"
    let known = try doctor()
    #expect(known.lines.contains(["ok", "corrections file", words]), "\(known.run.text)")
    let unused = "\(words); the chain does not name `learned`, so corrections decide nothing"
    #expect(try doctor(["--chain", "keyword>=0.6"]).lines.contains(["warn", "corrections file", unused]))
    var bytes = try Data(contentsOf: URL(filePath: file))
    for place in 5_000..<min(60_000, bytes.count) { bytes[place] ^= 0x55 }
    try bytes.write(to: URL(filePath: file))
    let (lines, run) = try doctor()
    #expect(run.ending == .exited(1))
    #expect(lines.contains { $0[..<2] == ["wrong", "corrections file"] && $0[2].contains(file) }, "\(run.text)")
    try folder.write("a diary", to: "diary")
    #expect(
      try doctor(["--db", "diary"]).lines.contains { $0[0] == "wrong" && $0[2].hasPrefix("diary: is not a corrections file") })
  }

  @Test(
    "What is wrong is named with its remedy",
    arguments: [
      (["--llm-model", "no-such"], ModelServer.key, "has no model `no-such`"),
      (["--llm-model", "test-model"], "wrong-sentinel-77", "answered 401 (authentication_error: invalid key); check the key"),
      (["--llm-url", "http://127.0.0.1:1"], ModelServer.key, "no answer"),
      (["--llm-url", "http://example.com"], ModelServer.key, "http is only allowed to this machine"),
      (["--llm-key-file", "none"], ModelServer.key, "none: cannot open"),
      (["--store", "krogr"], ModelServer.key, "did you mean `kroger`"),
      (["--chain", "keywrd"], ModelServer.key, "did you mean `keyword`"),
    ])
  func wrong(arguments: [String], key: String, words: String) throws {
    let server = try ModelServer(.anthropic)
    let (lines, run) = try doctor(ModelRun.options(server) + arguments, environment: ["AISLE_LLM_KEY": key])
    #expect(run.ending == .exited(1))
    #expect(lines.contains { $0[0] == "wrong" && $0[2].contains(words) }, "\(run.text)")
    #expect(!run.text.contains(key) && !run.diagnostics.contains(key))
  }

  private static func day(_ offset: Int) -> String {
    let text = ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: Double(offset) * 86_400))
    return String(text.prefix(10))
  }

  @Test(
    "A model that ends soon, has ended, or has no price is said, of the text's and of the photos'",
    arguments: [
      ("model", 30, "warn", "model ends"), ("photo-model", 30, "warn", "model ends"), ("model", -1, "wrong", "model ended"),
      ("photo-model", -1, "wrong", "model ended"), ("model", 90, "ok", "price"), ("photo-model", 90, "ok", "photo price"),
    ])
  func prospects(field: String, offset: Int, state: String, what: String) throws {
    try folder.write(
      "llm:\n  \(field): fleeting\n  models:\n    fleeting: 1 2 ends=\(Self.day(offset))\n", to: "aisle.yaml")
    let (lines, run) = try doctor(["--llm", "anthropic", "--offline"])
    #expect(run.ending == .exited(state == "wrong" ? 1 : 0), "\(run.text)")
    #expect(lines.contains { $0[0] == state && $0[1] == what }, "\(run.text)")
    #expect(lines.contains { $0[1].hasPrefix("model end") } == (offset < 60))
  }

  @Test("A model without a price says how to give it one")
  func unpriced() throws {
    let (lines, run) = try doctor(["--llm", "anthropic", "--llm-model", "unheard-of", "--offline"])
    #expect(run.ending == .exited(0))
    #expect(
      lines.contains { $0[..<2] == ["warn", "price"] && $0[2].contains("write `unheard-of: INPUT OUTPUT`") }, "\(run.text)")
  }

  @Test("Aliases of a model are the model, and a model for photos that was named is looked for too")
  func aliases() throws {
    let server = try ModelServer(.anthropic, models: ["claude-haiku-4-5-20251001"])
    let options = ModelRun.options(server) + ["--llm-model", "claude-haiku-4-5"]
    #expect(try doctor(options).lines.last == ["ok", "server", "reachable, and has the model"])
    try folder.write("llm:\n  model: claude-haiku-4-5\n  photo-model: my-eyes\n", to: "aisle.yaml")
    let (lines, run) = try doctor(ModelRun.options(server))
    #expect(run.ending == .exited(1))
    #expect(lines.contains { $0[0] == "wrong" && $0[2].contains("has no model `my-eyes`") }, "\(run.text)")
  }

  @Test("A server that runs models itself is named, and costs nothing")
  func ownServer() throws {
    let server = try ModelServer(.openai, owner: "llamacpp")
    let (lines, run) = try doctor(ModelRun.options(server) + ["--llm-model", "test-model"])
    #expect(lines.contains(["ok", "price", "nothing: llama.cpp runs the model on this machine"]), "\(run.text)")
    let other = try ModelServer(.openai)
    let passing = try doctor(ModelRun.options(other) + ["--llm-model", "test-model"])
    #expect(passing.lines.contains { $0[..<2] == ["warn", "price"] }, "\(passing.run.text)")
  }
}
