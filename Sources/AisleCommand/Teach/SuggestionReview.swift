import AisleCore
import AisleReporting
import LearnedStrategy

/// Goes through the pending suggestions on a terminal, a key a decision.
///
/// Every decision is on the disk before the next suggestion is shown, so that nothing is lost when the connection breaks.
struct SuggestionReview {
  private let decision: SuggestionDecision
  private let dialogue: KeyDialogue
  private let style: Style
  private let person: String

  private var queue: [NumberedSuggestion]
  private var place = 0
  /// What was decided here, newest last: the place it was at, and the number to undo it by.
  private var done: [(place: Int, action: Int)] = []
  private var counts = (accepted: 0, dismissed: 0)

  init(
    _ store: CorrectionStore, only id: String?, by person: String, keys: KeyReader, style: Style,
    taxonomy: @escaping (String) -> Taxonomy?
  ) throws {
    decision = SuggestionDecision(store: store, taxonomy: taxonomy)
    dialogue = KeyDialogue(keys)
    self.style = style
    self.person = person
    queue = try store.suggestions().filter { id == nil || $0.suggestion.store == id }
  }

  /// Shows suggestion after suggestion until all are decided or skipped, or the person quits.
  ///
  /// - Throws: `CorrectionStoreError` where a decision cannot be written; `StreamError`; `Interruption` after Ctrl-C.
  mutating func run() throws {
    if queue.isEmpty { return try dialogue.tell("no suggestions\n") }
    try dialogue.tell(Self.help + "\n")
    while place < queue.count {
      try show(queue[place])
      if try !handleKey() { break }
    }
    let left = try decision.store.suggestions().count
    try dialogue.tell("\n\(counts.accepted) accepted, \(counts.dismissed) dismissed, \(left) pending\n")
  }

  private static let help = "a accept  d dismiss  e edit section  u undo  s skip  q quit  ? help\n"

  private func show(_ numbered: NumberedSuggestion) throws {
    let suggestion = numbered.suggestion
    var why = [
      suggestion.confidence.map { Explanation.hundredths(Float($0)) }, suggestion.origin.proposer, suggestion.origin.model,
    ]
    .compactMap { $0 }
    why.append(String(Timestamp.text(suggestion.origin.time).prefix(10)))
    if let list = suggestion.list { why.append(list) }
    try dialogue.tell(
      "\n\(place + 1)/\(queue.count)  " + style.bold(Style.visible(suggestion.item)) + "\n      "
        + Style.visible("\(suggestion.from) -> \(suggestion.to)") + "\n      "
        + style.dim(Style.visible("\(suggestion.store), \(why.joined(separator: ", "))")) + "\n> ")
  }

  /// Waits for a key that means something and does it; `false` when the person quits.
  private mutating func handleKey() throws -> Bool {
    while true {
      switch try dialogue.key() {
      case .character("a"), .character("A"):
        try decide { [person] in try $0.accept([$1], section: nil, by: person) }
        return true
      case .character("d"), .character("D"):
        try decide { [person] in try $0.store.decide([$1], .dismiss, by: person, time: Timestamp.now) }
        return true
      case .character("e"), .character("E"):
        if let section = try askSection() { try decide { [person] in try $0.accept([$1], section: section, by: person) } }
        return true
      case .character("u"), .character("U"):
        try undo()
        return true
      case .character("s"), .character("S"), .character(" "):
        try dialogue.tell("skipped\n")
        place += 1
        return true
      case .character("q"), .character("Q"), .end:
        try dialogue.tell("\n")
        return false
      case .character("?"), .character("h"):
        try dialogue.tell(Self.help)
        return true
      case .character, .enter, .backspace, .escape: continue
      }
    }
  }

  private mutating func decide(
    _ body: (SuggestionDecision, Int) throws -> CorrectionStore.DecisionOutcome
  ) throws {
    let outcome: CorrectionStore.DecisionOutcome
    do { outcome = try body(decision, queue[place].id) } catch let error as CorrectionStoreError where error.kind == .invalid {
      // Someone else decided it meanwhile.
      try dialogue.tell("\(Style.visible(error.reason))\n")
      place += 1
      return
    }
    done.append((place, outcome.action))
    place += 1
    if let correction = outcome.corrections.first {
      counts.accepted += 1
      try dialogue.tell("accepted: \(Style.visible(correction.section))\n")
    } else {
      counts.dismissed += 1
      try dialogue.tell("dismissed\n")
    }
  }

  private mutating func undo() throws {
    guard let last = done.popLast() else { return try dialogue.tell("nothing to undo here\n") }
    guard let what = try decision.store.undo(last.action, by: person, time: Timestamp.now) else {
      return try dialogue.tell("nothing to undo here\n")
    }
    if what.hasPrefix(CorrectionStore.Verdict.accept.rawValue) { counts.accepted -= 1 } else { counts.dismissed -= 1 }
    place = last.place
    try dialogue.tell("undone: \(Style.visible(what))\n")
  }

  // MARK: Another section

  /// Asks for a section by its number or the beginning of its name; `nil` when the person thinks better of it.
  private func askSection() throws -> String? {
    let store = queue[place].suggestion.store
    guard let taxonomy = decision.taxonomy(store) else {
      try dialogue.tell("no store \(Style.visible(store)) here, so its sections are unknown\n")
      return nil
    }
    let names = taxonomy.sections.map(\.name)
    try dialogue.tell("\n" + names.enumerated().map { "  \($0.offset + 1) \(Style.visible($0.element))\n" }.joined())
    while true {
      try dialogue.tell("section number or name (Escape goes back): ")
      guard let text = try dialogue.askLine() else { return nil }
      if let section = Self.section(text, among: names) { return section }
      try dialogue.tell("no section `\(Style.visible(text))`\(DidYouMean.hint(text, among: names))\n")
    }
  }

  /// The section that a number, a name or the beginning of just one name stands for.
  static func section(_ text: String, among names: [String]) -> String? {
    if let number = Int(text) { return names.indices.contains(number - 1) ? names[number - 1] : nil }
    let wanted = text.lowercased()
    if let exact = names.first(where: { $0.lowercased() == wanted }) { return exact }
    let beginnings = names.filter { $0.lowercased().hasPrefix(wanted) }
    return wanted.isEmpty || beginnings.count != 1 ? nil : beginnings[0]
  }
}
