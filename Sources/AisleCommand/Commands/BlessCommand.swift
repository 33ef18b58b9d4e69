import AisleEvaluation
import AisleFiles
import ArgumentParser

struct BlessCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bless", abstract: "Save today's answers as the baseline to compare with.",
    discussion: """
      Asks the chain for every item of the corpus and saves each answer with its reason, one item a line, sorted. Commit the file: \
      its changes show which items changed hands.

      Examples:
        aisle bless
        aisle bless --baseline /tmp/before.json

      Exit codes: 0 saved; 2 bad data, or the file cannot be written; 64 usage.
      """)

  @OptionGroup var options: EvaluationOptions

  @Option(
    help: ArgumentHelp("The baseline (default: baselines/STORE.json in the corpus folder).", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var baseline: String?

  @MainActor
  func run() async throws {
    let prepared = try options.prepare()
    let path = try baseline ?? standardPath(prepared)
    let evaluation = try await prepared.evaluator.evaluate(prepared.chain, comparesStrategies: false)
    let saved = Baseline(evaluation, tool: AisleCommand.version)
    try FileWriter.replace(path, with: BaselineFile.write(saved))
    let accuracy = saved.accuracy
    Descriptor.standardError.tell(
      "\(path): \(Figures.count(accuracy.total)) items, \(Figures.percent(accuracy.value)) right\n")
  }

  private func standardPath(_ prepared: PreparedEvaluation) throws -> String {
    guard prepared.paths.count == 1, FileReader.isFolder(prepared.paths[0]) else {
      throw CommandFailure(description: "several corpus files, so the baseline has no place of its own; name it with --baseline")
    }
    let folder = "\(prepared.paths[0])/baselines"
    try FileWriter.makeFolder(folder)
    return "\(folder)/\(prepared.taxonomy.store).json"
  }
}
