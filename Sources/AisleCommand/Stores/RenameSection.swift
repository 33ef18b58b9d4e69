import AisleCore
import ArgumentParser
import LearnedStrategy

struct RenameSection: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename-section", abstract: "Move corrections to a section's new name.",
    discussion: """
      First rename or remove the section in the store's file. Then run this command to name the section that its corrections and \
      suggestions belong to now. `aisle corrections list --orphans` shows corrections without a section; `aisle corrections undo` \
      undoes the move.

      Examples:
        aisle stores rename-section 'Frozen Foods' Frozen
        aisle stores rename-section International 'World Foods' --store kroger

      Exit codes: 0 done; 2 the old section still exists, the new one does not, or the file cannot be written; 64 usage.
      """)

  @Argument(help: "The section's old name.")
  var old: String

  @Argument(help: "The section's new name, or the section that replaces it.", completion: NameCompletion.section)
  var new: String

  @Option(
    help: ArgumentHelp("The store (default: $AISLE_STORE, then the configuration, then kroger).", valueName: "id"),
    completion: NameCompletion.store)
  var store: String?

  @OptionGroup var options: CorrectionStoreOptions

  @MainActor
  func run() async throws {
    let (taxonomy, _) = try options.stores.open(store)
    if taxonomy.section(named: old) != nil {
      throw CommandFailure(
        description: "\(taxonomy.store) still has the section `\(old)`; rename or remove it in the store's file first")
    }
    let name = try SectionName.find(new, in: taxonomy)
    guard try options.openIfThere() != nil else { return Descriptor.standardError.tell("no corrections\n") }
    let moved = try options.open(.writing).renameSection(store: taxonomy.store, from: old, to: name, time: Timestamp.now)
    if moved.corrections + moved.suggestions == 0 {
      return Descriptor.standardError.tell("no correction or suggestion of \(taxonomy.store) is in a section `\(old)`\n")
    }
    Descriptor.standardError.tell(
      "\(name): \(counted(moved.corrections, "correction")), "
        + "\(counted(moved.suggestions, "suggestion")) moved\n")
  }
}
