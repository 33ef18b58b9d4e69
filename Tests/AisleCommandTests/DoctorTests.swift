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
    let run = try RunningAisle(["doctor"] + arguments, in: folder, environment: environment).finish()
    return (run.text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }, run)
  }

  @Test("Without a language model all is well, and nothing is connected to")
  func withoutModel() throws {
    let (lines, run) = try doctor()
    #expect(run.ending == .exited(0), "\(run.text)\(run.diagnostics)")
    #expect(lines.map { $0[0] } == ["ok", "ok", "ok", "off"])
    #expect(lines.map { $0[1] } == ["configuration", "store", "chain", "language model"])
  }

  @Test("A model that answers is well, and the key is not shown", arguments: ModelServer.API.allCases)
  func model(api: ModelServer.API) throws {
    let server = try ModelServer(api)
    let (lines, run) = try doctor(ModelRun.options(server) + (api == .proxy ? [] : ["--llm-model", "test-model"]))
    #expect(run.ending == .exited(0), "\(run.text)\(run.diagnostics)")
    #expect(lines.contains(["ok", "key", "from AISLE_LLM_KEY"]))
    #expect(lines.last == ["ok", "server", api == .proxy ? "answers" : "answers, and has the model"])
    #expect(!run.text.contains(ModelServer.key))
    let (_, offline) = try doctor(ModelRun.options(server) + ["--offline"])
    #expect(offline.ending == .exited(0))
    #expect(server.count == 1)
  }

  @Test(
    "What is wrong is named with its remedy",
    arguments: [
      (["--llm-model", "no-such"], ModelServer.key, "has no model `no-such`"),
      (["--llm-model", "test-model"], "wrong-sentinel-77", "answered 401 (authentication_error: invalid key); check the key"),
      (["--llm-url", "http://127.0.0.1:1"], ModelServer.key, "nobody answers"),
      (["--llm-url", "http://example.com"], ModelServer.key, "only https may leave this machine"),
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
}
