import AisleCore
import AisleReporting
import ArgumentParser
import LearnedStrategy

struct CorrectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "correct", abstract: "Teach the section of an item.",
    discussion: """
      From then on, the item and its close variants get this section; `--explain` shows who taught it and when. Naming a shelf \
      teaches the shelf's section, and also teaches other stores that have the shelf. The first correction creates the file.

      Examples:
        aisle correct 'oat milk' 'Dairy & Eggs'
        aisle correct 'oat milk' plant-milk
        aisle correct 'gochujang' International --by jane --store kroger
        aisle corrections undo

      Exit codes: 0 done; 2 no such section or store, or the file cannot be written; 64 usage.
      """)

  @Argument(help: "The item.")
  var item: String

  @Argument(help: "The section that the item belongs to, or its shelf.", completion: NameCompletion.section)
  var section: String

  @Option(
    help: ArgumentHelp("The store (default: $AISLE_STORE, then the configuration, then kroger).", valueName: "id"),
    completion: NameCompletion.store)
  var store: String?

  @Option(help: ArgumentHelp("Who makes the correction (default: your user name).", valueName: "name"))
  var by: String?

  @OptionGroup var options: CorrectionStoreOptions

  @MainActor
  func run() async throws {
    let id = ChainChoice.store(store, try options.stores.configuration()).value
    let (taxonomy, _) = try options.stores.locate().open(id)
    let (section, shelf) = try SectionName.findSectionOrShelf(section, in: taxonomy)
    let origin = Origin(proposer: by ?? Person.name, time: Person.now)
    let replaced = try options.open(.writing).correct(
      Correction(store: taxonomy.store, item: item, section: section, shelf: shelf, origin: origin))
    try TextTable.write([[item, section].map(Style.visible)])
    if let replaced, replaced.section != section {
      Descriptor.standardError.tell("it was \(replaced.section), by \(replaced.origin.proposer)\n")
    }
  }
}
