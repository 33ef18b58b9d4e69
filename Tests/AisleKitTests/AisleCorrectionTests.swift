import AisleKit
import Foundation
import LearnedStrategy
import Synchronization
import Testing

/// What an app does with corrections and suggestions.
@Suite struct AisleCorrectionTests {
  private let file = TemporaryFile()

  private func aisle(_ report: @escaping @Sendable (String) -> Void = { _ in }) throws -> Aisle {
    try Aisle(taxonomy: try #require(AisleTests.aisle).taxonomy, corrections: file.url, report: report)
  }

  @Test func `the next call knows a correction, and says who made it`() throws {
    let aisle = try aisle()
    #expect(aisle.categorize("oat milk").section == "Dairy & Eggs")
    #expect(!FileManager.default.fileExists(atPath: file.url.path), "nothing is made before the first correction")
    try aisle.correct("oat milk", to: "Snacks", by: "jane", at: Date(timeIntervalSince1970: 1_795_000_000.25))
    for item in ["oat milk", "2 Oat Milks"] {
      let answer = aisle.categorize(item)
      #expect(answer.section == "Snacks" && answer.strategy == "learned" && answer.shelf == nil)
      #expect(answer.note == "oat milk, by jane on 2026-11-18T11:06:40.250Z")
    }
    #expect(aisle.categorize(["oat milk", "milk"]).map(\.section) == ["Snacks", "Dairy & Eggs"])
    let correction = try #require(try aisle.corrections().first)
    #expect(correction.item == "oat milk" && correction.section == "Snacks" && correction.by == "jane" && correction.model == nil)
    #expect(correction.date == Date(timeIntervalSince1970: 1_795_000_000.25))
  }

  @Test func `a section is meant by its name in any case, its id, or one of its shelves, which the answer then names`() throws {
    let aisle = try aisle()
    for name in ["Dairy & Eggs", "dairy & eggs", "dairy-eggs", "plant-milk"] {
      try aisle.correct("blue thing", to: name, by: "jane")
      #expect(aisle.categorize("blue thing").section == "Dairy & Eggs", "\(name)")
    }
    #expect(aisle.categorize("blue thing").shelf == "plant-milk")
  }

  @Test func `an unknown section is an error that names the one that may be meant, and teaches nothing`() throws {
    let aisle = try aisle()
    let error = #expect(throws: UnknownSection.self) { try aisle.correct("oat milk", to: "Snaks", by: "jane") }
    #expect(error?.description == "no section or shelf `Snaks` in kroger; did you mean `Snacks`?")
    #expect(throws: UnknownSection.self) { try aisle.suggest("oat milk", to: "", by: "llm") }
    #expect(try aisle.corrections().isEmpty)
  }

  @Test func `what cannot be kept is an error`() throws {
    let aisle = try aisle()
    #expect(throws: CorrectionStoreError.self) { try aisle.correct("...", to: "Snacks", by: "jane") }
    #expect(throws: CorrectionStoreError.self) { try aisle.correct("milk", to: "Snacks", by: "") }
    let id = try #require(try aisle.suggest("kale", to: "Snacks", by: "llm"))
    try aisle.correct("oat milk", to: "Snacks", by: "jane")
    for seconds in [Double.nan, .infinity, 1e300, -1e15, Double(Int.min) / 1000] {
      let date = Date(timeIntervalSince1970: seconds)
      #expect(throws: CorrectionStoreError.self) { try aisle.correct("milk", to: "Snacks", by: "jane", at: date) }
      #expect(throws: CorrectionStoreError.self) { try aisle.accept(id, at: date) }
      #expect(throws: CorrectionStoreError.self) { try aisle.dismiss(id, at: date) }
      #expect(throws: CorrectionStoreError.self) { try aisle.forget("oat milk", at: date) }
      #expect(throws: CorrectionStoreError.self) { try aisle.undo(at: date) }
    }
    #expect(try aisle.corrections().map(\.item) == ["oat milk"] && aisle.suggestions().map(\.id) == [id])
  }

  @Test func `without a file nothing is taught, and nothing changes`() async throws {
    let aisle = try #require(AisleTests.aisle)
    #expect(throws: NoCorrections.self) { try aisle.correct("milk", to: "Snacks", by: "jane") }
    #expect(throws: NoCorrections.self) { try aisle.suggestions() }
    for await _ in aisle.changes { Issue.record("a change of nothing") }
    #expect(throws: NoCorrections.self) { try Aisle(corrections: URL(string: "https://example.com/a.db").unsafelyUnwrapped) }
  }

  @Test func `a file that is no database is an error when it is opened, and stays as it is`() throws {
    try Data("a list".utf8).write(to: file.url)
    #expect(throws: CorrectionStoreError.self) { try aisle() }
    #expect(try Data(contentsOf: file.url) == Data("a list".utf8))
  }

  // MARK: Taking back

  @Test func `an action is taken back by what the call gave, or the last one without`() throws {
    let aisle = try aisle()
    let first = try aisle.correct("oat milk", to: "Snacks", by: "jane")
    try aisle.correct("kale", to: "Bakery", by: "jane")
    #expect(try aisle.undo(first) == "correct oat milk -> Snacks")
    #expect(aisle.categorize(["oat milk", "kale"]).map(\.section) == ["Dairy & Eggs", "Bakery"])
    #expect(try aisle.undo() == "correct kale -> Bakery")
    #expect(aisle.categorize("kale").section == "Produce")
    #expect(try aisle.undo() == nil)
  }

  @Test func `a correction is forgotten by its item`() throws {
    let aisle = try aisle()
    try aisle.correct("Oat Milk", to: "Snacks", by: "jane")
    #expect(try aisle.forget("oat milk"))
    #expect(aisle.categorize("oat milk").section == "Dairy & Eggs")
    #expect(try !aisle.forget("oat milk"))
  }

  // MARK: Suggestions

  @Test func `a suggestion waits until a person accepts it, then it is known, and can be taken back`() throws {
    let aisle = try aisle()
    let id = try #require(try aisle.suggest("oat milk", to: "Beverages", confidence: 0.75, by: "llm", model: "m-1"))
    #expect(aisle.categorize("oat milk").section == "Dairy & Eggs", "nothing is learned yet")
    let suggestion = try #require(try aisle.suggestions().first)
    #expect(suggestion.id == id && suggestion.item == "oat milk" && suggestion.confidence == 0.75)
    #expect(
      suggestion.from == "Dairy & Eggs" && suggestion.to == "Beverages" && suggestion.by == "llm" && suggestion.model == "m-1")
    let action = try aisle.accept(id)
    #expect(aisle.categorize("oat milk").section == "Beverages")
    #expect(try aisle.suggestions().isEmpty)
    #expect(throws: CorrectionStoreError.self) { try aisle.accept(id) }
    try aisle.undo(action)
    #expect(aisle.categorize("oat milk").section == "Dairy & Eggs")
    #expect(try aisle.suggestions().map(\.id) == [id])
    try aisle.accept(id, as: "snacks")
    #expect(aisle.categorize("oat milk").section == "Snacks")
  }

  @Test func `what a person dismissed is not proposed again, nor what is so already`() throws {
    let aisle = try aisle()
    #expect(try aisle.suggest("kale", to: "produce", by: "llm") == nil)
    let id = try #require(try aisle.suggest("kale", to: "Snacks", by: "llm"))
    try aisle.dismiss(id)
    #expect(try aisle.suggestions().isEmpty)
    #expect(try aisle.suggest("kale", to: "Snacks", by: "llm") == nil)
    #expect(aisle.categorize("kale").section == "Produce")
  }

  // MARK: Others

  @Test func `a correction made through another door is known without being told`() async throws {
    let (aisle, other) = (try aisle(), try aisle())
    for (place, section) in ["Snacks", "Bakery", "Produce", "Snacks"].enumerated() {
      try other.correct("oat milk", to: section, by: "joe \(place)")
      try await Task.sleep(for: .milliseconds(2))
      #expect(aisle.categorize("oat milk").section == section)
    }
  }

  @Test func `a file that is taken away, or goes bad, leaves what was known, and is told once`() async throws {
    let reports = Mutex<[String]>([])
    let aisle = try aisle { line in reports.withLock { $0.append(line) } }
    try aisle.correct("oat milk", to: "Snacks", by: "jane")
    try Data("a list".utf8).write(to: file.url)
    for _ in 0..<3 {
      try await Task.sleep(for: .milliseconds(30))
      #expect(aisle.categorize("oat milk").section == "Snacks")
    }
    #expect(reports.withLock { $0.count } == 1, "\(reports.withLock { $0 })")
    #expect(throws: CorrectionStoreError.self) { try aisle.correct("kale", to: "Snacks", by: "jane") }
    try FileManager.default.removeItem(at: file.url)
    try await Task.sleep(for: .milliseconds(2))
    #expect(aisle.categorize("oat milk").section == "Dairy & Eggs", "no file, no corrections")
  }

  @Test(.timeLimit(.minutes(30))) func `changes tell what others do and what is done here, until the task is cancelled`()
    async throws
  {
    let (aisle, other) = (try aisle(), try aisle())
    let changes = aisle.changes
    let told = Told()
    let task = Task {
      for await change in changes { told.changes.withLock { $0.append(change) } }
    }
    func wait(_ what: String, _ isEnough: ([CorrectionChange]) -> Bool) async throws {
      for _ in 0..<400 where !isEnough(told.changes.withLock { $0 }) { try await Task.sleep(for: .milliseconds(20)) }
      #expect(isEnough(told.changes.withLock { $0 }), "\(what): \(told.changes.withLock { $0 })")
    }
    // The iterator begins when the task does.
    try await Task.sleep(for: .milliseconds(200))
    try other.correct("oat milk", to: "Snacks", by: "joe")
    try await wait("another's") { $0.contains { $0.items == ["oat milk"] } }
    try aisle.correct("kale", to: "Snacks", by: "jane")
    try await wait("one's own") { $0.contains { $0.items == ["kale"] } }
    try other.undo()
    try await wait("taken back") { $0.filter { $0.items == ["kale"] }.count == 2 }
    try other.suggest("milk", to: "Snacks", by: "llm")
    try await wait("suggested") { $0.contains { $0.hasNewSuggestions && $0.items.isEmpty } }
    let count = told.changes.withLock { $0.count }
    #expect(count == 4, "\(told.changes.withLock { $0 })")
    task.cancel()
    await task.value
  }
}

/// The changes that a task was told.
private final class Told: Sendable {
  let changes = Mutex<[CorrectionChange]>([])
}

/// A database's path in the temporary folder; it goes with the last reference.
final class TemporaryFile: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(path: "aisle-\(UUID().uuidString).db")

  deinit { for suffix in ["", "-index", "-journal"] { try? FileManager.default.removeItem(atPath: url.path + suffix) } }
}
