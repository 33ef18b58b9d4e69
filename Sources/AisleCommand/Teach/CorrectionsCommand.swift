import AisleCatalog
import AisleCore
import AisleReporting
import ArgumentParser
import LearnedStrategy

struct CorrectionsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "corrections", abstract: "List, forget, share, and undo corrections.",
    discussion: """
      Examples:
        aisle corrections
        aisle corrections list --orphans
        aisle corrections forget 'oat milk'
        aisle corrections forget --model gpt-5
        aisle corrections undo
        aisle corrections export > corrections.jsonl
        aisle corrections merge theirs.jsonl
        aisle corrections sync --server https://home.example
      """,
    subcommands: [
      ListCorrections.self, ForgetCorrections.self, UndoCorrections.self, CorrectionHistory.self, ExportCorrections.self,
      ImportCorrections.self, MergeCorrections.self, SyncCorrections.self, PullCorrections.self, PushCorrections.self,
    ], defaultSubcommand: ListCorrections.self)
}

struct ListCorrections: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the corrections.",
    discussion: """
      Prints one line per correction: its store, the item, the section, the shelf if known, who taught it, the model it came from, \
      the time, `orphan` if the store no longer has the section, and who accepted it if a suggestion taught it. Orphans are not used. In a pipe, columns are separated by tabs.

      Examples:
        aisle corrections list
        aisle corrections list --orphans
        aisle corrections list --store kroger
        aisle corrections list --overruled

      Exit codes: 0 done; 2 the file cannot be read; 64 usage.
      """)

  @Option(help: ArgumentHelp("Only corrections for this store.", valueName: "id"), completion: NameCompletion.store)
  var store: String?

  @Flag(help: "Only corrections whose section the store no longer has.")
  var orphans = false

  @Flag(help: "The corrections that lost to a later one when machines shared them, oldest first.")
  var overruled = false

  @OptionGroup var options: CorrectionStoreOptions

  func validate() throws {
    if orphans, overruled {
      throw ValidationError("--orphans lists corrections that were kept, and --overruled those that lost to later ones; use one.")
    }
  }

  @MainActor
  func run() async throws {
    var sections: [String: Set<String>?] = [:]
    func isOrphan(_ correction: Correction) -> Bool {
      let known = sections[correction.store] ?? options.taxonomy(correction.store).map { Set($0.sections.map(\.name)) }
      sections[correction.store] = known
      return known.map { !$0.contains(correction.section) } ?? true
    }
    let locator = try? options.stores.locate()
    let stores = locator.map { Set($0.stores) }
    var orphanCount = 0
    /// Those whose store itself is missing.
    var homeless: [Correction] = []
    var isEmpty = true
    var others: Set<String> = []
    func list(_ group: [Correction]) throws {
      if store != nil { others.formUnion(group.map(\.store)) }
      let rows = group.filter { store == nil || $0.store == store }.compactMap { correction -> [String]? in
        let isOrphan = isOrphan(correction)
        if isOrphan { if stores?.contains(correction.store) ?? true { orphanCount += 1 } else { homeless.append(correction) } }
        if orphans && !isOrphan { return nil }
        return [
          correction.store, correction.item, correction.section, correction.shelf ?? "", correction.origin.proposer,
          correction.origin.model ?? "", Timestamp.text(correction.origin.time), isOrphan ? "orphan" : "",
          correction.origin.accepter ?? "",
        ].map(Style.visible)
      }
      if !rows.isEmpty { isEmpty = false }
      try TextTable.write(rows)
    }
    if overruled {
      try list(options.openIfThere()?.overruled().compactMap(\.correction) ?? [])
    } else {
      try options.openIfThere()?.forEachGroup { try list($0) }
    }
    if isEmpty {
      let place = store.map { " for the store `\(Style.visible($0))`\(DidYouMean.hint($0, among: others.sorted()))" } ?? ""
      Descriptor.standardError.tell("no \(orphans ? "orphans" : overruled ? "overruled corrections" : "corrections")\(place)\n")
    }
    if overruled { return }
    if let locator, !homeless.isEmpty { UnusedCorrections(homeless, at: locator).tell() }
    if orphanCount > 0, !orphans {
      Descriptor.standardError.tell(
        "\(orphanCount) \(orphanCount == 1 ? "is an orphan" : "are orphans"): the store has no such section; "
          + "`aisle stores rename-section` gives \(orphanCount == 1 ? "it" : "them") another\n")
    }
  }
}

struct ForgetCorrections: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget", abstract: "Forget corrections of certain items, or all from a person or model.",
    discussion: """
      Conditions narrow the choice: an item and a store mean that item in that store. `aisle corrections undo` restores them.

      Examples:
        aisle corrections forget 'oat milk' kale
        aisle corrections forget --by jane --store kroger
        aisle corrections forget --model gpt-5

      Exit codes: 0 done; 1 there was nothing to forget; 2 the file cannot be written; 64 usage.
      """)

  @Argument(help: "The items, in any spelling that counts as the same.")
  var items: [String] = []

  @Option(help: ArgumentHelp("Only corrections for this store.", valueName: "id"), completion: NameCompletion.store)
  var store: String?

  @Option(help: ArgumentHelp("Only corrections that this person, program, or strategy proposed.", valueName: "name"))
  var by: String?

  @Option(help: ArgumentHelp("Only corrections that came from this model.", valueName: "name"))
  var model: String?

  @Flag(help: "Forget all corrections.")
  var all = false

  @OptionGroup var options: CorrectionStoreOptions

  func validate() throws {
    let isNarrowed = !items.isEmpty || store != nil || by != nil || model != nil
    if isNarrowed == all { throw ValidationError("Name items, --store, --by, or --model; or use --all alone.") }
  }

  @MainActor
  func run() async throws {
    guard try options.openIfThere() != nil else { throw nothing }
    let count = try options.open(.writing).forget(
      items: items, .init(store: store, proposer: by, model: model), by: Person.user, time: Timestamp.now
    ).count
    if count == 0 { throw nothing }
    Descriptor.standardError.tell("forgot \(counted(count, "correction"))\n")
  }

  private var nothing: ExitCode {
    Descriptor.standardError.tell("there was nothing to forget\n")
    return ExitCode(1)
  }
}

struct UndoCorrections: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo the last change.",
    discussion: """
      Undoes a correction, an accept or dismiss, a forget, an import or merge, or a renamed section. Running it again undoes the \
      change before that, up to the last 1,000 changes. `aisle corrections history` lists the changes with \
      their numbers. Changes pulled from a server are undone only by number.

      Examples:
        aisle corrections undo
        aisle corrections undo 17

      Exit codes: 0 done; 1 there was nothing to undo; 2 the file cannot be written; 64 usage.
      """)

  @Argument(help: "The number of a change other than the last.")
  var number: Int?

  @OptionGroup var options: CorrectionStoreOptions

  @MainActor
  func run() async throws {
    let isThere = try options.openIfThere() != nil
    guard isThere, let what = try options.open(.writing).undo(number, by: Person.user, time: Timestamp.now) else {
      let what =
        number.map { "there is no change \($0), or it was already undone; `aisle corrections history` lists them" }
        ?? "there was nothing to undo"
      Descriptor.standardError.tell("\(what)\n")
      throw ExitCode(1)
    }
    try TextTable.write([["undone", what].map(Style.visible)])
  }
}

struct CorrectionHistory: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List the last changes, newest first.",
    discussion: """
      Prints one line per change: its number, the time, what was done, and `undone` if it was undone. \
      `aisle corrections undo NUMBER` undoes one. In a pipe, columns are separated by tabs.

      Examples:
        aisle corrections history
        aisle corrections history --last 100

      Exit codes: 0 done; 2 the file cannot be read; 64 usage.
      """)

  @Option(help: ArgumentHelp("The most changes to list, of up to 1,000 that are remembered (default: 20).", valueName: "number"))
  var last = 20

  @OptionGroup var options: CorrectionStoreOptions

  func validate() throws {
    if last < 1 { throw ValidationError("--last must be at least 1.") }
  }

  @MainActor
  func run() async throws {
    let actions = try options.openIfThere()?.actions(last: last) ?? []
    if actions.isEmpty { return Descriptor.standardError.tell("no changes\n") }
    try TextTable.write(
      actions.map { action in
        // An undo cannot be undone, and says itself what it was.
        let isUndone = !action.canUndo && !action.what.hasPrefix("undo ")
        return [String(action.number), Timestamp.text(action.time), action.what, isUndone ? "undone" : ""].map(Style.visible)
      })
  }
}

struct ExportCorrections: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the corrections as JSON lines.",
    discussion: """
      Sorted by store and item. `aisle corrections import` restores them without loss.

      Examples:
        aisle corrections export > corrections.jsonl
        aisle corrections export --store kroger | jq .item

      Exit codes: 0 done; 2 the file cannot be read; 64 usage.
      """)

  @Option(help: ArgumentHelp("Only corrections for this store.", valueName: "id"), completion: NameCompletion.store)
  var store: String?

  @OptionGroup var options: CorrectionStoreOptions

  @MainActor
  func run() async throws {
    try options.openIfThere()?.forEachGroup { group in
      let writer = JSONLineWriter()
      for correction in group where store == nil || correction.store == store { CorrectionLine.write(correction, to: writer) }
      try writer.write()
    }
  }
}

struct ImportCorrections: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import corrections from JSON lines, replacing existing ones.",
    discussion: """
      Each line is an object with store, item, section, by, time, and optionally shelf, model, and accepted-by. A line replaces the correction \
      that its item has in that store; `merge` keeps the newer one instead. Either all lines are imported or none. Corrections for \
      a store or section that does not exist are imported too, but not used until it does; a message lists them. `aisle \
      corrections undo` undoes the import.

      Examples:
        aisle corrections import corrections.jsonl
        zcat backup.jsonl.gz | aisle corrections import -

      Exit codes: 0 done; 2 a line is wrong, or the file cannot be written; 64 usage.
      """)

  @Argument(help: "The file; `-` is standard input.", completion: .file(extensions: ["jsonl"]))
  var file: String

  @OptionGroup var options: CorrectionStoreOptions

  @MainActor
  func run() async throws {
    let store = try options.open(.writing)
    let corrections = try JSONLines.corrections(file, for: store)
    let (outcome, _) = try store.take(corrections, winner: .taken, time: Timestamp.now)
    Descriptor.standardError.tell("corrections: \(outcome.summary)\n")
    UnusedCorrections(corrections, at: try options.stores.locate()).tell()
  }
}

struct MergeCorrections: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Merge corrections of others; the newer one wins for each item and store.",
    discussion: """
      Reads the output of `aisle corrections export`. Two corrections with different sections are a conflict, and each conflict is \
      printed: store, item, the section that wins, its author and time, then the other section, author, and time. The result does \
      not depend on the order of merges. `aisle corrections undo` undoes the merge.

      Examples:
        aisle corrections merge theirs.jsonl
        ssh other aisle corrections export | aisle corrections merge -

      Exit codes: 0 done, with or without conflicts; 2 a line is wrong, or the file cannot be written; 64 usage.
      """)

  @Argument(help: "The files; `-` is standard input.", completion: .file(extensions: ["jsonl"]))
  var files: [String]

  @OptionGroup var options: CorrectionStoreOptions

  @MainActor
  func run() async throws {
    let store = try options.open(.writing)
    let corrections = try files.flatMap { try JSONLines.corrections($0, for: store) }
    let (outcome, conflicts) = try store.take(corrections, winner: .newer, time: Timestamp.now)
    func side(_ correction: Correction) -> [String] {
      [correction.section, correction.origin.proposer, Timestamp.text(correction.origin.time)]
    }
    try TextTable.write(
      conflicts.map { ([$0.kept.store, $0.kept.item] + side($0.kept) + side($0.dropped)).map(Style.visible) })
    Descriptor.standardError.tell(
      "corrections: \(outcome.summary); \(counted(conflicts.count, "conflict"))\n")
    UnusedCorrections(corrections, at: try options.stores.locate()).tell()
  }
}

extension JSONLines {
  /// Reads corrections that a store of them can keep, all of them or none.
  fileprivate static func corrections(_ path: String, for store: CorrectionStore) throws -> [Correction] {
    try read(path) { line throws(JSONFault) in
      let correction = try CorrectionLine.read(line)
      if let reason = store.fault(of: correction) { throw JSONFault(message: reason) }
      return correction
    }
  }
}
