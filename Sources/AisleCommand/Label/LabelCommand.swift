import AisleCatalog
import AisleCore
public import AisleEvaluation
import AisleFiles
import AisleReporting
public import ArgumentParser

extension LabelOrder: ExpressibleByArgument {}

struct LabelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "label", abstract: "Label items on the terminal, one key per label.",
    discussion: """
      Shows one item after another, with the chain's answer and the reasons for it. Enter accepts the answer, a digit chooses another \
      label that is shown, and / searches for a shelf or section by a few letters or a product. + gives an item several labels, s skips, u \
      goes back and removes the label, and q quits. Works on any terminal, even over ssh and without color.

      The labels are added to a corpus file, each at once, so that nothing is lost if the run is cut short. Items that have a label \
      in this file are not asked about again: the same command continues where the last run ended. A list has one item per line; in a file \
      whose name ends in .tsv, the item is the first column.

      Examples:
        aisle label list.txt --to my-items.tsv
        aisle label list.txt --to my-items.tsv --order disagree --sample 50
        aisle label list.txt --to my-items.tsv --order random --tag list --tag plain

      Exit codes: 0 done; 2 no terminal, no items, or a file that cannot be read or written; 64 usage; 130 interrupted.
      """)

  @Argument(help: "Lists of items.", completion: .file())
  var files: [String]

  @Option(
    help: ArgumentHelp(
      "The corpus file that the labels are added to (default: labels.tsv in the nearest `corpus` folder, here or above).",
      valueName: "file"), completion: .file(extensions: ["tsv"]))
  var to: String?

  @Option(
    help: ArgumentHelp(
      """
      Which items come first: unsure (those that the chain is least sure about), disagree (those for which its strategies name \
      different sections), random, or file (the order of the lists).
      """,
      valueName: "unsure|disagree|random|file"))
  var order = LabelOrder.unsure

  @Option(help: ArgumentHelp("Ask about this many items at most.", valueName: "count"))
  var sample: Int?

  @Option(help: ArgumentHelp("The seed of the random order.", valueName: "number"))
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("A tag for the lines that are written. Repeatable.", valueName: "tag"))
  var tag: [String] = []

  @OptionGroup var chain: ChainOptions

  @Option(help: "Color: auto, always, or never. NO_COLOR is respected.")
  var color = ColorChoice.auto

  func validate() throws {
    if let sample, sample < 1 { throw ValidationError("--sample must be 1 or more, not \(sample).") }
    if to?.isEmpty == true { throw ValidationError("--to is empty; name a file.") }
    if files.contains("-") {
      throw ValidationError("Standard input is the keyboard here; write the items to a file, and name that file.")
    }
    if let bad = tag.first(where: { $0.isEmpty || $0.contains { $0 == "," || $0.isWhitespace } }) {
      throw ValidationError("--tag `\(bad)`: a tag is one word without commas; give each its own --tag.")
    }
  }

  @MainActor
  func run() async throws {
    guard let keys = KeyReader() else {
      throw CommandFailure(
        description: "standard input is not a terminal; "
          + "`aisle categorize \(files[0].shellWord) > labels.tsv` writes a corpus to correct in an editor instead")
    }
    let opened = try chain.open()
    let list = try readList()
    let path = try target()
    if let same = files.first(where: { FileReader.resolved($0).map { $0 == FileReader.resolved(path) } ?? false }) {
      throw CommandFailure(description: "--to \(path) is the list \(same) itself; name another file for the labels")
    }
    let file = try CorpusWriter(path, labels: Self.labels(opened))
    defer { file.removeIfEmpty() }
    if !file.findings.isEmpty { throw BrokenCorpus(findings: file.findings) }
    if let cut = try file.mend() {
      Descriptor.standardError.tell(
        Style.visible("aisle: \(path): the last line was cut short (\(cut)) and is removed; its item is asked again") + "\n")
    }
    try await review(list, opened, file, keys)
  }

  @MainActor
  private func review(_ all: LabelList, _ opened: OpenedChain, _ file: CorpusWriter, _ keys: KeyReader) async throws {
    var list = all
    let labeled = list.remove(labeledIn: file.corpus)
    let dialogue = KeyDialogue(keys)
    let path = Style.visible(file.path)
    let before =
      labeled == 0 ? "" : "; \(Figures.count(labeled)) labeled in \(path) already, \(Figures.count(list.items.count)) left"
    try dialogue.tell("\(Figures.items(all.items.count))\(before)\n")
    if list.items.isEmpty { return try dialogue.tell("nothing left to label; to score the labels: \(Self.next(path))\n") }
    if opened.chain.waits { try Threads.require(2, for: "a chain with a program or a language model") }
    let opinions = try await LabelOpinions(list.items, taxonomy: opened.taxonomy, chain: opened.chain.chain)
    let places = opinions.places(in: order, seed: seed)
    let session = LabelSession(opinions, places: Array(places.prefix(sample ?? places.count)), to: file, tags: tag)
    var review = LabelReview(
      session, search: { [taxonomy = opened.taxonomy] in LabelSearch(taxonomy) }, keys: keys,
      style: color.style(for: .standardOutput, environment: Environment.all))
    // Before the first question, so that a quick answer to it is a key already.
    keys.open()
    defer { keys.close() }
    try review.run()
    let done = review.session
    let next = done.labeled + labeled == 0 ? "" : "; to score the labels: \(Self.next(path))"
    try dialogue.tell(
      "\n\(Figures.count(done.labeled)) labeled, \(Figures.count(done.skipped)) skipped, \(Figures.count(done.left)) left\(next)\n"
    )
  }

  private static func next(_ path: String) -> String { "aisle eval --corpus \(path.shellWord)" }

  /// The items of the lists; what cannot be labeled is told.
  private func readList() throws -> LabelList {
    var list = LabelList()
    for file in files { try list.add(file) }
    let shown = 5
    for finding in list.findings.prefix(shown) { Descriptor.standardError.tell(Style.visible("aisle: \(finding)") + "\n") }
    if list.findings.count > shown {
      Descriptor.standardError.tell("aisle: and \(Figures.count(list.findings.count - shown)) more lines left out\n")
    }
    if list.items.isEmpty {
      throw CommandFailure(description: "\(files.joined(separator: ", ")): no items to label; a list has one item per line")
    }
    return list
  }

  /// The file that the labels go to.
  private func target() throws -> String {
    guard let to else {
      guard let folder = try UpwardSearch.nearestOwn("corpus", option: "--to", where: FileReader.isFolder) else {
        throw CommandFailure(
          description: "no `corpus` folder here or above; name the file for the labels with --to, as in --to labels.tsv")
      }
      return folder + "/labels.tsv"
    }
    return FileReader.isFolder(to) ? (to.hasSuffix("/") ? to : to + "/") + "labels.tsv" : to
  }

  /// All labels that a line of a corpus can have here.
  private static func labels(_ opened: OpenedChain) -> Set<String> {
    let taxonomy = opened.taxonomy
    let standard = opened.locator.sections(of: StoreLocator.standard).map(\.name)
    return Set(taxonomy.shelves.map(\.name) + taxonomy.sections.map(\.name) + standard + [Expectations.leftOver])
  }
}
