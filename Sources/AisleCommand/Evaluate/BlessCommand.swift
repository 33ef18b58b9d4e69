import AisleEvaluation
import AisleFiles
import ArgumentParser

struct BlessCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bless", abstract: "Save the current answers as the baseline to compare with.",
    discussion: """
      Runs the chain on every item in the corpus and saves each answer with its reason, one item per line, sorted. Commit the file: \
      its diffs show which items changed section. A file that is not a baseline, or is the baseline of another store, is left \
      unchanged.

      Examples:
        aisle bless
        aisle bless --baseline /tmp/before.json

      Exit codes: 0 saved; 2 bad data, the file cannot be written, or it is not a baseline of this store; 64 usage.
      """)

  @OptionGroup var options: EvaluationOptions

  @Option(
    help: ArgumentHelp(
      "The baseline; `-` prints it (default: the configuration, then baselines/STORE.json in the corpus folder).",
      valueName: "file"),
    completion: .file(extensions: ["json"]))
  var baseline: String?

  func validate() throws {
    if baseline?.isEmpty == true { throw ValidationError("--baseline is empty; name a file.") }
  }

  @MainActor
  func run() async throws {
    let prepared = try options.prepare()
    let path = try BaselineChoice.settle(baseline, options.chain.stores.configuration()) ?? standardPath(prepared)
    let isPrinted = path == "-"
    if !isPrinted { try checkReplaceable(path, store: prepared.taxonomy.store) }
    let evaluation = try await prepared.evaluator.evaluate(prepared.chain, comparesStrategies: false)
    let saved = Baseline(evaluation, tool: AisleCommand.version)
    let bytes = BaselineFile.write(saved)
    if isPrinted {
      try bytes.withUnsafeBytes { try Descriptor.standardOutput.write($0) }
    } else {
      if baseline == nil { try FileWriter.makeFolders(above: path) }
      try FileWriter.replace(path, with: bytes)
    }
    let accuracy = saved.accuracy
    Descriptor.standardError.tell(
      "\(isPrinted ? "" : "\(path): ")\(Figures.items(accuracy.total)), \(Figures.percent(accuracy.value)) right\n")
  }

  /// Refuses to replace what a mistyped name would lose: a file that is no baseline, and the baseline of another store.
  private func checkReplaceable(_ path: String, store: String) throws {
    guard FileReader.isFile(path) else { return }
    let subject = try BaselineFile.subject(of: path)
    if subject == .nothing || subject == .baseline(store: store) || subject == .baseline(store: nil) { return }
    let what =
      if case .baseline(let other?) = subject { "is the baseline of \(other), not \(store)" } else { "is not a baseline" }
    throw CommandFailure(description: "\(path): \(what); it was left unchanged; name another file with --baseline")
  }

  /// The place in the corpus folder, which is for all of its items.
  private func standardPath(_ prepared: PreparedEvaluation) throws -> String {
    guard prepared.paths.count == 1 else {
      throw CommandFailure(description: "several corpus files have no default baseline; name one with --baseline")
    }
    let corpus = prepared.paths[0]
    guard FileReader.isFolder(corpus) else {
      throw CommandFailure(
        description: "\(corpus): a single corpus file has no default baseline; name one with --baseline")
    }
    // The baseline of the whole corpus is not lost to one of a part.
    if options.split?.split != nil || !options.tag.isEmpty {
      throw CommandFailure(
        description:
          "the default baseline holds all items, and only part of the corpus was scored; name another file with --baseline")
    }
    let folder = "\(corpus)/baselines"
    try FileWriter.makeFolder(folder)
    return "\(folder)/\(prepared.taxonomy.storeWithLanguages).json"
  }
}
