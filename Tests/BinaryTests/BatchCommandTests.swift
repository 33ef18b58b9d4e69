import Foundation
import ModelServer
import Testing

/// `aisle llm batch`.
@Suite struct BatchCommandTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func batch(
    _ command: String, _ server: ModelServer, _ arguments: [String] = [], environment: [String: String] = ModelRun.key
  ) throws -> Finished {
    let process = try RunningAisle(
      ["llm", "batch", command, "items.txt", "--llm-batch", "2"] + ModelRun.options(server) + arguments, in: folder,
      environment: environment)
    return try process.finish()
  }

  private func write(_ items: [String]) throws { try folder.write(items.map { $0 + "\n" }.joined(), to: "items.txt") }

  @Test("What is left undecided is submitted, waited for and written in order")
  func wholeWay() throws {
    try write(["kale", "dragon fruit", "Dragon  Fruit!", "kefir"])
    let server = try ModelServer(.anthropic, answers: ["dragon fruit": "Produce", "kefir": "Dairy & Eggs"], batchPatience: 1)
    let submitted = try batch("submit", server)
    #expect(submitted.ending == .exited(0), "\(submitted.diagnostics)")
    #expect(submitted.diagnostics.contains("2 items in 1 request submitted, at most $0.0"), "\(submitted.diagnostics)")
    let early = try batch("status", server)
    #expect(
      early.ending == .exited(1) && early.text == "msgbatch_1\tin_progress\t0 answered\t0 failed\t1 pending\n", "\(early.text)")
    let ended = try batch("status", server)
    #expect(ended.ending == .exited(0) && ended.text == "msgbatch_1\tended\t1 answered\t0 failed\t0 pending\n")
    for _ in 0..<2 {
      let collected = try batch("collect", server, ["--summary"])
      #expect(collected.ending == .exited(0), "\(collected.diagnostics)")
      #expect(collected.text == "kale\tProduce\ndragon fruit\tProduce\nDragon  Fruit!\tProduce\nkefir\tDairy & Eggs\n")
      #expect(collected.diagnostics.contains(/claude-haiku-5-5: 1 request, \d+ tokens in and 24 out, \$0\.000\d+/))
    }
    #expect(server.batchCount == 1)
    // Its answers are kept for other runs, and it is on the record once.
    let kept = try ModelRun.categorize(["KEFIR", "dragon fruit"], server, in: folder)
    #expect(kept.sections == ["Dairy & Eggs", "Produce"])
    #expect(server.received.allSatisfy { $0.path.hasPrefix("/v1/messages/batches") })
    let log = try aisle("llm", "log", in: folder).text
    #expect(log.split(separator: "\n").count == 1 && log.contains("\tbatch\tanthropic\tclaude-haiku-5-5\t2\t"), "\(log)")
    #expect(log.contains("\tmsgbatch_1\t"))
  }

  @Test("Requests that failed or have expired leave their items undecided, and are told")
  func failures() throws {
    try write((0..<8).map { "odd thing \($0)" })
    let server = try ModelServer(
      .anthropic, answers: Dictionary(uniqueKeysWithValues: (0..<8).map { ("odd thing \($0)", "Snacks") }))
    #expect(try batch("submit", server).ending == .exited(0))
    let run = try batch("collect", server)
    #expect(run.ending == .exited(2))
    #expect(run.sections == ["Snacks", "Snacks", "Other", "Other", "Other", "Other", "Snacks", "Snacks"])
    #expect(
      run.diagnostics.contains(
        "4 items undecided: 2 of 4 requests failed: 1 errored, 1 expired (api_error: no luck); ask again with "
          + "`aisle llm batch submit items.txt --again`"), "\(run.diagnostics)")
  }

  @Test("--again submits what got no answer, and collecting then writes every item", arguments: [[], ["--db", "off"]])
  func again(options: [String]) throws {
    let items = (0..<6).map { "odd thing \($0)" }
    try write(items)
    let server = try ModelServer(.anthropic, answers: Dictionary(uniqueKeysWithValues: items.map { ($0, "Snacks") }))
    #expect(try batch("submit", server, options).ending == .exited(0))
    // Of three requests the second fails and the third expires; of the two that are left, the second fails once more.
    for left in [4, 2] {
      let again = try batch("submit", server, options + ["--again"])
      #expect(again.ending == .exited(0) && again.diagnostics.hasPrefix("\(left) items in"), "\(again.diagnostics)")
    }
    let collected = try batch("collect", server, options)
    #expect(collected.ending == .exited(0) && collected.sections == items.map { _ in "Snacks" }, "\(collected.diagnostics)")
    let done = try batch("submit", server, options + ["--again"])
    #expect(done.ending == .exited(0) && done.diagnostics.contains("nothing to ask again"), "\(done.diagnostics)")
    #expect(server.batchCount == 3)
  }

  @Test("A batch asks what a live run asks, items below their threshold too, and makes the database that it is given")
  func asLive() throws {
    let items = ["kale", "oat milk", "dragon fruit", "butter", "kale chips"]
    for (number, chain) in [
      "keyword>=0.99", "learned,keyword>=0.95,model>=0.95,llm", "keyword>=1,llm,regex", "learned,keyword,regex,model",
    ].enumerated() {
      try write(items)
      let options = ["--chain", chain, "--db", "new-\(number).db"]
      let live = try ModelServer(.anthropic)
      let run = try ModelRun.categorize(items, live, options, in: folder)
      #expect(run.ending == .exited(0), "\(run.diagnostics)")
      let server = try ModelServer(.anthropic)
      let submitted = try batch("submit", server, options + ["--job", "\(number).batch", "--llm-cache", "refresh"])
      #expect(submitted.ending == .exited(0), "\(chain): \(submitted.diagnostics)")
      let asked = Set(live.received.flatMap { $0.items.map(\.item) })
      let sent = server.received.map(\.text).joined()
      for item in items {
        let isSent = items.indices.contains { number in
          ["\\n", "\""].contains { sent.contains("\(number + 1) \(item)\($0)") }
        }
        #expect(isSent == asked.contains(item), "\(chain): \(item)")
      }
    }
    try write(items)
    let fresh = try batch("submit", try ModelServer(.anthropic), ["--db", "made.db", "--job", "made.batch"])
    #expect(fresh.ending == .exited(0), "\(fresh.diagnostics)")
  }

  @Test("A run that was cut off when it submitted is taken up, and nothing is submitted twice")
  func resumes() throws {
    try write(["dragon fruit", "kefir"])
    let server = try ModelServer(.anthropic, answers: ["dragon fruit": "Produce", "kefir": "Dairy & Eggs"]) { request in
      request.number == 0 ? .raw("") : .answer
    }
    let cut = try batch("submit", server)
    #expect(cut.ending == .exited(2) && cut.diagnostics.contains("run the same command again to continue"), "\(cut.diagnostics)")
    #expect(server.batchCount == 1)
    #expect(try batch("submit", server).ending == .exited(0))
    #expect(server.batchCount == 1)
    let again = try batch("submit", server)
    #expect(again.ending == .exited(0) && again.diagnostics.contains("already submitted"))
    #expect(try batch("collect", server).sections == ["Produce", "Dairy & Eggs"])
  }

  @Test("One that the server did not take is submitted anew, without a search")
  func notTaken() throws {
    try write(["dragon fruit"])
    let server = try ModelServer(.anthropic) { $0.number == 0 ? .fail(400) : .answer }
    let refused = try batch("submit", server)
    #expect(refused.ending == .exited(2) && refused.diagnostics.contains("127.0.0.1 answered 400 (api_error: no luck); run"))
    #expect(try batch("submit", server).ending == .exited(0))
    #expect(server.received.map(\.method) == ["POST", "POST"])
  }

  @Test("Other items, a cap, a missing job, and a provider without batches are errors that say what to do")
  func errors() throws {
    try write(["dragon fruit", "kefir"])
    let server = try ModelServer(.anthropic)
    let missing = try batch("status", server)
    #expect(
      missing.ending == .exited(2)
        && missing.diagnostics.contains("items.txt.batch: no such job; start one with `aisle llm batch submit items.txt`"))
    let dear = try batch("submit", server, ["--max-cost", "0.00001"])
    #expect(dear.ending == .exited(2) && dear.diagnostics.contains("more than --max-cost 0.00001"), "\(dear.diagnostics)")
    #expect(server.count == 0)
    #expect(try batch("submit", server).ending == .exited(0))
    try write(["dragon fruit", "kohlrabi"])
    let other = try batch("submit", server)
    #expect(other.ending == .exited(2) && other.diagnostics.contains("this job has other items or settings"))
    try folder.write("{", to: "items.txt.batch")
    let damaged = try batch("collect", server)
    #expect(damaged.ending == .exited(2) && damaged.diagnostics.contains("items.txt.batch: is not a batch job"))
    let openai = try ModelServer(.openai)
    let elsewhere = try batch("submit", openai)
    #expect(elsewhere.ending == .exited(2) && elsewhere.diagnostics.contains("only Anthropic's batches are supported"))
  }

  @Test("What earlier runs have asked is not sent and paid for again, and comes out all the same, in order")
  func knownAnswers() throws {
    let server = try ModelServer(
      .anthropic, sections: ScratchFolder.sections,
      answers: [
        "dragon fruit": "Produce", "kefir": "Dairy & Eggs", "jute rope": "Other", "nori": "Snacks", "skyr": "Dairy & Eggs",
      ])
    #expect(try ModelRun.categorize(["Dragon Fruit", "jute rope"], server, in: folder).ending == .exited(0))
    try write(["nori", "jute rope", "kale", "dragon fruit!", "kefir", "skyr", "DRAGON  FRUIT", "nori"])
    let before = server.count
    let submitted = try batch("submit", server)
    let said = /^3 items in 2 requests submitted, at most \$0\.\d+; 2 items answered in earlier runs; progress is in/
    #expect(submitted.diagnostics.contains(said), "\(submitted.diagnostics)")
    let sent = server.received[before...].map(\.text).joined()
    #expect(["nori", "kefir", "skyr"].allSatisfy { sent.contains(" \($0)") }, "\(sent)")
    #expect(!sent.lowercased().contains("dragon") && !sent.contains("jute"), "\(sent)")
    // They are in the job: it is whole without the file that they were kept in.
    #expect(try aisle("llm", "cache", "prune", "--all", in: folder).ending == .exited(0))
    #expect(try batch("submit", server).diagnostics.contains("already submitted"))
    let collected = try batch("collect", server)
    #expect(
      collected.text == """
        nori\tSnacks
        jute rope\tOther
        kale\tProduce
        dragon fruit!\tProduce
        kefir\tDairy & Eggs
        skyr\tOther
        DRAGON  FRUIT\tProduce
        nori\tSnacks

        """)
    // The second request of a batch fails here; what the first brought is known now.
    #expect(collected.ending == .exited(2))
    #expect(try batch("submit", server).diagnostics.contains("already submitted"))
    try FileManager.default.removeItem(atPath: folder.path + "/items.txt.batch")
    let again = try batch("submit", server)
    #expect(again.diagnostics.contains("3 items in 2 requests submitted"), "\(again.diagnostics)")
    #expect(again.diagnostics.contains("2 items answered in earlier runs"), "\(again.diagnostics)")
  }

  @Test("--llm-cache refresh and off, another model and another form of the question are asked in full; only asks nothing")
  func otherAnswers() throws {
    let server = try ModelServer(.anthropic, sections: ScratchFolder.sections, answers: ["dragon fruit": "Produce"])
    #expect(try ModelRun.categorize(["dragon fruit"], server, in: folder).ending == .exited(0))
    try write(["dragon fruit"])
    for (number, options) in [
      ["--llm-cache", "refresh"], ["--llm-cache", "off"], ["--llm-model", "test-model-2"], ["--new-sections"], ["--db", "off"],
    ].enumerated() {
      let run = try batch("submit", server, options + ["--job", "\(number).batch"])
      #expect(run.diagnostics.hasPrefix("1 item in 1 request submitted"), "\(options): \(run.diagnostics)")
      #expect(server.batchCount == number + 1)
    }
    let only = try batch("submit", server, ["--llm-cache", "only"])
    #expect(only.ending == .exited(2) && only.diagnostics.contains("--llm-cache only makes no requests"), "\(only.diagnostics)")
    #expect(server.batchCount == 5)
  }

  @Test("Where nothing is left to ask, no request is made, and collecting writes every item")
  func nothingToAsk() throws {
    let server = try ModelServer(.anthropic, sections: ScratchFolder.sections, answers: ["dragon fruit": "Produce"])
    #expect(try ModelRun.categorize(["dragon fruit"], server, in: folder).ending == .exited(0))
    let before = server.count
    for (items, words, output) in [
      (["kale"], "nothing to ask: the local chain decides every item", "kale\tProduce\n"),
      (
        ["kale", "Dragon Fruit"], "nothing to ask: the local chain and kept answers decide every item",
        "kale\tProduce\nDragon Fruit\tProduce\n"
      ),
    ] {
      try write(items)
      for _ in 0..<2 {
        let run = try batch("submit", server)
        #expect(run.ending == .exited(0) && run.diagnostics.hasPrefix(words), "\(run.diagnostics)")
      }
      #expect(try batch("status", server).ending == .exited(0))
      let collected = try batch("collect", server, ["--summary"])
      #expect(collected.ending == .exited(0) && collected.text == output, "\(collected.text)\(collected.diagnostics)")
    }
    #expect(server.count == before)
    // Of which nothing was sent is in nobody's way.
    try write(["nori"])
    #expect(try batch("submit", server).diagnostics.hasPrefix("1 item in 1 request submitted"))
  }

  @Test("What becomes known between a crash and the next run makes no other job of it")
  func knownSince() throws {
    try write(["dragon fruit", "kefir", "nori"])
    let server = try ModelServer(.anthropic, sections: ScratchFolder.sections, answers: ["kefir": "Snacks"]) { request in
      request.number == 0 ? .raw("") : .answer
    }
    #expect(try batch("submit", server).ending == .exited(2))
    #expect(try ModelRun.categorize(["kefir"], server, in: folder).ending == .exited(0))
    #expect(try batch("submit", server).ending == .exited(0))
    #expect(server.batchCount == 1)
    try write(["dragon fruit", "kefir"])
    let other = try batch("submit", server)
    #expect(other.ending == .exited(2) && other.diagnostics.contains("this job has other items or settings"))
  }

  @Test("Prices are printed in the form in which they are read")
  func prices() throws {
    let run = try aisle("llm", "prices", input: "", in: folder)
    #expect(run.text.contains("claude-haiku-4-5"))
    try folder.write(run.text, to: "prices.txt")
    let server = try ModelServer(.anthropic)
    let asked = try ModelRun.categorize(["dragon fruit"], server, ["--llm-prices", "prices.txt", "--max-cost", "1"], in: folder)
    #expect(asked.ending == .exited(0), "\(asked.diagnostics)")
  }
}
