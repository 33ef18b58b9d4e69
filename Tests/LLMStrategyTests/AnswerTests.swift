import AisleCore
import LLMStrategy
import ModelServer
import Testing

struct `What comes back` {
  private let shop = SmallShop.taxonomy()
  private let items = ["dragon fruit", "kefir", "rope"]
  private let answers = ["dragon fruit": "Produce", "kefir": "Dairy & Eggs", "rope": "Other"]

  private func sections(
    _ api: ModelServer.API = .anthropic, _ behaviour: Behaviour, then: Behaviour? = nil,
    change: (inout ModelSettings) -> Void = { _ in }
  ) async throws -> (sections: [String?], report: ModelReport, remarks: [String]) {
    let server = try ModelServer(api, sections: SmallShop.names, answers: answers) {
      $0.number == 0 ? behaviour : then ?? behaviour
    }
    let remarks = Remarks()
    let strategy = try Asking.strategy(server, shop, remarks: remarks, change: change)
    return (try await Asking.sections(items, strategy, shop), strategy.report, remarks.all)
  }

  /// What a server changes in its answer about three items, what becomes of the second, and whether that is asked again.
  private static let changes:
    [(String, @Sendable (inout [AnswerItem]) -> Void, String?, ModelAnswer.Abstention?, isAgain: Bool)] = [
      ("nothing", { _ in }, "Dairy & Eggs", nil, false),
      ("an off-list section", { $0[1].section = "Pharmacy" }, nil, .offList, false),
      ("an empty section", { $0[1].section = "" }, nil, .offList, false),
      ("another spelling", { $0[1].section = "dairy and eggs" }, "Dairy & Eggs", nil, false),
      ("a guess", { $0[1].section = "Produce?" }, "Produce", nil, false),
      ("a guess in another spelling", { $0[1].section = "dairy and eggs ?" }, "Dairy & Eggs", nil, false),
      ("a guess of nothing", { $0[1].section = "?" }, nil, .offList, false),
      ("a section with an escape", { $0[1].section = "Produce\u{1B}[2J" }, nil, .offList, false),
      ("a section with a newline", { $0[1].section = "Produce\n" }, nil, .offList, false),
      ("a long section", { $0[1].section = String(repeating: "Produce ", count: 1_000) }, nil, .offList, false),
      ("a missing item", { $0.remove(at: 1) }, nil, .missing, true),
      ("another id", { $0[1].id = "77" }, nil, .missing, true),
      ("a padded id", { $0[1].id = " 2" }, nil, .missing, true),
      ("a repeated item", { $0.append($0[1]) }, nil, .repeated, true),
      ("a repeated item that differs", { $0.append(AnswerItem(id: "2", section: "Produce")) }, nil, .repeated, true),
      ("an unknown item more", { $0.append(AnswerItem(id: "9", section: "Produce")) }, "Dairy & Eggs", nil, false),
      ("another order", { $0.reverse() }, "Dairy & Eggs", nil, false),
    ]

  @Test(arguments: changes.indices, ModelServer.API.allCases)
  func `is believed item by item, and never more than is sound`(row: Int, api: ModelServer.API) async throws {
    let (what, change, section, reason, isAgain) = Self.changes[row]
    let edit = Behaviour.edit(change)
    // What is lost is lost again when it is asked about alone.
    let again = Behaviour.edit { reason == .repeated ? $0.append($0[0]) : $0.removeAll() }
    let outcome = try await sections(api, edit, then: again)
    #expect(outcome.sections == ["Produce", section, "Other"], "\(what)")
    #expect(outcome.report.abstained == (reason.map { [$0: 1] } ?? [:]), "\(what)")
    #expect(outcome.report.requests == (isAgain ? 2 : 1), "\(what)")
    #expect(outcome.remarks.count == (isAgain ? 1 : 0), "\(what)")
    let mended = try await sections(api, edit, then: .answer)
    #expect(mended.sections == ["Produce", isAgain ? "Dairy & Eggs" : section, "Other"], "\(what)")
  }

  @Test(arguments: Behaviour.Style.allCases, [ModelServer.API.anthropic, .openai])
  func `is read however it is written`(style: Behaviour.Style, api: ModelServer.API) async throws {
    let outcome = try await sections(api, .answer.written(style))
    #expect(outcome.sections == ["Produce", "Dairy & Eggs", "Other"])
  }

  @Test func `says what the model guesses by its confidence and rule`() async throws {
    let server = try ModelServer(.anthropic, answers: ["kefir": "Produce?", "rope": "Other"])
    var batch = Batch(["kefir", "rope"], taxonomy: shop)
    try await Asking.strategy(server, shop).decide(&batch)
    #expect(batch.decisions.map { $0?.confidence } == [0.5, 0.9])
    #expect(batch.decisions.map { $0?.evidence.rule } == [2, 0])
  }

  @Test(arguments: [ModelServer.API.anthropic, .openai])
  func `is nothing where the model refuses or is cut off to the last item`(api: ModelServer.API) async throws {
    let refused = try await sections(api, .refuse)
    #expect(refused.sections == [nil, nil, nil] && refused.report.abstained == [.refused: 3])
    let cut = try await sections(api, .truncate)
    #expect(cut.sections == [nil, nil, nil] && cut.report.abstained == [.truncated: 3])
    #expect(cut.report.tokens.output == 3 * cut.report.requests && cut.report.requests == 5, "they were paid for")
  }

  private static let garbage = [
    " ", "null", "[]", "{}", "<html>busy</html>", "{\"content\":[],\"stop_reason\":\"tool_use\"}",
    "{\"content\":7,\"stop_reason\":[]}",
    "{\"content\":[{\"type\":\"text\",\"text\":\"Sure!\"}],\"stop_reason\":\"end_turn\"}",
    "{\"content\":[{\"type\":\"text\",\"text\":\"``` {] ```\"}],\"stop_reason\":\"end_turn\"}",
    String(repeating: "[", count: 100_000),
    "{\"content\":[{\"type\":\"tool_use\",\"name\":\"rm\",\"input\":{\"items\":[]}}],\"stop_reason\":\"tool_use\"}",
    "{\"choices\":[]}", "{\"choices\":[{\"message\":{\"content\":\"{\"},\"finish_reason\":\"stop\"}]}", "{\"items\":{}}",
    "{\"items\":",
  ]

  @Test(arguments: garbage, ModelServer.API.allCases)
  func `may be any garbage`(body: String, api: ModelServer.API) async throws {
    let outcome = try await sections(api, .body(body))
    #expect(outcome.sections == [nil, nil, nil])
    #expect(outcome.report.abstained == [.failed: 3] && outcome.report.requests == 1)
    #expect(outcome.remarks.count == 1)
  }

  @Test func `may be elements that are no items`() async throws {
    let body = #"""
      {"content":[{"type":"tool_use","name":"categorized_items","input":{"items":[null,7,"x",[],{},{"id":[]},{"id":1,"section":"Produce"},
      {"id":"2","section":7},{"id":"3"}]}}],"stop_reason":"tool_use","usage":{"input_tokens":-5,"output_tokens":1e300}}
      """#
    let outcome = try await sections(.anthropic, .body(body), then: .edit { $0.removeAll() })
    #expect(outcome.sections == ["Produce", nil, nil])
    #expect(outcome.report.abstained == [.missing: 2])
    // What cannot be is estimated; what is more than all is a trillion.
    #expect(outcome.report.estimated == 1 && outcome.report.tokens.plainInput > 1_000)
    #expect(outcome.report.tokens.output == 1_000_000_000_000)
  }

  @Test func `is not read beyond 1 MiB`() async throws {
    let outcome = try await sections(.anthropic, .body([UInt8](repeating: UInt8(ascii: "x"), count: 10 << 20)))
    #expect(outcome.sections == [nil, nil, nil])
    #expect(outcome.report.requests == 1)
    #expect(outcome.remarks == ["strategy `llm`: 127.0.0.1: answered with more than 1048576 bytes"])
  }

  @Test(arguments: [
    ("Pet Supplies", true), ("Wine & Spirits", true), ("Bulk", true), ("Food for Pets", true), ("pet supplies", false),
    ("ADMIN", true), ("A", false), ("One Two Three Four Five", false), ("Pets\u{7}", false), ("Pets!", false),
    ("Pets  More", false),
    ("../../etc", false), ("<b>Pets</b>", false), ("", false), ("Über Frisch", true), ("And Then", true), ("& Co", false),
  ])
  func `may be a new section where that is allowed, with a proper name`(name: String, isTaken: Bool) async throws {
    let outcome = try await sections(.anthropic, .edit { $0[2].section = name }) { $0.allowsNewSections = true }
    #expect(outcome.sections == ["Produce", "Dairy & Eggs", isTaken ? name : nil])
  }

  @Test func `names the account's limit where a proxy says that it is reached`() async throws {
    let outcome = try await sections(.proxy, .fail(403, type: "scan_limit_reached"))
    #expect(
      outcome.remarks == [
        "strategy `llm`: 127.0.0.1 answered 403 (scan_limit_reached: 5 of 5 scans have been used, 0 left; subscribe in the app, or wait for the next month); it is not asked again"
      ])
    let expired = try await sections(.proxy, .fail(401, type: "token_expired", message: ""))
    #expect(expired.remarks == ["strategy `llm`: 127.0.0.1 answered 401 (token_expired); check the key; it is not asked again"])
  }

  @Test func `may name errors by numbers, as llama.cpp does`() async throws {
    let server = try ModelServer(.openai) { _ in
      .raw(
        "HTTP/1.1 400 Bad\r\ncontent-length: 70\r\n\r\n"
          + #"{"error":{"code":400,"message":"no such model","type":"invalid_request"}}"#.prefix(70))
    }
    let remarks = Remarks()
    let strategy = try Asking.strategy(server, shop, remarks: remarks)
    _ = try await Asking.sections(items, strategy, shop)
    #expect(remarks.all.count == 1)
  }
}
