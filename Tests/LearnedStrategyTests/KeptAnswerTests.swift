import LearnedStrategy
import Testing

struct `Kept answers` {
  private let folder: ScratchFolder
  private let store: CorrectionStore
  private let source = KeptAnswer.Source(
    task: "check", provider: "openai", model: "m", prompt: 1, sections: "0123456789abcdef", allowsNewSections: false)

  init() throws {
    folder = try ScratchFolder()
    store = try CorrectionStore(folder.file("aisle.db"))
  }

  private func answer(_ item: String, _ section: String?, present: String = "", time: Int = 1) -> KeptAnswer {
    KeptAnswer(source: source, question: .init(item, present: present), section: section, time: time)
  }

  private func all() throws -> [KeptAnswer] {
    var all: [KeptAnswer] = []
    try store.forEachAnswerGroup(of: 2) { all += $0 }
    return all
  }

  @Test func `are found by all that they depend on, and by nothing else`() throws {
    let kept = [answer("kale", "Produce"), answer("kale", "Produce", present: "Snacks"), answer("rope", nil)]
    try store.keep(kept)
    #expect(try store.answers(to: kept.map(\.question), from: source).count == 3)
    #expect(try store.answers(to: [.init("kale", present: "Bakery"), .init("leek")], from: source).isEmpty)
    let changes: [(inout KeptAnswer.Source) -> Void] = [
      { $0.task = "categorize" }, { $0.provider = "proxy" }, { $0.model = "n" }, { $0.prompt = 2 }, { $0.sections += "0" },
      { $0.allowsNewSections = true },
    ]
    for change in changes {
      var other = source
      change(&other)
      #expect(try store.answers(to: kept.map(\.question), from: other).isEmpty, "\(other)")
    }
  }

  @Test func `come in groups, each once, in order`() throws {
    let kept = (0..<7).map { answer("thing \($0 / 2)", "Produce", present: $0 % 2 == 0 ? "" : "Snacks") }
    try store.keep(kept.reversed())
    #expect(try all() == kept)
    #expect(try store.answerSummaries().map(\.count) == [7])
  }

  @Test func `that are taken in replace older ones only`() throws {
    try store.keep([answer("kale", "Produce", time: 5), answer("leek", "Produce", time: 5)])
    let outcome = try store.take([answer("kale", "Snacks", time: 4), answer("leek", "Snacks", time: 6), answer("rope", nil)])
    #expect(outcome.added == 1 && outcome.replaced == 1 && outcome.unchanged == 1)
    #expect(try all().map(\.section) == ["Produce", "Snacks", nil])
  }

  @Test func `are forgotten by model, age and prompt`() throws {
    try store.keep([answer("kale", "Produce", time: 5), answer("leek", "Produce", time: 9)])
    #expect(try store.forgetAnswers(.init(model: "n")) == 0)
    #expect(try store.forgetAnswers(.init(exceptPrompt: 1)) == 0)
    #expect(try store.forgetAnswers(.init(before: 9)) == 1)
    #expect(try store.forgetAnswers(.init(exceptPrompt: 2)) == 1)
    #expect(try store.answerSummaries().isEmpty)
  }

  @Test(arguments: ["", "a\0b", String(repeating: "x", count: 2_000)])
  func `that cannot be kept let none of the others in`(item: String) throws {
    #expect(throws: CorrectionStoreError.self) { try store.keep([answer("kale", "Produce"), answer(item, "Produce")]) }
    #expect(throws: CorrectionStoreError.self) { try store.take([answer("kale", "Produce"), answer("leek", "a\u{1B}[2J")]) }
    #expect(try all().isEmpty)
  }

  @Test func `and requests are no part of what can be undone`() throws {
    try store.correct(Correction("kale", "Snacks"))
    try store.keep(
      [answer("kale", "Produce")],
      requests: [
        KeptRequest(
          time: 1, task: "check", provider: "openai", model: "m", items: 1, attempt: 0, inputTokens: 2, cachedTokens: 0,
          outputTokens: 3, dollars: nil, duration: 4, requestID: "r", status: 200, failure: nil)
      ])
    #expect(try store.undo(time: 2) == "correct kale -> Snacks")
    #expect(try store.undo(time: 3) == nil)
    #expect(try all().count == 1)
    #expect(try store.requests().map(\.requestID) == ["r"] && store.remembersRequest("r") && !store.remembersRequest("s"))
    #expect(try store.requests(since: 2).isEmpty)
  }
}
