import AisleCatalog
import AisleCore
import AisleFiles
import AisleReporting
import AisleTesting
import ArgumentParser
import ProcessStrategy

struct TestStrategy: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Test whether a program works as a strategy.",
    discussion: """
      Starts the program and runs it through the same cases as the built-in strategies: no items, one item, 10,000 items, arbitrary \
      bytes, its own examples, and the same answers in batches of any size. Prints one line per case as it finishes. A program that \
      is too slow to answer all items within the budget is asked about fewer, and a line says how many. With --item, the program \
      is asked about these items only, and the conversation is shown.

      Examples:
        aisle strategies test -- ./my-strategy
        aisle strategies test --timeout 60 -- python3 my-strategy.py --fast
        aisle strategies test --budget 3600 -- ./my-slow-strategy
        aisle strategies test --environment MY_SERVICE_TOKEN -- ./my-strategy
        aisle strategies test --item 'oat milk' --item kale -- ./my-strategy

      Exit codes: 0 every case passed; 1 a case failed; 2 the program cannot be started; 64 usage.
      """)

  @Option(
    help: ArgumentHelp(
      "The store to describe to the program (default: $AISLE_STORE, then the configuration, then kroger).", valueName: "id"),
    completion: NameCompletion.store)
  var store: String?

  @OptionGroup var stores: StoreOptions

  @Option(help: ArgumentHelp("The time limit for 64 items, including the start.", valueName: "seconds"))
  var timeout = 10.0

  @Option(help: ArgumentHelp("The approximate time for all cases, not counting the start.", valueName: "seconds"))
  var budget = 60.0

  @Option(help: ArgumentHelp("Ask about this item. Repeatable.", valueName: "text"))
  var item: [String] = []

  @Option(
    help: ArgumentHelp(
      "Pass this variable to the program even if its name suggests that it holds a key. Repeatable.", valueName: "name"))
  var environment: [String] = []

  private static let longestBudget = 86_400.0

  @Argument(parsing: .postTerminator, help: "The program and its arguments, after `--`.")
  var command: [String]

  func validate() throws {
    if command.first?.isEmpty != false { throw ValidationError("Name the program after `--`, e.g. -- ./my-strategy") }
    for name in environment {
      if let fault = Configuration.Program.fault(ofVariable: name) { throw ValidationError("--environment: \(fault).") }
    }
    if !(timeout > 0 && timeout <= Configuration.longestTimeout) {
      throw ValidationError("--timeout must be more than 0 and at most \(Int(Configuration.longestTimeout)) seconds.")
    }
    if !(budget > 0 && budget <= Self.longestBudget) {
      throw ValidationError("--budget must be more than 0 and at most \(Int(Self.longestBudget)) seconds.")
    }
  }

  @MainActor
  func run() async throws {
    let configuration = try stores.configuration()
    let variable = Environment.all["AISLE_STORE"].flatMap { $0.isEmpty ? nil : $0 }
    let (taxonomy, _) = try stores.locate(configuration).open(store ?? variable ?? configuration?.store?.value ?? "kroger")
    var settings = ProcessStrategy.Settings(
      name: "program", command: command, timeout: .seconds(timeout), isRequired: true, isStrict: item.isEmpty)
    settings.environment = environment
    if !item.isEmpty { settings.trace = { try? Self.write($0) } }
    let host = StrategyHost.command
    let strategy = ProcessStrategy(settings, taxonomy: taxonomy, interruption: host.interruption, remark: host.remark)
    let introduction: Introduction
    do {
      introduction = try await strategy.introduce()
    } catch let failure as ProcessFailure where failure.reason != .cannotStart && failure.reason != .refused {
      try Self.write("failed    introduction: \(failure.message)")
      throw ExitCode(1)
    }
    if item.isEmpty {
      try await check(strategy, introduction, taxonomy)
    } else {
      var batch = Batch(item, taxonomy: taxonomy)
      do {
        try await strategy.decide(&batch)
      } catch let failure as ProcessFailure {
        try Self.write("failed    \(failure.message)")
        throw ExitCode(1)
      }
    }
  }

  /// Runs the conformance kit.
  private func check(_ strategy: ProcessStrategy, _ introduction: Introduction, _ taxonomy: Taxonomy) async throws {
    let summary = introduction.summary.map { ": \($0)" } ?? ""
    try Self.write("\(introduction.programName) \(introduction.programVersion), protocol \(introduction.version)\(summary)")
    var cases = Set(ConformanceCase.allCases)
    if introduction.examples.isEmpty { cases.subtract([.metadata, .examples]) }
    let report = ConformanceReport()
    // How long a request may take is the strategy's to watch: 10,000 items are 157 of them.
    let failures = await StrategyConformance.check(
      strategy, taxonomy: taxonomy, cases: cases,
      limits: .init(call: .seconds(timeout * 2_000), budget: .seconds(budget)), report: report.tell)
    try Interruption.check()
    try report.end(failures, ran: cases)
    if !failures.isEmpty { throw ExitCode(1) }
  }

  private static func write(_ line: String) throws { try ConformanceReport.write(line) }
}
