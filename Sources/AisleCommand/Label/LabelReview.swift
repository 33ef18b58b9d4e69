import AisleCore
import AisleEvaluation
import AisleReporting

/// Asks a person for the labels of items on a terminal, a key a label.
///
/// Every label is on the disk before the next item is shown, so that nothing is lost when the connection breaks.
struct LabelReview {
  private(set) var session: LabelSession
  private let search: LabelSearchDialogue
  private let dialogue: KeyDialogue
  private let style: Style

  init(_ session: LabelSession, search: @escaping () -> LabelSearch, keys: KeyReader, style: Style) {
    self.session = session
    dialogue = KeyDialogue(keys)
    self.search = LabelSearchDialogue(dialogue, style: style, makeSearch: search)
    self.style = style
  }

  private static let help = "Enter accept  1-9 choose  / search  + several labels  s skip  u undo  q quit  ? help\n"
  private static let prompt = "> "

  /// Shows item after item until all are labeled or skipped, or the person quits.
  ///
  /// - Throws: `FileError` where a label cannot be written; `StreamError`; `Interruption` after Ctrl-C.
  mutating func run() throws {
    try dialogue.tell(Self.help)
    while let question = session.question {
      try show(question)
      if try !ask(question) { break }
    }
  }

  private func show(_ question: LabelQuestion) throws {
    let answer = question.answer
    var text = "\n\(session.place + 1)/\(session.count)  " + style.bold(Style.visible(question.item)) + "\n"
    text += "      " + Style.visible("\(answer.text)  \(Explanation.hundredths(question.confidence))") + "\n"
    for reason in question.reasons { text += "      " + style.dim(Style.visible(reason)) + "\n" }
    for (place, candidate) in question.candidates.enumerated() {
      text += "    \(place + 1) " + Style.visible(candidate.text) + "  " + style.dim(Style.visible(candidate.reason)) + "\n"
    }
    try dialogue.tell(text + Self.prompt)
  }

  /// Waits for keys until the item is labeled, skipped, or left for the one before; `false` when the person quits.
  private mutating func ask(_ question: LabelQuestion) throws -> Bool {
    /// The labels so far, best first, where the person gives several; `nil` where the first one is all.
    var several: [String]?
    while true {
      var chosen: LabelCandidate?
      switch try dialogue.key() {
      case .enter where several?.isEmpty == false:
        try write(several ?? [])
        return true
      case .enter, .character("y"), .character("Y"): chosen = question.answer
      case .character("/"), .character("e"), .character("E"):
        chosen = try search.ask()
        if chosen == nil { try dialogue.tell(Self.prompt) }
      case .character("+"):
        several = several ?? []
        try dialogue.tell("several labels, the best first; Enter ends, Escape starts over\n" + Self.prompt)
      case .escape where several != nil:
        several = nil
        try dialogue.tell("one label\n" + Self.prompt)
      case .character("s"), .character("S"), .character(" "):
        session.skip()
        try dialogue.tell("skipped\n")
        return true
      case .character("u"), .character("U"):
        if try undo() { return true }
      case .character("q"), .character("Q"), .end:
        try dialogue.tell("\n")
        return false
      case .character("?"), .character("h"): try dialogue.tell(Self.help + Self.prompt)
      case .character(let key):
        guard let number = key.wholeNumberValue, question.candidates.indices.contains(number - 1) else { continue }
        chosen = question.candidates[number - 1]
      case .backspace, .escape: continue
      }
      guard let chosen else { continue }
      guard let label = chosen.label else {
        try dialogue.tell("the store has no section `\(Style.visible(chosen.section))`; choose another with /\n" + Self.prompt)
        continue
      }
      if let labels = several {
        several = labels.contains(label) ? labels : labels + [label]
        try dialogue.tell(Style.visible((several ?? []).joined(separator: "|")) + "\n" + Self.prompt)
      } else {
        try write([label])
        return true
      }
    }
  }

  private mutating func write(_ labels: [String]) throws {
    try session.label(labels)
    try dialogue.tell("labeled: \(Style.visible(labels.joined(separator: "|")))\n")
  }

  /// Goes back to the item before; `false` where there is none.
  private mutating func undo() throws -> Bool {
    guard let step = try session.undo() else {
      try dialogue.tell("nothing to undo here\n" + Self.prompt)
      return false
    }
    try dialogue.tell(step == .labeled ? "undone: the label is removed\n" : "undone: asked again\n")
    return true
  }
}
