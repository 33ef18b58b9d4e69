import AisleCore
import LearnedStrategy
import Testing

struct `A suggestion` {
  private let folder: ScratchFolder
  private let store: CorrectionStore

  init() throws {
    folder = try ScratchFolder()
    store = try CorrectionStore(folder.file("aisle.db"))
  }

  private func pending() throws -> [String] { try store.suggestions().map(\.suggestion.item) }

  @Test func `teaches nothing before a person accepts it`() throws {
    #expect(try store.propose([Suggestion("kale", "Snacks", "Produce")]) == [.added(1)])
    #expect(try store.correctionCount() == 0)
    let outcome = try store.decide([1], .accept, time: 77)
    #expect(outcome.corrections == [Correction("kale", "Produce", by: "model", time: 77)])
    #expect(try store.corrections() == outcome.corrections)
    #expect(try store.suggestions(.accepted).map(\.id) == [1])
  }

  @Test func `may be accepted with another section, which then has no shelf`() throws {
    var suggestion = Suggestion("kale", "Snacks", "Produce")
    suggestion.shelf = "leafy-greens"
    try store.propose([suggestion, Suggestion("leek", "Snacks", "Produce")])
    #expect(try store.decide([1], .accept, section: "Bakery", time: 1).corrections.map(\.shelf) == [nil])
    #expect(try store.corrections().map(\.section) == ["Bakery"])
  }

  @Test func `accepted as proposed is the proposer's, and says who accepted it, through undo and redo`() throws {
    try store.propose([Suggestion("kale", "Snacks", "Produce"), Suggestion("leek", "Snacks", "Produce")])
    let accepted = try #require(try store.decide([1], .accept, by: "jane", time: 7).corrections.first)
    #expect(accepted.origin == Origin(proposer: "model", accepter: "jane", time: 7))
    #expect(try store.corrections() == [accepted])
    // What replaces it has been accepted by nobody, and undoing that brings both back.
    try store.correct(Correction("kale", "Bakery", by: "joe", time: 8))
    #expect(try store.corrections().map(\.origin.accepter) == [nil])
    _ = try store.undo(time: 9)
    #expect(try store.corrections() == [accepted])
    _ = try store.forget(items: ["kale"], .init(), time: 10)
    _ = try store.undo(time: 11)
    #expect(try store.corrections() == [accepted])
    #expect(try store.problems() == [])
  }

  @Test func `accepted with a section that a person chose is the person's, not the model's`() throws {
    try store.propose([
      Suggestion("kale", "Snacks", "Produce"), Suggestion("leek", "Snacks", "Produce"), Suggestion("rye", "Snacks", "Bakery"),
    ])
    let chosen = try store.decide([1], .accept, section: "Bakery", by: "jane", time: 7).corrections
    #expect(chosen.map(\.origin) == [Origin(proposer: "jane", time: 7)])
    #expect(try store.decide([2], .accept, section: "Bakery", time: 7).corrections.map(\.origin.proposer) == ["someone"])
    // Naming the proposed section is accepting the proposal.
    #expect(
      try store.decide([3], .accept, section: "Bakery", by: "jane", time: 7).corrections.map(\.origin.proposer) == ["model"])
    #expect(try store.forget(.init(proposer: "model"), time: 8).count == 1)
    #expect(try store.corrections().map(\.item) == ["kale", "leek"])
  }

  @Test func `that was dismissed is not proposed again unless the item or its section changed`() throws {
    try store.propose([Suggestion("oat milk", "Snacks", "Produce")])
    try store.decide([1], .dismiss, time: 1)
    #expect(try store.propose([Suggestion("Oat  Milk", "Snacks", "Produce", by: "another")]) == [.dismissed(1)])
    #expect(try pending() == [])
    #expect(try store.propose([Suggestion("oat milk drink", "Snacks", "Produce")]) == [.added(2)])
    #expect(try store.propose([Suggestion("oat milk", "Bakery", "Produce")]) == [.added(3)])
    #expect(try store.propose([Suggestion("oat milk", "Snacks", "Dairy & Eggs")]) == [.added(4)])
    #expect(try pending() == ["oat milk drink", "oat milk", "oat milk"])
  }

  @Test func `that was accepted and then forgotten may be proposed again`() throws {
    try store.propose([Suggestion("kale", "Snacks", "Produce", time: 5)])
    try store.decide([1], .accept, time: 6)
    #expect(try store.propose([Suggestion("kale", "Snacks", "Produce", time: 7)]) == [.corrected])
    _ = try store.forget(items: ["kale"], .init(), time: 8)
    #expect(try store.propose([Suggestion("kale", "Snacks", "Produce", time: 9)]) == [.added(1)])
  }

  @Test func `made from an answer that is older than a correction is not proposed`() throws {
    try store.correct(Correction("kale", "Bakery", time: 100))
    #expect(try store.propose([Suggestion("kale", "Snacks", "Produce", time: 99)]) == [.corrected])
    #expect(try store.propose([Suggestion("kale", "Snacks", "Produce", time: 101)]) == [.added(1)])
    try store.correct(Correction("KALE", "Other", time: 102))
    #expect(try pending() == [])
    #expect(try store.undo(time: 103) != nil)
    #expect(try pending() == ["kale"])
  }

  @Test func `accepted makes the item's other suggestions moot`() throws {
    try store.propose([Suggestion("kale", "Snacks", "Produce"), Suggestion("kale", "Snacks", "Bakery")])
    try store.decide([2], .accept, time: 1)
    #expect(try pending() == [])
    #expect(try store.suggestions(.superseded).map(\.id) == [1])
  }

  @Test func `accepted with others for its item is the one that counts, and they are moot`() throws {
    try store.propose([
      Suggestion("kale", "Snacks", "Produce"), Suggestion("leek", "Snacks", "Produce"), Suggestion("kale", "Snacks", "Bakery"),
    ])
    let outcome = try store.decide([1, 2, 3], .accept, time: 1)
    #expect(outcome.suggestions.map(\.suggestion.state) == [.accepted, .accepted, .superseded])
    #expect(outcome.corrections.map(\.section) == ["Produce", "Produce"])
    #expect(try pending() == [])
    #expect(throws: CorrectionStoreError.self) { try store.decide([3], .accept, time: 2) }
  }

  @Test func `that does not exist or is decided already changes nothing, nor those named with it`() throws {
    try store.propose([Suggestion("kale", "Snacks", "Produce"), Suggestion("leek", "Snacks", "Produce")])
    for ids in [[1, 3], [2, 1, -7]] {
      let error = #expect(throws: CorrectionStoreError.self) { try store.decide(ids, .accept, time: 1) }
      #expect(error?.description.contains("no suggestion") ?? false)
    }
    #expect(try pending() == ["kale", "leek"])
    try store.decide([1, 1], .dismiss, time: 1)
    let error = #expect(throws: CorrectionStoreError.self) { try store.decide([2, 1], .accept, time: 2) }
    #expect(error?.description.contains("suggestion 1 is already dismissed") ?? false)
    #expect(try store.correctionCount() == 0)
  }

  @Test func `moves along with its renamed section, and stays dismissed`() throws {
    try store.propose([
      Suggestion("kale", "Old", "Produce"), Suggestion("leek", "Snacks", "Old"), Suggestion("rye", "Old", "New"),
      Suggestion("oats", "Old", "Bakery"),
    ])
    try store.decide([4], .dismiss, time: 1)
    try store.correct(Correction("zork", "Old", time: 2))
    let moved = try store.renameSection(store: "kroger", from: "Old", to: "New", time: 3)
    #expect(moved == (1, 4))
    #expect(try store.corrections().map(\.section) == ["New"])
    #expect(try store.corrections().map(\.origin.time) == [2])
    #expect(try pending() == ["kale", "leek"])
    #expect(try store.propose([Suggestion("oats", "New", "Bakery")]) == [.dismissed(4)])
    #expect(try store.undo(time: 4) == "rename section Old to New")
    #expect(try store.corrections().map(\.section) == ["Old"])
    #expect(try store.suggestions(nil).map(\.suggestion.from) == ["Old", "Snacks", "Old", "Old"])
  }

  @Test func `moves back with its section though the same was proposed again meanwhile, which is the one that waits`() throws {
    let kale = Suggestion("kale", "Old", "Produce")
    try store.propose([kale])
    _ = try store.renameSection(store: "kroger", from: "Old", to: "New", time: 1)
    #expect(try store.importSuggestions([kale]).added == 1)
    #expect(try store.undo(time: 2) == "rename section Old to New")
    #expect(try store.suggestions().map(\.id) == [2])
    #expect(try store.suggestions(.superseded).map(\.suggestion.from) == ["New"])
    #expect(try store.problems() == [])
  }

  @Test func `and what became of it survives export and import`() throws {
    var one = Suggestion("kale", "Snacks", "Produce", list: "week")
    (one.confidence, one.shelf, one.origin.model) = (0.1 + 0.2, "leafy-greens", "m")
    try store.propose([one, Suggestion("leek", "Snacks", "Produce"), Suggestion("rye", "Snacks", "Produce")])
    try store.decide([2], .dismiss, time: 1)
    let all = try store.suggestions(nil).map(\.suggestion)
    let other = try CorrectionStore(folder.file("other.db"))
    try other.propose([Suggestion("leek", "Snacks", "Produce")])
    let outcome = try other.importSuggestions(all)
    #expect((outcome.added, outcome.replaced, outcome.unchanged) == (2, 1, 0))
    #expect(Set(try other.suggestions(nil).map(\.suggestion)) == Set(all))
    #expect(try other.importSuggestions(all).unchanged == 3)
  }
}
