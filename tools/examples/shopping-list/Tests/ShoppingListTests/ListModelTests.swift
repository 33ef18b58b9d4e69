import AisleKit
import Foundation
import ShoppingList
import Testing

@MainActor @Suite struct ListModelTests {
  private let file = FileManager.default.temporaryDirectory.appending(path: "list-\(UUID().uuidString).db")

  private func sections(_ list: ListModel) -> [String: [String]] {
    Dictionary(uniqueKeysWithValues: list.groups.map { ($0.section.name, $0.rows.map(\.answer.item)) })
  }

  @Test func `a person adds, moves, accepts, dismisses, and takes back`() throws {
    let list = ListModel(try Aisle(corrections: file), person: "jane")
    defer { for suffix in ["", "-index"] { try? FileManager.default.removeItem(atPath: file.path + suffix) } }
    list.add(["oat milk", "kale", "2 lbs chicken thighs"])
    #expect(list.groups.map(\.section.name) == ["Produce", "Meat & Seafood", "Dairy & Eggs"], "in walking order")

    let milk = try #require(list.rows.first)
    let snacks = try #require(list.sections.first { $0.id == "snacks" })
    try list.move(milk, to: snacks)
    #expect(sections(list)["Snacks"] == ["oat milk"])
    try list.undo()
    #expect(sections(list)["Dairy & Eggs"] == ["oat milk"])

    try list.propose([("oat milk", "Beverages", 0.9), ("kale", "Snacks", 0.4), ("kale", "Produce", 0.9)], model: "m-1")
    #expect(list.rows.map { $0.suggestion?.to } == ["Beverages", "Snacks", nil])
    #expect(sections(list)["Dairy & Eggs"] == ["oat milk"], "nothing moves before the person says so")
    try list.decide(try #require(list.rows[0].suggestion), isAccepted: true)
    try list.decide(try #require(list.rows[1].suggestion), isAccepted: false)
    #expect(list.groups.map(\.section.name) == ["Produce", "Meat & Seafood", "Beverages"])
    #expect(list.rows.allSatisfy { $0.suggestion == nil })
    try list.undo()
    try list.undo()
    #expect(list.rows.map { $0.suggestion?.to } == ["Beverages", "Snacks", nil])
    #expect(list.actions.isEmpty)
  }

  @Test(.timeLimit(.minutes(1))) func `what another program teaches shows by itself`() async throws {
    let list = ListModel(try Aisle(corrections: file), person: "jane")
    defer { for suffix in ["", "-index"] { try? FileManager.default.removeItem(atPath: file.path + suffix) } }
    list.add(["oat milk"])
    let screen = Task { await list.follow() }
    try await Task.sleep(for: .milliseconds(200))
    try Aisle(corrections: file).correct("oat milk", to: "Snacks", by: "joe")
    while list.groups.first?.section.name != "Snacks" { try await Task.sleep(for: .milliseconds(20)) }
    screen.cancel()
    await screen.value
  }
}
