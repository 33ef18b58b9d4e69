import AisleCore
import AisleFiles
import AisleReporting
import AisleTuning

/// Goes through proposed changes to keywords on a terminal, a key a decision. What is accepted is in the files before the next one is
/// shown, and the next ones are tried on what the files are then.
struct ProposalReview {
  private let dialogue: KeyDialogue
  private let style: Style
  private let examples: Int
  private let items: TuningItems
  private let folder: TaxonomyFolder
  private let open: ProposalSearch.Opening

  private var search: ProposalSearch
  private var queue: [Proposal]
  private var place = 0
  /// What was decided here, newest last.
  private var done: [Decision] = []

  private struct Decision {
    let place: Int
    /// The files that were changed, before and after; empty for what was rejected.
    let files: [(path: String, before: [UInt8], after: [UInt8])]
  }

  init(
    _ proposals: [Proposal], _ search: ProposalSearch, items: TuningItems, in folder: TaxonomyFolder, keys: KeyReader,
    style: Style,
    examples: Int, open: @escaping ProposalSearch.Opening
  ) {
    (queue, self.search, self.items, self.folder) = (proposals, search, items, folder)
    (dialogue, self.style, self.examples, self.open) = (KeyDialogue(keys), style, examples, open)
  }

  private static let help = "y accept  n reject  u undo  q quit  ? help\n"

  /// Shows proposal after proposal until all are decided or the person quits.
  ///
  /// - Throws: `FileError` where a file cannot be written; `StreamError`; `Interruption` after Ctrl-C.
  mutating func run() async throws {
    try dialogue.tell(Self.help)
    let before = search.right(.tune)
    while place < queue.count {
      guard let proposal = try await current() else {
        place += 1
        continue
      }
      let text = ProposalText(items: items, taxonomy: search.taxonomy, style: style, examples: examples)
      try dialogue.tell("\n" + text.text(proposal, number: "\(place + 1)/\(queue.count)") + "> ")
      if try await !handleKey(proposal) { break }
    }
    let accepted = done.count { !$0.files.isEmpty }
    let now = search.right(.tune)
    try dialogue.tell(
      "\n\(accepted) accepted, \(done.count - accepted) rejected; tune: \(before.right) -> \(now.right) of \(now.total) right\n")
  }

  /// The proposal at hand, as it is after what was accepted; `nil` where it gains nothing more.
  private func current() async throws -> Proposal? {
    if done.allSatisfy(\.files.isEmpty) { return queue[place] }
    guard let proposal = try await search.evaluate(queue[place].edits), proposal.gain > 0 else {
      let edits = queue[place].edits.map(\.description).joined(separator: "  ")
      try dialogue.tell("\n\(place + 1)/\(queue.count)  \(Style.visible(edits)) no longer gains anything\n")
      return nil
    }
    return proposal
  }

  /// Waits for a key that means something and does it; `false` when the person quits.
  private mutating func handleKey(_ proposal: Proposal) async throws -> Bool {
    while true {
      switch try dialogue.key() {
      case .character("y"), .character("Y"), .character("a"):
        try await accept(proposal)
        return true
      case .character("n"), .character("N"), .character("d"):
        done.append(Decision(place: place, files: []))
        place += 1
        try dialogue.tell("rejected\n")
        return true
      case .character("u"), .character("U"):
        try await undo()
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

  private mutating func accept(_ proposal: Proposal) async throws {
    let change: StoreChange
    let files: [(path: String, before: [UInt8], after: [UInt8])]
    do {
      change = try StoreChange(proposal.edits, to: search.taxonomy, in: folder)
      files = try change.files.map { file in (path: file.path, before: try readIfThere(file.path), after: file.bytes) }
      try change.write(for: search.taxonomy, in: folder)
    } catch let error as TuningError {
      // Another store has such a keyword elsewhere, or someone changed the files meanwhile.
      try dialogue.tell("\(Style.visible(error.description))\n")
      place += 1
      return
    }
    done.append(Decision(place: place, files: files))
    place += 1
    search = try await ProposalSearch(items, in: folder, open: open)
    let places = change.edits.map { Style.visible("\($0.location.path):\($0.location.line)") }
    try dialogue.tell("accepted: \(places[places.count - 1])\n")
  }

  /// A file's bytes; none for one that a change makes, beside a store that extends another.
  private func readIfThere(_ path: String) throws(FileError) -> [UInt8] {
    try folder.isLayered && FileReader.resolved(path) == nil ? [] : FileReader.read(path)
  }

  private mutating func undo() async throws {
    guard let last = done.last else { return try dialogue.tell("nothing to undo here\n") }
    for file in last.files where try FileReader.read(file.path) != file.after {
      return try dialogue.tell("\(Style.visible(file.path)) was changed in the meantime; not undone\n")
    }
    try FileWriter.replace(last.files.map { ($0.path, $0.before) })
    done.removeLast()
    place = last.place
    if !last.files.isEmpty { search = try await ProposalSearch(items, in: folder, open: open) }
    try dialogue.tell("undone\n")
  }
}
