import AisleCore
import AisleReporting
import ArgumentParser
import LearnedStrategy

struct CorrectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "correct", abstract: "Teach the section of an item, or of many items from a pipe.",
    discussion: """
      From then on, the item and its close variants get this section; `--explain` shows who taught it and when. Naming a shelf \
      teaches the shelf's section, and also teaches other stores that have the shelf. The first correction creates the file.

      `-` in place of an item reads lines of standard input: item, tab, section or shelf, as `aisle categorize` writes them; or JSON \
      objects with `item` and `section`. Further columns and fields are ignored. A line that is wrong is reported, and the others are \
      taught, unless --all-or-nothing. `aisle corrections undo` undoes them all.

      Examples:
        aisle correct 'oat milk' 'Dairy & Eggs'
        aisle correct 'oat milk' plant-milk
        aisle correct 'gochujang' International --by jane --store kroger
        aisle correct - < edited.tsv
        aisle corrections undo

      Exit codes: 0 done; 2 no such section or store, a line is wrong, or the file cannot be written; 64 usage.
      """)

  @Argument(help: "The item; `-` reads items with their sections from standard input.")
  var item: String

  @Argument(help: "The section that the item belongs to, or its shelf.", completion: NameCompletion.section)
  var section: String?

  @Flag(help: "With `-`: teach nothing if any line is wrong.")
  var allOrNothing = false

  @Option(
    help: ArgumentHelp("The store (default: $AISLE_STORE, then the configuration, then kroger).", valueName: "id"),
    completion: NameCompletion.store)
  var store: String?

  @Option(help: ArgumentHelp("Who makes the correction (default: your user name).", valueName: "name"))
  var by: String?

  @OptionGroup var options: CorrectionStoreOptions

  func validate() throws {
    if item != "-" && section == nil {
      throw ValidationError(
        "Name a section or shelf: aisle correct \(item.shellWord) SECTION. `aisle stores show` lists the sections.")
    }
    if allOrNothing, item != "-" || section != nil {
      throw ValidationError("--all-or-nothing is for items from standard input: aisle correct --all-or-nothing -")
    }
  }

  @MainActor
  func run() async throws {
    let (taxonomy, _) = try options.stores.open(store)
    let origin = Origin(proposer: try Person.named(by), time: Timestamp.now)
    guard let section else {
      return try PipedCorrections(taxonomy: taxonomy, origin: origin).teach(allOrNothing: allOrNothing, options.open(.writing))
    }
    let (name, shelf) = try SectionName.findSectionOrShelf(section, in: taxonomy)
    let replaced = try options.open(.writing).correct(
      Correction(store: taxonomy.store, item: item, section: name, shelf: shelf, origin: origin))
    try TextTable.write([[item, name].map(Style.visible)])
    if let replaced, replaced.section != name {
      Descriptor.standardError.tell("it was \(replaced.section), by \(replaced.origin.proposer)\n")
    }
  }
}
