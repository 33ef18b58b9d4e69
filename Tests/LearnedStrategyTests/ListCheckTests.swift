import LearnedStrategy
import Testing

struct `A check of a list` {
  private let folder: ScratchFolder
  private let store: CorrectionStore

  init() throws {
    folder = try ScratchFolder()
    store = try CorrectionStore(folder.file("aisle.db"))
  }

  private func check(_ list: String, store: String = "kroger", at time: Int) -> ListCheck {
    ListCheck(store: store, list: list, fingerprint: "f\(time)", agreed: "a\(time)", time: time)
  }

  private func pending() throws -> [String] { try store.suggestions().map(\.suggestion.item) }

  @Test func `is remembered by list and store`() throws {
    #expect(try store.lastCheck(of: "list", store: "kroger") == nil)
    for time in [5, 7] { _ = try store.record(check("list", at: time), proposing: []) }
    _ = try store.record(check("list", store: "corner", at: 6), proposing: [])
    #expect(try store.lastCheck(of: "list", store: "kroger") == check("list", at: 7))
    #expect(try store.lastCheck(of: "list", store: "corner") == check("list", store: "corner", at: 6))
    #expect(try store.lastCheck(of: "other", store: "kroger") == nil)
  }

  @Test func `supersedes what the one before suggested, unless another list has it`() throws {
    let (kale, leek) = (Suggestion("kale", "Snacks", "Produce"), Suggestion("leek", "Snacks", "Produce"))
    _ = try store.record(check("list", at: 1), proposing: [kale, leek])
    _ = try store.record(check("other", at: 2), proposing: [kale])
    #expect(try store.record(check("list", at: 3), proposing: []) == [])
    #expect(try pending() == ["kale"])
    #expect(try store.suggestions(ofList: "list", store: "kroger").isEmpty)
    #expect(try store.suggestions(ofList: "other", store: "kroger").map(\.id) == [1])
    _ = try store.record(check("other", at: 4), proposing: [])
    #expect(try pending() == [])
    #expect(try store.record(check("other", at: 5), proposing: [kale]) == [.added(1)])
    #expect(try store.suggestions().map(\.suggestion.list) == ["other"])
  }

  @Test func `that is not whole adds suggestions, supersedes none and is not remembered`() throws {
    _ = try store.record(check("list", at: 1), proposing: [Suggestion("kale", "Snacks", "Produce")])
    _ = try store.record(check("list", at: 2), proposing: [Suggestion("leek", "Snacks", "Produce")], isWhole: false)
    #expect(try pending() == ["kale", "leek"])
    #expect(try store.lastCheck(of: "list", store: "kroger")?.time == 1)
    #expect(try store.suggestions(ofList: "list", store: "kroger").count == 2)
  }

  @Test func `that began before the last one changes nothing`() throws {
    _ = try store.record(check("list", at: 9), proposing: [Suggestion("kale", "Snacks", "Produce")])
    #expect(try store.record(check("list", at: 8), proposing: [Suggestion("leek", "Snacks", "Produce")]) == nil)
    #expect(try pending() == ["kale"])
    #expect(try store.lastCheck(of: "list", store: "kroger")?.time == 9)
  }

  @Test func `leaves what a person has decided`() throws {
    let kale = Suggestion("kale", "Snacks", "Produce", time: 5)
    _ = try store.record(check("list", at: 1), proposing: [kale])
    try store.decide([1], .dismiss, time: 2)
    #expect(try store.record(check("list", at: 3), proposing: [kale]) == [.dismissed(1)])
    try store.correct(Correction("leek", "Bakery", time: 6))
    #expect(try store.record(check("list", at: 4), proposing: [Suggestion("leek", "Snacks", "Produce", time: 5)]) == [.corrected])
    #expect(try pending() == [])
  }

  @Test func `with one suggestion that cannot be kept is not recorded at all`() throws {
    #expect(throws: CorrectionStoreError.self) {
      try store.record(
        check("list", at: 1), proposing: [Suggestion("kale", "Snacks", "Produce"), Suggestion("!!!", "Snacks", "Produce")])
    }
    #expect(try pending() == [])
    #expect(try store.lastCheck(of: "list", store: "kroger") == nil)
  }
}
