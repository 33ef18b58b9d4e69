import AisleCatalog
import AisleCore
public import AisleEvaluation
import AisleFiles
import AisleReporting
public import ArgumentParser

extension Agreement.Kind: ExpressibleByArgument {}

struct AgreementCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "agreement", abstract: "Show how far the labels of two people agree.",
    discussion: """
      Compares the items that both files have: the share that got the same section, with its 95% interval; Cohen's kappa, the \
      agreement beyond chance, with its interval; and each item on which the two disagree, with what each says and the file and \
      line of each. In a pipe, columns are separated by tabs. Of several labels, the first one counts. Items are the same if they \
      are written the same, except for the case of letters.

      Examples:
        aisle corpus agreement anna.tsv ben.tsv
        aisle corpus agreement anna.tsv ben.tsv --by shelf
        aisle corpus agreement anna.tsv ben.tsv --reporter json

      Exit codes: 0 done, with or without disagreements; 2 a file has errors, or the two have no items in common; 64 usage.
      """)

  @Argument(help: "The first person's corpus file, or a folder of them.", completion: .file(extensions: ["tsv"]))
  var first: String

  @Argument(help: "The second person's labels.", completion: .file(extensions: ["tsv"]))
  var second: String

  @Option(
    help: ArgumentHelp(
      "What must be the same: section (what the labels stand for in the store) or shelf (the labels themselves).",
      valueName: "section|shelf"))
  var by = Agreement.Kind.section

  @Option(help: "Report format: text or json.")
  var reporter = AgreementFormat.text

  @Option(
    help: ArgumentHelp("The store (default: $AISLE_STORE, then the configuration, then kroger).", valueName: "id"),
    completion: NameCompletion.store)
  var store: String?

  @OptionGroup var stores: StoreOptions

  @Option(help: "Color: auto, always, or never. NO_COLOR is respected.")
  var color = ColorChoice.auto

  @MainActor
  func run() async throws {
    let (taxonomy, locator) = try stores.open(store)
    let sides = try [first, second].map { try CorpusReader.readLabeled([$0], in: taxonomy, at: locator) }
    let agreement = Agreement(sides[0], sides[1], by: by, in: taxonomy)
    if agreement.share.total == 0 {
      throw CommandFailure(
        description: agreement.inapplicable > 0
          ? "\(first), \(second): no label of the items in both has a section in \(taxonomy.store); name another --store"
          : "\(first), \(second): no items in common; name two files with labels of the same list")
    }
    let isText = reporter == .text
    let report = AgreementReporter(
      style: isText ? color.style(for: .standardOutput, environment: Environment.all) : .plain)
    let output = isText ? Array(report.text(agreement).utf8) : report.json(agreement)
    try output.withUnsafeBytes { try Descriptor.standardOutput.write($0) }
    if isText { try TextTable.write(report.rows(agreement)) }
  }
}

/// The formats that an agreement is written in.
enum AgreementFormat: String, CaseIterable, Sendable, ExpressibleByArgument {
  case text, json
}
