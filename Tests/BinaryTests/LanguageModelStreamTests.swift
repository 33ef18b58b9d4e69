import Foundation
import ModelServer
import Testing

/// A language model in the chain changes which sections come out, and nothing else of the output.
@Suite struct LanguageModelStreamTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let inputs: [(String, [String], String)] = [
    ("lines", [], "kale\r\nodd 1\n\n  \nodd 2\r\nmilk\nodd\u{0}3\nmilk"),
    ("lines without any to ask", [], "kale\nmilk\n"), ("nothing", [], ""), ("a line end", [], "\n"),
    ("an oversized record", [], "odd 1\n" + String(repeating: "x", count: 300_000) + "\nodd 2\nkale\n"),
    (
      "CSV", ["--input-format", "csv"],
      "item,n\nodd 1,1\n\"odd\n\"\"two\"\"\",2\nkale,3\n\"odd 3,4\r\n\",5\r\nshort\n,7\n\nmilk,8"
    ),
    (
      "JSON lines", ["--input-format", "jsonl", "--explain"],
      "{\"item\":\"odd 1\"}\n{\"item\":7}\n\nnope\n{\"item\":\"kale\",\"a\":[1, 2]}\n{\"item\":\"odd\\n2\"}\n{\"item\":\"milk\"}"
    ),
    (
      "a JSON array", ["--input-format", "json"],
      "[\n\"odd 1\"\n,{\"item\":\n7},\n,nope,\n\n{\"item\":\"kale\",\n\"a\":[1, 2]},{\"item\":\"odd\\n2\"}\n,\"milk\" , \"odd 3\"\n]\n"
    ),
    (
      "rows without a header", ["--input-format", "csv", "--no-header", "--delimiter", ";"],
      "odd 1;1\n\n\"odd;2\";2\nkale;3\nshort\nodd 3;4"
    ),
  ]

  @Test(
    "Records, line ends and messages are the same as without it", arguments: inputs.indices,
    [[], ["--jobs", "1"], ["--line-buffered"]])
  func sameRecords(row: Int, options: [String]) throws {
    let (what, arguments, input) = Self.inputs[row]
    // The model says what the fallback says, so that all must be the same, but for who decided.
    let server = try ModelServer(.anthropic) { _ in
      .edit { items in for place in items.indices { items[place].section = "Other" } }
    }
    func run(_ more: [String]) throws -> Finished {
      let process = try RunningAisle(
        ["categorize"] + arguments.filter { $0 != "--explain" } + options + more, in: folder, environment: ModelRun.key)
      process.feed([Data(input.utf8)])
      return try process.finish(endingInput: false)
    }
    let without = try run([])
    let with = try run(ModelRun.options(server) + ["--llm-batch", "1"])
    #expect(with.output == without.output, "\(what): \(with.output.firstDifference(from: without.output) ?? "")")
    #expect(with.diagnostics == without.diagnostics, "\(what)")
    #expect(with.ending == without.ending)
  }

  @Test("Long inputs come out whole and in order, whatever order the answers come in")
  func order() throws {
    let server = try ModelServer(.anthropic) { request in .answer.after(seconds: Double(request.number % 3) * 0.01) }
    let items = (0..<5_000).map { $0 % 3 == 0 ? "kale" : $0 % 7 == 0 ? "milk" : "odd thing \($0 % 1_500)" }
    let run = try ModelRun.categorize(items, server, ["--llm-batch", "13", "--llm-parallel", "5"], in: folder)
    #expect(run.ending == .exited(0))
    let lines = run.text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    #expect(lines.map { $0[0] } == items)
    for line in lines where line[0].hasPrefix("odd") {
      #expect(line[1] == server.section(of: line[0], among: ScratchFolder.sections))
    }
    let asked = server.received.flatMap { $0.items.map(\.item) }
    #expect(asked.count == Set(asked).count, "an item was asked about twice")
    #expect(server.peak <= 5)
  }

  @Test("A proxy of the environment is not asked for what stays on this machine")
  func proxies() throws {
    let server = try ModelServer(.anthropic, answers: ["dragon fruit": "Produce"])
    let proxies = Dictionary(
      uniqueKeysWithValues: ["http_proxy", "https_proxy", "all_proxy", "ALL_PROXY"].map { ($0, "http://127.0.0.1:1") })
    let run = try ModelRun.categorize(
      ["dragon fruit"], server, in: folder, environment: ModelRun.key.merging(proxies) { first, _ in first })
    #expect(run.sections == ["Produce"], "\(run.diagnostics)")
  }

  @Test("Each item is answered before the next is read, where nobody sends more")
  func oneAtATime() throws {
    let server = try ModelServer(.anthropic, answers: ["dragon fruit": "Produce", "kefir": "Dairy & Eggs"])
    let process = try RunningAisle(["categorize"] + ModelRun.options(server), in: folder, environment: ModelRun.key)
    for (item, section) in [("dragon fruit", "Produce"), ("kale", "Produce"), ("kefir", "Dairy & Eggs")] {
      process.send(item + "\n")
      try process.waitForOutput { String(decoding: $0, as: UTF8.self).hasSuffix("\(item)\t\(section)\n") }
    }
    #expect(try process.finish().ending == .exited(0))
  }

  @Test("On a terminal, long work shows its requests and what they cost, and leaves no trace")
  func progress() throws {
    let server = try ModelServer(.anthropic) { _ in .answer.after(seconds: 0.3) }
    let process = try RunningAisle(
      ["categorize"] + ModelRun.options(server) + ["--llm-batch", "1", "--llm-parallel", "1"], in: folder,
      environment: ModelRun.key,
      errors: .terminal)
    process.feed([Data((0..<8).map { "odd thing \($0)\n" }.joined().utf8)])
    let run = try process.finish(endingInput: false)
    #expect(run.diagnostics.contains(/\d items, \d+ per second, \d requests, \$0\.00\d+/), "\(run.diagnostics)")
    #expect(run.diagnostics.hasSuffix("\r\u{1B}[K"))
  }
}
