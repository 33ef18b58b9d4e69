import Foundation
import ModelServer
import Testing

/// Kept answers, and the log of requests.
@Suite struct AnswerCacheTests {
  private let folder: ScratchFolder
  private let items = ["dragon fruit", "Kefir", "kale", "rope"]
  private let answers = ["dragon fruit": "Produce", "Kefir": "Dairy & Eggs", "rope": "Nowhere"]
  private let sections = ["Produce", "Dairy & Eggs", "Produce", "Other"]

  init() throws { folder = try ScratchFolder() }

  private func file(_ name: String) -> String { "\(folder.path)/\(name)" }

  @Test(
    "The same list costs nothing twice, but for what was answered with no section of the store",
    arguments: ModelServer.API.allCases)
  func nothingTwice(api: ModelServer.API) throws {
    let server = try ModelServer(api, sections: ScratchFolder.sections, answers: answers)
    let first = try ModelRun.categorize(items, server, in: folder)
    #expect(first.sections == sections, "\(first.diagnostics)")
    #expect(server.count == 1)
    let second = try ModelRun.categorize(["KEFIR!", "dragon fruit", "rope"], server, ["--summary"], in: folder)
    #expect(second.sections == ["Dairy & Eggs", "Produce", "Other"])
    #expect(server.received.dropFirst().map { $0.items.map(\.item) } == [["rope"]])
    #expect(
      second.ending == .exited(2) && second.diagnostics.contains("1 item undecided: off-list 1; teach"), "\(second.diagnostics)")
    let third = try ModelRun.categorize(["KEFIR!", "dragon fruit"], server, ["--summary"], in: folder)
    #expect(third.diagnostics.contains(": 0 requests, 0 tokens in and 0 out"), "\(third.diagnostics)")
    #expect(third.diagnostics.contains("2 items decided"))
    #expect(third.diagnostics.contains("; 2 without a request, 2 of them from kept answers"))
    #expect(server.count == 2)
  }

  @Test(
    "Another model, another form of the question and other sections are asked anew",
    arguments: [["--llm-model", "other"], ["--new-sections"], ["--store", "corner"]])
  func otherContext(arguments: [String]) throws {
    let server = try ModelServer(.anthropic, sections: ScratchFolder.sections)
    _ = try ModelRun.categorize(["dragon fruit"], server, in: folder)
    _ = try ModelRun.categorize(["dragon fruit"], server, arguments, in: folder)
    #expect(server.count == 2)
    _ = try ModelRun.categorize(["dragon fruit"], server, in: folder)
    #expect(server.count == 2)
  }

  @Test("Another API and another version of the prompt are asked anew too")
  func otherSource() throws {
    let (anthropic, openai) = (try ModelServer(.anthropic), try ModelServer(.openai))
    let model = ["--llm-model", "same"]
    for (server, count) in [(anthropic, 1), (openai, 1), (anthropic, 1), (openai, 1)] {
      _ = try ModelRun.categorize(["dragon fruit"], server, model, in: folder)
      #expect(server.count == count)
    }
    let kept = try aisle("llm", "cache", "export", in: folder).text
    let other = kept.replacing(#""prompt":2"#, with: #""prompt":1"#)
    #expect(other != kept)
    #expect(try aisle("llm", "cache", "prune", "--all", in: folder).ending == .exited(0))
    try folder.write(other, to: "other.jsonl")
    #expect(try aisle("llm", "cache", "import", "other.jsonl", in: folder).ending == .exited(0))
    _ = try ModelRun.categorize(["dragon fruit"], anthropic, model, in: folder)
    #expect(anthropic.count == 2)
  }

  @Test("refresh asks again and keeps what is new; off neither reads nor keeps; only never asks, and needs no key")
  func uses() throws {
    let server = try ModelServer(.anthropic, answers: ["dragon fruit": "Produce"])
    let changed = try ModelServer(.anthropic, answers: ["dragon fruit": "Snacks"])
    let item = ["dragon fruit"]
    #expect(try ModelRun.categorize(item, server, ["--llm-cache", "off"], in: folder).sections == ["Produce"])
    #expect(try ModelRun.categorize(item, changed, ["--llm-cache", "only"], in: folder, environment: [:]).sections == ["Other"])
    #expect(try ModelRun.categorize(item, server, in: folder).sections == ["Produce"])
    #expect(try ModelRun.categorize(item, changed, in: folder).sections == ["Produce"])
    #expect(changed.count == 0)
    #expect(try ModelRun.categorize(item, changed, ["--llm-cache", "refresh"], in: folder).sections == ["Snacks"])
    let only = try ModelRun.categorize(
      item + ["unheard of"], server, ["--llm-cache", "only", "--summary"], in: folder, environment: [:])
    #expect(only.ending == .exited(2), "\(only.diagnostics)")
    #expect(only.sections == ["Snacks", "Other"])
    #expect(only.diagnostics.contains("1 undecided: not in the cache 1"))
    #expect(server.count == 2 && changed.count == 1)
  }

  @Test("With --llm-cache only an evaluation is the same without network and key, also from an export on another machine")
  func offline() throws {
    let corpus = "dragon fruit\tProduce\t\nkohlrabi\tProduce\t\nkefir\tDairy & Eggs\t\n"
    try folder.write(corpus, to: "corpus/list.tsv")
    let server = try ModelServer(.anthropic, answers: ["dragon fruit": "Produce", "kohlrabi": "Snacks"])
    let first = try RunningAisle(["eval"] + ModelRun.options(server), in: folder, environment: ModelRun.key).finish()
    #expect(first.ending == .exited(0), "\(first.diagnostics)")
    let export = try aisle("llm", "cache", "export", in: folder)
    #expect(export.text.split(separator: "\n").count == 3)
    let other = try ScratchFolder()
    try other.write(corpus, to: "corpus/list.tsv")
    try other.write(export.output, to: "answers.jsonl")
    #expect(
      try aisle("llm", "cache", "import", "answers.jsonl", in: other).diagnostics == "answers: 3 new, 0 changed, 0 unchanged\n")
    #expect(
      try aisle("llm", "cache", "import", "answers.jsonl", in: other).diagnostics == "answers: 0 new, 0 changed, 3 unchanged\n")
    #expect(try aisle("llm", "cache", "export", in: other).text == export.text)
    for place in [folder, other] {
      let run = try RunningAisle(
        ["eval", "--llm", "anthropic", "--llm-cache", "only", "--reporter", "jsonl"], in: place, environment: [:]
      ).finish()
      #expect(run.ending == .exited(0), "\(run.diagnostics)")
      #expect(run.text.contains("\"Snacks\""), "\(run.text)")
    }
    #expect(server.count == 1)
  }

  @Test("Without a file for corrections answers are kept for the run alone, and nothing is written")
  func withoutFile() throws {
    let server = try ModelServer(.anthropic)
    for _ in 0..<2 { _ = try ModelRun.categorize(["rope", "rope"], server, ["--db", "off"], in: folder) }
    #expect(server.count == 2)
    #expect(!FileManager.default.fileExists(atPath: file("data")))
  }

  @Test(
    "A file that is named and not there yet is made; one that cannot be used costs answers, with a remark, and stays as it is")
  func files() throws {
    let server = try ModelServer(.anthropic, answers: ["dragon fruit": "Produce"])
    let named = try ModelRun.categorize(["dragon fruit"], server, ["--db", "new/answers.db"], in: folder)
    #expect(named.ending == .exited(0) && named.diagnostics.isEmpty, "\(named.diagnostics)")
    #expect(FileManager.default.fileExists(atPath: file("new/answers.db")))
    try folder.write("a diary", to: "diary")
    let strange = try ModelRun.categorize(
      ["dragon fruit"], server, ["--db", "diary", "--chain", "keyword,llm"], in: folder)
    #expect(strange.sections == ["Produce"])
    #expect(strange.diagnostics.contains("diary: is not a corrections file"), "\(strange.diagnostics)")
    #expect(strange.diagnostics.split(separator: "\n").count == 1, "\(strange.diagnostics)")
    #expect(try String(contentsOfFile: file("diary"), encoding: .utf8) == "a diary")
    #expect(server.count == 2)
  }

  @Test("Answers are listed by what they depend on, and forgotten by age, model and version")
  func listAndPrune() throws {
    let server = try ModelServer(.anthropic, answers: answers)
    #expect(try aisle("llm", "cache", "list", in: folder).diagnostics == "no answers\n")
    _ = try ModelRun.categorize(items, server, ["--llm-model", "test-model"], in: folder)
    _ = try ModelRun.categorize(["rope"], server, ["--llm-model", "other", "--new-sections"], in: folder)
    let lines = try aisle("llm", "cache", in: folder).text.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].contains("anthropic\tother\tcategorize\tprompt 2\t") && lines[0].contains("\tnew sections\t1\t"), "\(lines)")
    #expect(lines[1].contains("anthropic\ttest-model\tcategorize\tprompt 2\t") && lines[1].contains("\t\t2\t"), "\(lines)")
    let shown = try aisle("llm", "cache", "list", "--items", in: folder).text
    #expect(shown.contains("dragon fruit\t\tProduce\ttest-model\t20"), "\(shown)")
    #expect(!shown.contains("rope\t\t\t"), "no section of the store was answered")
    for (arguments, count) in [
      ([], 0), (["--older-than", "1"], 0), (["--model", "other"], 1), (["--older-than", "0"], 2), (["--all"], 0),
    ] {
      let pruned = try RunningAisle(["llm", "cache", "prune"] + arguments, in: folder).finish()
      #expect(pruned.diagnostics == "forgot \(count) answer\(count == 1 ? "" : "s")\n", "\(arguments)")
    }
    #expect(try aisle("llm", "cache", "list", in: folder).text.isEmpty)
  }

  @Test(
    "A line that is no answer is named, and nothing is taken in",
    arguments: [
      ("{}", "field `time` is missing"), ("x", "answers.jsonl:2: bad JSON"),
      (#""item":"Kefir""#, "is not in normalized form; write `kefir`"),
      (#""task":"guess""#, "no task `guess`"), (#""sections":"x""#, "16 hexadecimal digits"),
      (#""proposed":"Pet Supplies""#, "cannot both be present"), (#""provider":"me""#, "no provider `me`"),
      (#""section":"a\u001b[2J""#, "no control characters"),
    ])
  func brokenLines(change: String, words: String) throws {
    let good = [
      #""task":"categorize""#, #""provider":"anthropic""#, #""model":"m""#, #""prompt":1"#, #""sections":"0123456789abcdef""#,
      #""item":"kefir""#, #""section":"Snacks""#, #""time":"2026-11-21T16:03:42Z""#,
    ]
    let name = change.prefix { $0 != ":" }
    let fields = good.filter { !$0.hasPrefix(name) } + [change]
    let broken = change.hasPrefix("\"") ? "{\(fields.joined(separator: ","))}" : change
    try folder.write("{\(good.joined(separator: ","))}\n\(broken)\n", to: "answers.jsonl")
    let run = try aisle("llm", "cache", "import", "answers.jsonl", in: folder)
    #expect(run.ending == .exited(2))
    #expect(run.diagnostics.contains(words), "\(run.diagnostics)")
    #expect(try aisle("llm", "cache", "export", in: folder).text.isEmpty)
  }

  @Test("An answer of a file that names no section of the store, or no section at all, decides nothing")
  func untrustedAnswers() throws {
    let server = try ModelServer(.anthropic, answers: ["dragon fruit": "Produce", "rope": "Hardware", "nails": "Hardware"])
    let items = ["dragon fruit", "rope", "nails"]
    _ = try ModelRun.categorize(items, server, ["--new-sections"], in: folder)
    let export = try aisle("llm", "cache", "export", in: folder).text
    let forged = export.replacing("\"Produce\"", with: "\"ADMIN\"").replacing("\"Hardware\"", with: "\"rm -rf, or else\"")
      .replacing("\"time\":\"20", with: "\"time\":\"30")
    try folder.write(forged, to: "forged.jsonl")
    #expect(try aisle("llm", "cache", "import", "forged.jsonl", in: folder).diagnostics.contains("3 changed"))
    let run = try ModelRun.categorize(items, server, ["--new-sections", "--llm-cache", "only", "--summary"], in: folder)
    #expect(run.sections == ["Other", "Other", "Other"])
    #expect(run.diagnostics.contains("3 undecided: not in the cache 2, off-list 1"), "\(run.diagnostics)")
  }

  @Test("The log has what requests took and cost, retries and failures too, and nothing of items, answers and keys")
  func log() throws {
    let server = try ModelServer(.anthropic, answers: answers) { request in
      request.number == 0 ? .fail(529, type: "overloaded_error", headers: [("retry-after-ms", "1")]) : .answer
    }
    #expect(try aisle("llm", "log", in: folder).diagnostics == "no requests\n")
    _ = try ModelRun.categorize(items, server, ["--llm-model", "claude-haiku-4-5"], in: folder)
    let run = try aisle("llm", "log", in: folder)
    let rows = run.text.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    try #require(rows.count == 2, "\(run.text)")
    #expect(rows[0].count == 12 && rows[0][1...4] == ["categorize", "anthropic", "claude-haiku-4-5", "3"])
    #expect(rows[0][9] == "529" && rows[0][11].contains("overloaded_error"), "\(rows[0])")
    #expect(
      rows[1][1] == "categorize, again" && rows[1][6] == "36" && rows[1][9] == "200" && rows[1][10] == "req_1", "\(rows[1])")
    #expect(rows[1][7].hasPrefix("$0.") && rows[1][8].hasSuffix(" s") && rows[1][11].isEmpty)
    #expect(
      run.diagnostics.contains(/2 requests \(1 failed\), at most \d+ tokens in and \d+ out, at most \$0\.\d+\n/),
      "\(run.diagnostics)")
    #expect(try aisle("llm", "log", "--last", "1", in: folder).text.split(separator: "\n").count == 1)
    let jsonl = try aisle("llm", "log", "--days", "1", "--format", "jsonl", in: folder).text
    for line in jsonl.split(separator: "\n") { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    #expect(jsonl.contains("\"request-id\":\"req_1\""))
    for text in [run.text, jsonl] {
      for word in ["fruit", "Produce", "rope", ModelServer.key] { #expect(!text.contains(word), "\(word)") }
    }
  }

  @Test("Answers are on the disk as they come: a run that is killed pays for nothing twice")
  func killed() throws {
    let items = (0..<120).map { "odd thing \($0)" }
    let server = try ModelServer(.anthropic) { $0.number == 2 ? .hang : .answer }
    let process = try RunningAisle(
      ["categorize", "--llm-parallel", "1"] + ModelRun.options(server), in: folder, environment: ModelRun.key)
    process.feed([Data(items.map { $0 + "\n" }.joined().utf8)])
    while try aisle("llm", "cache", "export", in: folder).text.split(separator: "\n").count < 80 { usleep(10_000) }
    process.signal(SIGKILL)
    _ = try process.finish(endingInput: false)
    let again = try ModelServer(.anthropic)
    let run = try ModelRun.categorize(items, again, in: folder)
    #expect(run.ending == .exited(0) && run.sections.count == 120)
    #expect(again.received.map(\.items.count) == [40])
  }

  @Test("A database of the first version is read as it is, and brought up to date by the first answer")
  func firstVersion() throws {
    let server = try ModelServer(.anthropic, answers: ["dragon fruit": "Produce"])
    try FileManager.default.createDirectory(atPath: file("data/aisle"), withIntermediateDirectories: true)
    let root = URL(filePath: #filePath).deletingLastPathComponent()
    try FileManager.default.copyItem(
      at: root.appending(path: "Fixtures/version-1.db"), to: URL(filePath: file("data/aisle/aisle.db")))
    #expect(try aisle("llm", "log", in: folder).diagnostics == "no requests\n")
    #expect(try aisle("llm", "cache", "list", in: folder).diagnostics == "no answers\n")
    #expect(try aisle("llm", "cache", "export", in: folder).ending == .exited(0))
    let first = try ModelRun.categorize(["oat milk", "dragon fruit"], server, in: folder)
    #expect(first.sections == ["Snacks", "Produce"], "\(first.diagnostics)")
    #expect(try ModelRun.categorize(["oat milk", "dragon fruit"], server, in: folder).sections == ["Snacks", "Produce"])
    #expect(server.count == 1)
    #expect(try aisle("corrections", "list", in: folder).text.contains("oat milk"))
  }

  @Test("A database of the version before requests were estimated is read as it is, and brought up to date by the next request")
  func secondVersion() throws {
    let server = try ModelServer(.anthropic) { _ in .answer.claiming(nil) }
    #expect(try ModelRun.categorize(["odd thing"], server, in: folder).ending == .exited(0))
    let python = Process()
    python.executableURL = URL(filePath: "/usr/bin/env")
    python.arguments = [
      "python3", "-c",
      """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      for table in ["estimated_request", "acceptance", "former_acceptance", "shared", "change_mark", "overruled", "server"]:
          database.execute(f"DROP TABLE {table}")
      database.execute("PRAGMA user_version = 2")
      """, file("data/aisle/aisle.db"),
    ]
    try python.run()
    python.waitUntilExit()
    #expect(python.terminationStatus == 0)
    func estimates() throws -> [Bool] {
      try aisle("llm", "log", "--format", "jsonl", in: folder).text.split(separator: "\n").map {
        $0.contains("\"estimated\":true")
      }
    }
    #expect(try estimates() == [false])
    #expect(try ModelRun.categorize(["odd thing", "other thing"], server, in: folder).ending == .exited(0))
    #expect(server.count == 2)
    #expect(try estimates() == [false, true])
  }
}
