import AisleEvaluation
import AisleReporting

/// Asks a person for a label by a few letters of it, or by a product that belongs there.
final class LabelSearchDialogue {
  private let dialogue: KeyDialogue
  private let style: Style
  private let makeSearch: () -> LabelSearch
  /// Made for the first search: reading all keywords takes a moment.
  private lazy var search = makeSearch()

  init(_ dialogue: KeyDialogue, style: Style, makeSearch: @escaping () -> LabelSearch) {
    self.dialogue = dialogue
    self.style = style
    self.makeSearch = makeSearch
  }

  /// The label that the person chooses; `nil` when they think better of it.
  ///
  /// - Throws: `StreamError`; `Interruption` after Ctrl-C.
  func ask() throws -> LabelCandidate? {
    var beginning = ""
    while true {
      try dialogue.tell("search: ")
      guard let text = try dialogue.askLine(beginning: beginning), text.contains(where: { !$0.isWhitespace }) else { return nil }
      beginning = ""
      let matches = search.matches(text, limit: LabelQuestion.mostCandidates)
      if matches.isEmpty {
        try dialogue.tell("no shelf or section like `\(Style.visible(text))`; Escape goes back\n")
        continue
      }
      try show(matches)
      switch try choose(among: matches.count) {
      case .match(let place): return matches[place].candidate
      case .search(let letters): beginning = letters
      case .nothing: return nil
      }
    }
  }

  private enum Choice {
    case match(Int)
    /// Another search, with what has been typed of it.
    case search(String)
    case nothing
  }

  /// Waits for a key that means something.
  private func choose(among count: Int) throws -> Choice {
    defer { try? dialogue.tell("\n") }
    while true {
      switch try dialogue.key() {
      case .enter: return .match(0)
      case .escape, .end: return .nothing
      case .character("/"): return .search("")
      case .character(let key):
        if let number = key.wholeNumberValue, (1...count).contains(number) { return .match(number - 1) }
        if key.isLetter { return .search(String(key)) }
      case .backspace: continue
      }
    }
  }

  private func show(_ matches: [LabelSearch.Match]) throws {
    var text = ""
    for (place, match) in matches.enumerated() {
      text += "    \(place + 1) " + Style.visible(match.candidate.text)
      if let keyword = match.keyword { text += "  " + style.dim(Style.visible(keyword)) }
      text += "\n"
    }
    try dialogue.tell(text + "Enter takes 1, letters search again, Escape goes back: ")
  }
}
