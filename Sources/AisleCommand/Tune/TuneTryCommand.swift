import AisleCatalog
import AisleCore
import AisleEvaluation
import AisleFiles
import AisleReporting
import AisleTuning
import ArgumentParser
import KeywordStrategy

struct TuneTryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "try", abstract: "Show what keyword changes would win and lose; --apply makes them.",
    discussion: """
      '+SHELF: keyword' adds a keyword, and '-SHELF: keyword' removes one. The signs ~, !, and ? before a keyword set its strength, \
      as in the files. With a section's name instead of a shelf's, the change applies to the section's own keywords in the store's \
      YAML file. Removing and adding the same keyword changes its strength in place.

      With --apply, changes either all files or none. Comments and order stay, and a new keyword goes next to its nearest relative.

      Examples:
        aisle tune try '+nut-butters: macadamia fudge spread'
        aisle tune try '-milk: milk' '+milk: ~milk'
        aisle tune try '+Produce: moon carrots' --apply

      Exit codes: 0 done; 2 no such shelf or keyword, bad data, or a file that cannot be written; 64 usage.
      """)

  @Argument(help: ArgumentHelp("Changes, each in quotes.", valueName: "change"))
  var edits: [String]

  @OptionGroup var options: TuningOptions

  @Flag(help: "Apply the changes to the files.")
  var apply = false

  @Option(help: ArgumentHelp("How many items of each kind to show.", valueName: "count"))
  var show = 20

  @Option(help: "Color: auto, always, or never. NO_COLOR is respected.")
  var color = ColorChoice.auto

  func validate() throws {
    if show < 0 { throw ValidationError("--show must be 0 or more.") }
    for edit in edits {
      do throws(TuningError) { _ = try KeywordEdit(edit) } catch { throw ValidationError(error.description) }
    }
  }

  /// The arguments with the changes first, so that no option takes them for its values, and with another sign in place of a `-`, which
  /// would begin an option.
  static func shielded(_ arguments: [String]) -> [String] {
    let path = [TuneCommand.configuration.commandName, configuration.commandName].compactMap(\.self)
    guard arguments.starts(with: path) else { return arguments }
    let rest = arguments.dropFirst(path.count)
    func isChange(_ argument: String) -> Bool {
      argument.contains(":") && (argument.hasPrefix("+") || argument.hasPrefix("-") && !argument.hasPrefix("--"))
    }
    let changes = rest.filter(isChange).map { $0.hasPrefix("-") ? String(KeywordEdit.minus) + $0.dropFirst() : $0 }
    return path + changes + rest.filter { !isChange($0) }
  }

  @MainActor
  func run() async throws {
    let before = try options.prepare { $0 }
    let folder = try before.locator.folderForChanges()
    let change = try StoreChange(edits.map { try KeywordEdit($0) }, to: before.taxonomy, in: folder)
    let after: PreparedEvaluation
    do { after = try options.prepare { change.folder($0) } } catch let error as BrokenStore {
      // A keyword that stands elsewhere is told as it is in the files, not on the line of a draft that nobody can see.
      if let taxonomy = try? change.folder(folder).load(before.taxonomy.store).taxonomy {
        try change.check(KeywordStrategy(taxonomy), in: taxonomy)
      }
      throw TuningError("\(error.first); nothing was changed")
    }
    if let keywords = after.chain.chain.links.lazy.compactMap({ $0.strategy as? KeywordStrategy }).first {
      try change.check(keywords, in: after.taxonomy)
    }
    let baseline = Baseline(
      try await before.evaluator.evaluate(before.chain, comparesStrategies: false), tool: AisleCommand.version)
    let changed = Baseline(try await after.evaluator.evaluate(after.chain, comparesStrategies: false), tool: AisleCommand.version)
    let text = FlipText(
      comparison: try Comparison(from: baseline, to: changed, seed: options.seed),
      difference: KeywordDifference(from: before.taxonomy, to: after.taxonomy),
      style: color.style(for: .standardOutput, environment: Environment.all), shown: show)
    var output = edited(change, text) + text.summary + text.flips
    try output.withUTF8 { try Descriptor.standardOutput.write(UnsafeRawBufferPointer($0)) }
    for stranded in try await StrandedKeyword.find(
      in: change.edits.map(\.edit), before: (before.chain, before.taxonomy), after: (after.chain, after.taxonomy))
    {
      let sections = "\(before.taxonomy[stranded.before].name) to \(after.taxonomy[stranded.after].name)"
      Descriptor.standardError.tell(
        Style.visible("aisle: the item `\(stranded.edit.text)` alone would move from \(sections)") + "\n")
    }
    if apply {
      try change.write(for: after.taxonomy, in: folder)
      for file in change.files { Descriptor.standardError.tell("changed \(Style.visible(file.path))\n") }
    }
  }

  /// The changes, a line each, with where they are and, of several, what each wins and loses.
  private func edited(_ change: StoreChange, _ text: FlipText) -> String {
    var table = Table()
    for edit in change.edits {
      let found = text.difference.changes.first { edit.edit.makes($0) }
      let counts = found.map { text.counts(of: $0) } ?? (won: 0, lost: 0)
      table.add([
        .left(Style.visible(edit.edit.description), text.style.bold),
        .left("\(Style.visible(edit.location.path)):\(edit.location.line)", text.style.dim),
        .left(change.edits.count > 1 ? "won \(counts.won), lost \(counts.lost)" : ""),
      ])
    }
    return table.render(indent: "")
  }
}

extension KeywordEdit {
  /// Whether a difference between two states of a store comes from this change.
  fileprivate func makes(_ change: KeywordDifference.Change) -> Bool {
    change.isAdded == (action == .add) && change.place.lowercased() == place.lowercased()
      && Normalizer.normalize(KeywordFile.text(change.written)) == Normalizer.normalize(text)
  }
}

extension StoreChange {
  /// Writes the changed files, all or none.
  ///
  /// - Throws: `TuningError` where another store of the folder could not be used any more; `FileError`.
  func write(for taxonomy: Taxonomy, in folder: TaxonomyFolder) throws {
    let (before, after) = (StoreLocator(source: .folder(folder)), StoreLocator(source: .folder(self.folder(folder))))
    for store in folder.stores where store != taxonomy.store {
      do { _ = try after.open(store) } catch let error as BrokenStore {
        // One that is broken already is no reason.
        if (try? before.open(store)) != nil { throw TuningError("store \(store): \(error.first); nothing was changed") }
      }
    }
    for file in files where folder.isLayered { try FileWriter.makeFolders(above: file.path) }
    try FileWriter.replace(files)
  }
}
