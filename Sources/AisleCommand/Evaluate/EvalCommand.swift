import AisleEvaluation
import AisleFiles
import AisleReporting
import ArgumentParser

struct EvalCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "eval", abstract: "Score a chain on a labeled corpus.",
    discussion: """
      Runs the chain on every item in the corpus and reports how often it is right, with the uncertainty of each figure. With \
      --baseline, it also shows what changed since then, item by item, and whether the change is more than noise. On fewer than 300 \
      items, every net loss fails.

      Several reports can be written at once: the first --reporter goes with the first --output, and so on. Without a matching \
      --output, the report is printed. Each file is replaced as a whole or not at all.

      The corpus, baseline, floors, and reports can go in aisle.yaml; then `aisle eval` alone is the gate.

      Examples:
        aisle eval
        aisle eval --split holdout --tag brand
        aisle eval --baseline corpus/baselines/kroger.json
        aisle eval --fail-under 95 --fail-under section:Produce=90
        aisle eval --reporter html --output report.html
        aisle eval --chain 'keyword>=0.8,keyword(mode=substring)' --ablate
        aisle eval --watch

      Exit codes: 0 done; 1 a regression that is more than noise, or a score below --fail-under; 2 bad data, a baseline that \
      cannot be compared, or items that a language model was to decide and did not; 64 usage.
      """)

  @OptionGroup var options: EvaluationOptions

  @Option(
    help: ArgumentHelp(
      "Compare with this baseline or json report; `off` for none (default: the configuration).", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var baseline: String?

  @OptionGroup var gate: GateOptions

  @OptionGroup var reports: ReportOptions

  @Flag(
    help: ArgumentHelp(
      "Also score the chain without each of its strategies and in other orders.",
      discussion: "A language model is not asked again: there, it only answers the items that it decided in the whole chain."))
  var ablate = false

  @Option(
    name: .customLong("repeat"), help: ArgumentHelp("Run this many times, each time in a different order.", valueName: "count"))
  var runs = 1

  @Flag(help: "Score again whenever a taxonomy, shelf, or corpus file changes, and show what flipped.")
  var watch = false

  func validate() throws {
    if baseline?.isEmpty == true { throw ValidationError("--baseline is empty; name a file, or `off` for none.") }
    if !(1...1000).contains(runs) { throw ValidationError("--repeat must be 1 to 1000, not \(runs).") }
    if watch, ablate || runs > 1 || reports.isGiven || gate.isDemanding {
      throw ValidationError(
        "--watch only prints flips; it cannot be combined with --reporter, --output, --brief, --ablate, --repeat, or a gate.")
    }
    if baseline == "off", gate.comparesWithBaseline {
      throw ValidationError("--tolerance, --alpha, and --strict need a baseline, and --baseline is off.")
    }
  }

  @MainActor
  func run() async throws {
    if watch {
      let baseline = BaselineChoice.settle(baseline, nil)
      return try await EvaluationWatch(options: options, baseline: baseline, color: reports.color).run()
    }
    let configuration = try options.chain.stores.configuration()
    let baseline = BaselineChoice.settle(self.baseline, configuration)
    if baseline == nil, gate.comparesWithBaseline {
      throw ValidationError("--tolerance, --alpha, and --strict need a baseline; name one with --baseline.")
    }
    if baseline == nil, self.baseline == nil, let idle = configuration?.evaluation?.comparisonSetting {
      Descriptor.standardError.tell("aisle: \(idle) has no effect without a baseline; add `baseline:` under `eval:`\n")
    }
    if self.baseline == nil, let set = configuration?.evaluation?.baseline, FileReader.resolved(set.value) == nil {
      throw CommandFailure(
        description: "\(set.value): no baseline there yet, which \(set.location) names; `aisle bless` saves the first")
    }
    let reports = try reports.settle(configuration)
    // Read beside the evaluation; what is wrong with it is said before anything is reported.
    let reading = baseline.map { path in Task.detached { try BaselineFile.read(path) } }
    let prepared = try options.prepare()
    try reports.check(
      inputs: prepared.inputs
        + [baseline, configuration?.path, options.chain.corrections.settle(configuration).value].compactMap(\.self))
    let gate = try self.gate.gate(for: prepared, configuration)
    if let before = try await reading?.value, before.header.store == prepared.taxonomy.store,
      let warning = gate.warning(for: min(before.count, prepared.evaluator.count))
    {
      Descriptor.standardError.tell("aisle: \(warning)\n")
    }
    // What the comparison needs beside the answers is found while they are awaited.
    let outlining = reading.map { _ in Task.detached { [evaluator = prepared.evaluator] in evaluator.baselineOutline } }
    let pairing = reading.flatMap { reading in
      outlining.map { outlining in Task.detached { Pairing(try await reading.value, await outlining.value) } }
    }
    let evaluation = try await prepared.evaluator.evaluate(prepared.chain)
    let (before, outline, pairs) = (try await reading?.value, await outlining?.value, try await pairing?.value)
    let comparison = try before.map { before in
      let after = Baseline(evaluation, tool: AisleCommand.version, outline: outline)
      return try Comparison(from: before, to: after, seed: options.seed, alpha: gate.alpha, pairing: pairs)
    }
    let report = Report(
      tool: AisleCommand.version, evaluation: evaluation, comparison: comparison,
      ablation: ablate ? try await Ablation(of: evaluation, by: prepared.evaluator, seed: options.seed) : nil,
      repeats: runs > 1 ? try await repeats(evaluation, prepared) : nil,
      verdicts: gate.judge(evaluation, against: comparison))
    try reports.write { $0.write(report) }
    let undecided = prepared.chain.languageModels.compactMap(\.undecided)
    for line in undecided { Descriptor.standardError.tell("aisle: \(Style.visible(line))\n") }
    if !report.isPassed {
      if !reports.printsText {
        let diagnostics = Diagnostics(style: reports.color.style(for: .standardError, environment: Environment.all))
        for verdict in report.verdicts where !verdict.isPassed { diagnostics.error("\(verdict.name): \(verdict.detail)") }
      }
      throw ExitCode(1)
    }
    if !undecided.isEmpty { throw ExitCode(2) }
  }

  private func repeats(_ first: Evaluation, _ prepared: PreparedEvaluation) async throws -> Repeats {
    var runs = [first]
    for run in 1..<self.runs {
      runs.append(
        try await prepared.evaluator.evaluate(
          prepared.chain, comparesStrategies: false, shuffledBy: options.seed &+ UInt64(run)))
    }
    return Repeats(runs)
  }
}
