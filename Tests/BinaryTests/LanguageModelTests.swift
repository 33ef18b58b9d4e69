import Foundation
import ModelServer
import Testing

/// `aisle categorize --llm` and `aisle eval --llm`, against a server of the tests' own.
@Suite struct LanguageModelTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test(
    "Only what nothing else has decided is asked, once, and the answers come out in order", arguments: ModelServer.API.allCases)
  func asksWhatIsLeft(api: ModelServer.API) throws {
    let server = try ModelServer(
      api, sections: ScratchFolder.sections, answers: ["dragon fruit": "Produce", "Kefir": "Dairy & Eggs"])
    let run = try ModelRun.categorize(["kale", "dragon fruit", "oat milk", "Kefir", "kefir!"], server, in: folder)
    #expect(run.ending == .exited(0), "\(run.diagnostics)")
    #expect(
      run.text == "kale\tProduce\ndragon fruit\tProduce\noat milk\tDairy & Eggs\nKefir\tDairy & Eggs\nkefir!\tDairy & Eggs\n")
    #expect(run.diagnostics == "")
    #expect(server.faults.isEmpty, "\(server.faults)")
    #expect(server.received.map { $0.items.map(\.item) } == [["dragon fruit", "Kefir"]])
  }

  @Test("Nothing is sent unless it is asked for, even where keys are at hand")
  func offByDefault() throws {
    let server = try ModelServer(.anthropic)
    let environment = [
      "ANTHROPIC_API_KEY": ModelServer.key, "OPENAI_API_KEY": ModelServer.key, "AISLE_LLM_KEY": ModelServer.key,
      "AISLE_LLM_URL": server.url,
    ]
    let run = try aisle("categorize", input: "dragon fruit\n", in: folder, environment: environment)
    #expect(run.text == "dragon fruit\tOther\n")
    #expect(server.count == 0)
  }

  @Test("Nor is a key needed where nothing is left to ask, nor libcurl")
  func nothingLeft() throws {
    let server = try ModelServer(.anthropic)
    let run = try ModelRun.categorize(["kale", "", "  ", "milk"], server, in: folder)
    #expect(run.ending == .exited(0))
    #expect(server.count == 0)
  }

  @Test("The explanation names the strategy and the model; the summary what was spent and what it bought")
  func explains() throws {
    let server = try ModelServer(.anthropic, answers: ["dragon fruit": "Produce"])
    let run = try ModelRun.categorize(
      ["dragon fruit"], server, ["--explain", "--summary", "--llm-model", "claude-haiku-4-5"], in: folder)
    #expect(run.text == "dragon fruit\tProduce\t0.90\tllm\tclaude-haiku-4-5\t\tmodel\t\t\t\n")
    #expect(run.diagnostics.contains("decided by: llm 1\n"))
    #expect(
      run.diagnostics.contains(
        /claude-haiku-4-5: 1 request, \d+ tokens in and 12 out, \$0\.\d+\n  1 item decided, \$0\.\d+ each\n/))
  }

  @Test("Items with a decision below its threshold are asked too, and the answer wins")
  func belowThreshold() throws {
    let server = try ModelServer(.anthropic, answers: ["milk": "Snacks"])
    let run = try ModelRun.categorize(["milk", "kale"], server, ["--chain", "keyword>=1"], in: folder)
    #expect(server.received.map { $0.items.count } == [2])
    #expect(run.sections.first == "Snacks")
  }

  @Test("The model may propose sections only where it is allowed to")
  func newSections() throws {
    let server = try ModelServer(
      .anthropic, sections: ScratchFolder.sections,
      answers: ["cat litter": "Pet Supplies", "rope": "HARDWARE!!!", "nails": "x", "glue": "dairy & eggs"])
    let items = ["cat litter", "rope", "nails", "glue"]
    let allowed = try ModelRun.categorize(items, server, ["--new-sections"], in: folder)
    #expect(allowed.sections == ["Pet Supplies", "Other", "Other", "Dairy & Eggs"])
    let forbidden = try ModelRun.categorize(items, server, ["--summary"], in: folder)
    #expect(forbidden.sections == ["Other", "Other", "Other", "Dairy & Eggs"])
    #expect(forbidden.diagnostics.contains("3 undecided: off-list 3"))
  }

  @Test("--max-requests is kept exactly; the rest stays undecided and the summary says so")
  func maxRequests() throws {
    let server = try ModelServer(.anthropic, sections: ["Snacks"])
    let items = (0..<10_000).map { "odd thing \($0)" }
    let run = try ModelRun.categorize(items, server, ["--max-requests", "10", "--summary"], in: folder)
    #expect(server.count == 10)
    #expect(run.ending == .exited(2))
    #expect(run.text.split(separator: "\n").count == 10_000)
    #expect(run.diagnostics.contains("--max-requests 10 is reached"))
    #expect(run.diagnostics.contains("400 items decided"))
    #expect(run.diagnostics.contains("9600 undecided: capped 9600"))
    #expect(
      run.diagnostics.contains(
        ": 9600 items undecided: capped 9600; run it again with a higher cap; kept answers cost nothing\n"), "\(run.diagnostics)")
  }

  @Test(
    "--max-tokens and --max-cost are never passed",
    arguments: [["--max-tokens", "20000"], ["--max-cost", "0.05"], ["--max-cost", "0"]])
  func otherCaps(cap: [String]) throws {
    let server = try ModelServer(.anthropic)
    let items = (0..<2_000).map { "odd thing \($0)" }
    let run = try ModelRun.categorize(items, server, cap + ["--llm-model", "claude-haiku-4-5", "--summary"], in: folder)
    let spent = try #require(run.diagnostics.firstMatch(of: /(\d+) tokens in and (\d+) out, \$([0-9.]+)/))
    let tokens = try #require(Int(spent.1)) + (try #require(Int(spent.2)))
    let dollars = try #require(Double(spent.3))
    let limit = try #require(Double(cap[1]))
    #expect(cap[0] == "--max-tokens" ? tokens <= 20_000 && tokens > 5_000 : dollars <= limit)
    #expect(run.diagnostics.contains("\(cap[0]) \(cap[0] == "--max-cost" ? "\(limit)" : cap[1]) is reached"))
    #expect(run.text.split(separator: "\n").count == 2_000)
  }

  @Test("A cost cap needs a price, which a file can give")
  func prices() throws {
    let server = try ModelServer(.anthropic)
    let environment = ModelRun.key
    let arguments = ["--max-cost", "1", "--llm-model", "unheard-of", "--llm-prices", "prices.txt", "--summary"]
    try folder.write("unheard-of 10000 10000 # dear\n", to: "prices.txt")
    let run = try ModelRun.categorize(["dragon fruit"], server, arguments, in: folder, environment: environment)
    #expect(run.diagnostics.contains("--max-cost 1.0 is reached"))
    try folder.write("unheard-of one\n", to: "prices.txt")
    let broken = try ModelRun.categorize(["dragon fruit"], server, arguments, in: folder)
    #expect(broken.ending == .exited(2))
    #expect(broken.diagnostics.contains("prices.txt:1:1: write MODEL"))
    #expect(server.count == 0)
  }

  @Test("On loopback, a model without a price is free only where the server shows that it runs models itself")
  func ownServer() throws {
    let arguments = ["--max-cost", "1", "--llm-model", "test-model", "--summary"]
    for owner in ["llamacpp", "library", "vllm", "organization_owner"] {
      let own = try ModelServer(.openai, sections: ["Snacks"], owner: owner)
      let run = try ModelRun.categorize(["odd thing of \(owner)"], own, arguments, in: folder)
      #expect(run.ending == .exited(0) && run.diagnostics.contains(", $0.00\n"), "\(owner): \(run.diagnostics)")
      #expect(own.received.map(\.method) == ["GET", "POST"])
    }
    let passing = try ModelServer(.openai, sections: ["Snacks"], owner: "openai")
    let run = try ModelRun.categorize(["other thing"], passing, arguments, in: folder)
    #expect(run.ending == .exited(2) && passing.received.map(\.method) == ["GET"], "\(run.diagnostics)")
    #expect(
      run.diagnostics.contains("--max-cost needs the price of `test-model`; write `test-model: INPUT OUTPUT` under `models:`"))
    let nobody = arguments + ["--llm-url", "http://127.0.0.1:1"]
    #expect(try ModelRun.categorize(["third thing"], passing, nobody, in: folder).diagnostics.contains("no answer"))
    // Said to cost nothing, it is asked without a look at what it is.
    try folder.write("llm:\n  models:\n    test-model: 0 0\n", to: "aisle.yaml")
    let free = try ModelRun.categorize(["other thing"], passing, arguments, in: folder)
    #expect(free.ending == .exited(0) && passing.received.map(\.method) == ["GET", "POST"], "\(free.diagnostics)")
  }

  @Test("Effort goes out in the field of the API, with room for it, and what an API does not know is an error")
  func effort() throws {
    for (api, field) in [
      (ModelServer.API.anthropic, #""output_config":{"effort":"low","format""#), (.openai, #""reasoning_effort":"low""#),
    ] {
      let server = try ModelServer(api, sections: ["Snacks"])
      let options = ["--llm-model", "test-model", "--llm-cache", "off"]
      let run = try ModelRun.categorize(["odd thing"], server, options + ["--llm-effort", "low"], in: folder)
      #expect(run.ending == .exited(0) && server.faults.isEmpty, "\(run.diagnostics) \(server.faults)")
      #expect(server.received[0].text.contains(field), "\(server.received[0].text)")
      _ = try ModelRun.categorize(["odd thing"], server, options, in: folder)
      #expect(!server.received[1].text.contains("effort"))
      #expect(server.received[0].answerLimit == server.received[1].answerLimit + 2_048)
    }
    let server = try ModelServer(.anthropic)
    let run = try ModelRun.categorize(["odd thing"], server, ["--llm-effort", "minimal"], in: folder)
    #expect(run.ending == .exited(2) && server.count == 0)
    #expect(run.diagnostics.contains("anthropic does not know the effort `minimal`; use one of low, medium, high, xhigh, max"))
  }

  @Test("aisle.yaml turns it on and sets it up; an option turns it off")
  func configuration() throws {
    let server = try ModelServer(.anthropic, answers: ["dragon fruit": "Produce"])
    try folder.write(
      "llm:\n  provider: anthropic\n  model: claude-x\n  url: \(server.url)\n  max-requests: 1\n", to: "aisle.yaml")
    try trustConfiguration(in: folder)
    let run = try aisle("categorize", "--explain", input: "dragon fruit\n", in: folder, environment: ModelRun.key)
    #expect(run.text.contains("\tllm\tclaude-x\t"), "\(run.diagnostics)")
    let shown = try aisle("chain", "show", input: "", in: folder, environment: ModelRun.key)
    #expect(shown.text.contains(",llm(provider=anthropic,model=claude-x)"))
    let off = try aisle("categorize", "--llm", "off", input: "dragon fruit\n", in: folder, environment: ModelRun.key)
    #expect(off.text == "dragon fruit\tOther\n")
    let named = try aisle("categorize", "--chain", "keyword", input: "dragon fruit\n", in: folder, environment: ModelRun.key)
    #expect(named.text == "dragon fruit\tOther\n")
    #expect(server.count == 1)
  }

  @Test("aisle eval asks it too, and counts what it costs")
  func eval() throws {
    try folder.write("kale\tgreens\t\ndragon fruit\tProduce\t\nkohlrabi\tProduce\t\n", to: "corpus/list.tsv")
    let server = try ModelServer(.anthropic, answers: ["dragon fruit": "Produce", "kohlrabi": "Produce"])
    let process = try RunningAisle(
      ["eval", "--reporter", "json"] + ModelRun.options(server), in: folder, environment: ModelRun.key)
    let run = try process.finish()
    #expect(run.ending == .exited(0), "\(run.diagnostics)")
    #expect(run.text.contains("\"requests\":1") || run.text.contains("\"requests\": 1"), "\(run.text.prefix(3_000))")
    #expect(server.count == 1)
    let text = try RunningAisle(["eval"] + ModelRun.options(server), in: folder, environment: ModelRun.key).finish()
    #expect(server.count == 1)
    let anew = try RunningAisle(
      ["eval", "--llm-cache", "refresh", "--llm-model", "claude-haiku-4-5"] + ModelRun.options(server), in: folder,
      environment: ModelRun.key
    ).finish()
    #expect(anew.text.contains(/: \d+\.\d tokens and \$0\.\d{6} an item that it decided\n/), "\(anew.text)")
    #expect(!text.text.contains("an item that it decided"), "kept answers cost nothing")
  }

  @Test("An evaluation says what the model left undecided")
  func evaluationOfGaps() throws {
    try folder.write("kale\tgreens\t\ndragon fruit\tProduce\t\n", to: "corpus/list.tsv")
    let server = try ModelServer(.anthropic, answers: ["dragon fruit": "Nowhere"])
    let run = try RunningAisle(["eval"] + ModelRun.options(server), in: folder, environment: ModelRun.key).finish()
    #expect(run.ending == .exited(2), "\(run.diagnostics)")
    #expect(run.diagnostics.contains(": 1 item undecided: off-list 1; teach"), "\(run.diagnostics)")
  }

  @Test(
    "A guess of the model does not replace a surer local decision, but stands where there is none, unless the chain says otherwise"
  )
  func guesses() throws {
    let server = try ModelServer(.anthropic, answers: ["milk": "Snacks?", "dragon fruit": "Produce?"])
    let items = ["milk", "dragon fruit"]
    let run = try ModelRun.categorize(items, server, ["--chain", "keyword>=1"], in: folder)
    #expect(run.sections == ["Dairy & Eggs", "Produce"] && run.ending == .exited(0), "\(run.text)\(run.diagnostics)")
    #expect(server.received.map { $0.items.count } == [2])
    let trusting = try ModelRun.categorize(
      items, server, ["--chain", "keyword>=1,llm(provider=anthropic)>=0.4", "--explain"], in: folder)
    #expect(trusting.text.hasPrefix("milk\tSnacks\t0.50\tllm\t"), "\(trusting.text)")
    #expect(server.count == 1, "a guess is kept as one")
  }

  @Test("The prompt says where the store's files place goods, and names none that they do not")
  func prompt() throws {
    let server = try ModelServer(.anthropic, answers: ["dragon fruit": "Produce"])
    _ = try ModelRun.categorize(["dragon fruit"], server, in: folder)
    let text = try #require(server.received.first?.text)
    #expect(text.contains(#"- Produce: greens\n- Dairy & Eggs: milk, butter\n- Other\n- Snacks: candy"#), "\(text)")
    for word in ["batteries", "Pantry", "International", "pet", "grocery"] { #expect(!text.contains(word), "\(word)") }
  }

  @Test("An evaluation ends where the model fails, rather than score a chain without it")
  func evaluationNeedsAnswers() throws {
    try folder.write("kale\tgreens\t\ndragon fruit\tProduce\t\n", to: "corpus/list.tsv")
    let server = try ModelServer(.anthropic) { _ in .fail(400) }
    let run = try RunningAisle(["eval"] + ModelRun.options(server), in: folder, environment: ModelRun.key).finish()
    #expect(run.ending == .exited(2))
    #expect(
      run.text.isEmpty && run.diagnostics.contains("1 items were not answered (127.0.0.1 answered 400"), "\(run.diagnostics)")
  }

  @Test("The strategy is shown without a key and without being asked for")
  func shown() throws {
    let run = try aisle("strategies", "show", "llm", input: "", in: folder)
    #expect(run.ending == .exited(0), "\(run.diagnostics)")
    #expect(run.text.hasPrefix("llm  asks a language model") && run.text.contains("provider=anthropic|openai|proxy"))
  }
}
