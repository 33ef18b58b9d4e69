import AisleEvaluation
import AisleReporting
import ArgumentParser

struct CompareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Show what changed between two saved evaluations.",
    discussion: """
      Shows the items that flipped in each direction, with the reasons before and after; whether the change is more than noise (`~` \
      marks changes that are not); and the change in each section. Evaluations of different corpora are compared on the items they \
      share.

      Examples:
        aisle compare before.json after.json
        aisle compare --tolerance 0.5 --alpha 0.01 before.json after.json

      Exit codes: 0 no regression; 1 a regression beyond --tolerance that is more than noise, or with --strict any loss; 2 a file \
      is not a baseline, or the two cannot be compared; 64 usage.
      """)

  @Argument(help: "The earlier baseline.", completion: .file(extensions: ["json"]))
  var before: String

  @Argument(help: "The later baseline.", completion: .file(extensions: ["json"]))
  var after: String

  @OptionGroup var change: ChangeOptions

  @Option(help: "Report format: text or json.")
  var reporter = ComparisonFormat.text

  @Option(help: ArgumentHelp("How many flips of each kind to show.", valueName: "count"))
  var show = 50

  @Option(help: ArgumentHelp("The seed for the bootstrap.", valueName: "number"))
  var seed: UInt64 = 1

  @Option(help: "Color: auto, always, or never. NO_COLOR is respected.")
  var color = ColorChoice.auto

  func validate() throws { if show < 0 { throw ValidationError("--show must be 0 or more.") } }

  @MainActor
  func run() async throws {
    let comparison = try Comparison(from: BaselineFile.read(before), to: BaselineFile.read(after), seed: seed)
    let verdicts = change.gate.judge(comparison)
    let text = TextReporter(style: color.style(for: .standardOutput, environment: Environment.all), shown: show)
    let output =
      switch reporter {
      case .text: Array((text.render(comparison) + text.render(verdicts)).utf8)
      case .json: JSONReporter().write(comparison, verdicts)
      }
    try output.withUnsafeBytes { try Descriptor.standardOutput.write($0) }
    if !verdicts.allSatisfy(\.isPassed) { throw ExitCode(1) }
  }
}

/// The formats that a comparison is written in.
enum ComparisonFormat: String, CaseIterable, Sendable, ExpressibleByArgument {
  case text, json
}
