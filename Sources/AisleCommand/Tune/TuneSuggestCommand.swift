import AisleCatalog
import AisleCore
import AisleEvaluation
import AisleFiles
import AisleReporting
import AisleTuning
import ArgumentParser
import LearnedStrategy

struct TuneSuggestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "suggest", abstract: "Propose keyword changes based on mistakes.",
    discussion: """
      Looks at the items of the tune split that have a wrong answer or none, and at corrections. Finds words that could be keywords, \
      and keywords that are too strong or too weak. Tries each change on all items and shows the changes that gain, each measured \
      on its own. Changes that lose on the holdout are left out; holdout items are counted, but never shown.

      With --interactive, asks about each proposal: y writes it to the files at once, n rejects it, u undoes the last decision, and \
      q quits.

      Examples:
        aisle tune suggest
        aisle tune suggest --limit 50 --format tsv
        aisle tune suggest --interactive

      Exit codes: 0 done; 2 bad data, no terminal for --interactive, or a file that cannot be written; 64 usage; 130 interrupted.
      """)

  @OptionGroup var options: TuningOptions

  @Flag(name: .shortAndLong, help: "Accept or reject proposals one by one, with single keys.")
  var interactive = false

  @Option(help: ArgumentHelp("The most proposals to show.", valueName: "count"))
  var limit = 20

  @Option(help: ArgumentHelp("How many items of each kind to show per proposal.", valueName: "count"))
  var examples = 3

  @Option(help: "Output format: text, tsv, or jsonl.")
  var format = RowFormat.text

  @Option(help: "Color: auto, always, or never. NO_COLOR is respected.")
  var color = ColorChoice.auto

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit must be 1 or more.") }
    if examples < 0 { throw ValidationError("--examples must be 0 or more.") }
    if interactive, format != .text {
      throw ValidationError("--interactive asks on the terminal; it cannot be combined with --format.")
    }
    if options.split != nil {
      throw ValidationError("Proposals are found on the tune split and checked on the holdout; drop --split.")
    }
  }

  @MainActor
  func run() async throws {
    var keys: KeyReader?
    if interactive {
      keys = KeyReader()
      if keys == nil {
        throw CommandFailure(description: "standard input is not a terminal; without --interactive, the proposals are printed")
      }
    }
    let prepared = try options.prepare { $0 }
    if prepared.chain.chain.links.contains(where: { $0.strategy is any MeteredStrategy }) {
      throw TuningError(
        "the chain \(prepared.chain.text) would ask a language model for every proposal; name a chain without one")
    }
    let folder = try prepared.locator.folderForChanges()
    var items = TuningItems(
      prepared.corpus, prepared.expectations, entries: prepared.evaluator.entries, taxonomy: prepared.taxonomy)
    try addCorrections(to: &items, prepared.taxonomy)
    let settled = try options.chain.settle()
    let open: ProposalSearch.Opening = { folder in
      var settled = settled
      settled.locator = StoreLocator(source: .folder(folder))
      let opened = try settled.open(host: .evaluation)
      return (opened.taxonomy, opened.chain)
    }
    let progress = StepProgress()
    let search = try await ProposalSearch(items, in: folder, open: open, progress: { try progress.show($0, $1, $2) })
    let (proposals, refused) = try await search.run(limit: limit)
    progress.clear()
    let style = color.style(for: .standardOutput, environment: Environment.all)
    let text = ProposalText(items: items, taxonomy: prepared.taxonomy, style: style, examples: examples)
    var output = ""
    switch format {
    case .tsv, .jsonl: output = ProposalRows.write(proposals, of: items, isJSON: format == .jsonl)
    case .text: output = summary(search, items, proposals.count, refused)
    }
    if format == .text, !interactive {
      var isSmall = false
      for (place, proposal) in proposals.enumerated() {
        if !isSmall, proposal.gain == 1, proposal.holdoutGain == 0 {
          isSmall = true
          output += "\nFrom here on, each proposal gains only one item: accept it only if it would help other items too.\n"
        }
        output += "\n" + text.text(proposal, number: "\(place + 1)")
      }
      if let first = proposals.first {
        output +=
          "\nTo apply one: aisle tune try \(first.edits.map { $0.description.shellQuoted }.joined(separator: " ")) --apply\n"
      }
    }
    try output.withUTF8 { try Descriptor.standardOutput.write(UnsafeRawBufferPointer($0)) }
    guard let keys, !proposals.isEmpty else { return }
    var review = ProposalReview(
      proposals, search, items: items, in: folder, keys: keys, style: style, examples: examples, open: open)
    keys.open()
    defer { keys.close() }
    try await review.run()
  }

  /// Adds what people corrected for the store, where there is anything.
  @MainActor
  private func addCorrections(to items: inout TuningItems, _ taxonomy: Taxonomy) throws {
    let file = options.chain.corrections.settle(try options.chain.stores.configuration())
    guard let path = file.value else { return }
    // A file that is only looked for by default may not be there yet.
    if file.origin == "default", !FileReader.isFile(path) { return }
    for correction in try CorrectionStore(path, access: .reading).corrections() where correction.store == taxonomy.store {
      guard let section = taxonomy.section(named: correction.section), !correction.item.isEmpty else { continue }
      items.addCorrection(
        correction.item, section: section,
        shelf: correction.shelf.flatMap { taxonomy.shelf(named: $0) }.flatMap {
          taxonomy[$0].section == section ? $0 : nil
        })
    }
  }

  private func summary(_ search: ProposalSearch, _ items: TuningItems, _ count: Int, _ refused: Int) -> String {
    let (tune, holdout) = (search.right(.tune), search.right(.holdout))
    var text =
      "\(Figures.count(tune.total)) items to tune on, \(Figures.count(tune.total - tune.right)) of them wrong; "
      + "\(Figures.count(holdout.total)) holdout items to check on\n"
    let corrections = items.items.count(where: \.isCorrection)
    if corrections > 0 {
      text +=
        "\(Figures.count(corrections)) of the items to tune on \(corrections == 1 ? "is a correction" : "are corrections")\n"
    }
    text += Figures.count(count, "proposal")
    if count == limit { text += " (--limit for more)" }
    if refused > 0 { text += "; \(Figures.count(refused)) more would gain on the tune split but lose on the holdout" }
    return text + "\n"
  }
}
