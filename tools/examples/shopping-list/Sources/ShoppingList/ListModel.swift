public import AisleKit
import Observation

/// What a list screen shows and does: items by section in walking order, a suggestion beside an item, and undo.
///
/// Everything happens on the main actor: deciding an item takes microseconds, teaching one some milliseconds.
@MainActor @Observable
public final class ListModel {
  /// An item on the list.
  public struct Row: Sendable, Identifiable {
    /// Its number on this list.
    public let id: Int
    /// The item with its section, and why it is there.
    public fileprivate(set) var answer: Answer
    /// Another section that was proposed for it, and that waits for the person.
    public fileprivate(set) var suggestion: Aisle.Suggestion?
  }

  /// A section of the store with the items of the list that it holds.
  public struct Group: Sendable, Identifiable {
    /// The section.
    public let section: Aisle.Section
    /// Its items, in the order they were added.
    public let rows: [Row]

    /// The section's id, which stays from run to run.
    public var id: String { section.id }
  }

  /// The items, in the order they were added.
  public private(set) var rows: [Row] = []
  /// What can be taken back, the last action last.
  public private(set) var actions: [Aisle.Action] = []
  private let aisle: Aisle
  /// Who uses the app: corrections carry the name.
  private let person: String
  private var lastNumber = 0

  /// Makes an empty list.
  public init(_ aisle: Aisle, person: String) {
    self.aisle = aisle
    self.person = person
  }

  /// The sections that an item can be moved to.
  public var sections: [Aisle.Section] { aisle.sections }

  /// The list as it is walked through the store: sections without items are left out.
  public var groups: [Group] {
    aisle.sections.compactMap { section in
      let rows = rows.filter { $0.answer.sectionID == section.id }
      return rows.isEmpty ? nil : Group(section: section, rows: rows)
    }
  }

  /// Adds items as the person typed or pasted them.
  public func add(_ items: [String]) {
    for answer in aisle.categorize(items) {
      lastNumber += 1
      rows.append(Row(id: lastNumber, answer: answer))
    }
  }

  /// Moves an item to another section: the list learns it for good.
  ///
  /// - Throws: what `Aisle.correct` throws.
  public func move(_ row: Row, to section: Aisle.Section) throws {
    actions.append(try aisle.correct(row.answer.item, to: section.id, by: person))
    try refresh()
  }

  /// Takes in what a language model, asked elsewhere, would have otherwise. Nothing moves before the person says so.
  ///
  /// - Throws: what `Aisle.suggest` throws.
  public func propose(_ proposals: [(item: String, section: String, confidence: Double)], model: String) throws {
    for proposal in proposals {
      try aisle.suggest(proposal.item, to: proposal.section, confidence: proposal.confidence, by: "llm", model: model)
    }
    try refresh()
  }

  /// Accepts or dismisses the suggestion beside an item.
  ///
  /// - Throws: what `Aisle.accept` throws.
  public func decide(_ suggestion: Aisle.Suggestion, isAccepted: Bool) throws {
    actions.append(try isAccepted ? aisle.accept(suggestion.id) : aisle.dismiss(suggestion.id))
    try refresh()
  }

  /// Takes the last action back.
  ///
  /// - Throws: what `Aisle.undo` throws.
  public func undo() throws {
    guard let last = actions.popLast() else { return }
    try aisle.undo(last)
    try refresh()
  }

  /// Shows what others teach while the screen is there: the task of the screen runs it, and ends it.
  public func follow() async {
    for await _ in aisle.changes { try? refresh() }
  }

  /// Asks anew: a correction may concern more items than its own.
  private func refresh() throws {
    let waiting = try aisle.suggestions()
    for (place, answer) in aisle.categorize(rows.map(\.answer.item)).enumerated() {
      rows[place].answer = answer
      rows[place].suggestion = waiting.last { $0.item == answer.item }
    }
  }
}
