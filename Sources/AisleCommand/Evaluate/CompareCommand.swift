import AisleEvaluation
import AisleReporting
import ArgumentParser

struct CompareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Show what changed between two saved evaluations.",
    discussion: """
      Shows the items that flipped in each direction, with the reasons before and after; whether the change is more than noise (`~` \
      marks changes that are not); and the change in each section. Evaluations of different corpora are compared on the items they \
      share. A saved evaluation is a baseline from `aisle bless` or a report from `aisle eval --reporter json`.

      Examples:
        aisle compare before.json after.json
        aisle compare --tolerance 0.5 --alpha 0.01 before.json after.json
        aisle compare --reporter html --output change.html before.json after.json

      Exit codes: 0 no regression; 1 a regression beyond --tolerance that is more than noise, or with --strict any loss; 2 a file \
      is not a saved evaluation, or the two cannot be compared; 64 usage.
      """)

  @Argument(help: "The earlier baseline, or json report.", completion: .file(extensions: ["json"]))
  var before: String

  @Argument(help: "The later baseline, or json report.", completion: .file(extensions: ["json"]))
  var after: String

  @OptionGroup var change: ChangeOptions

  @OptionGroup var reports: ReportOptions

  @Option(help: ArgumentHelp("How many flips of each kind to show.", valueName: "count"))
  var show = 50

  @Option(help: ArgumentHelp("The seed for the bootstrap.", valueName: "number"))
  var seed: UInt64 = 1

  func validate() throws { if show < 0 { throw ValidationError("--show must be 0 or more.") } }

  @MainActor
  func run() async throws {
    let reports = try reports.settle(nil, shown: show)
    try reports.check(inputs: [before, after])
    let gate = change.gate(nil)
    let comparison = try Comparison(from: BaselineFile.read(before), to: BaselineFile.read(after), seed: seed, alpha: gate.alpha)
    let report = ChangeReport(tool: AisleCommand.version, comparison: comparison, verdicts: gate.judge(comparison))
    try reports.write { $0.write(report) }
    if !report.isPassed { throw ExitCode(1) }
  }
}
