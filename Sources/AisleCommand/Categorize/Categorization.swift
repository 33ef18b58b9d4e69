import AisleCatalog
import AisleCore
import AisleItems
import ArgumentParser
import KeywordStrategy
import LearnedStrategy

/// What `aisle categorize` is asked for, and doing it.
struct Categorization {
  /// The files to read, `-` for standard input; standard input where there are none.
  var files: [String] = []
  /// Items to categorize instead, together at most `mostItemBytes` with a line end each.
  var items: [String] = []
  /// What a pipe holds on every system.
  static let mostItemBytes = 4096
  var chain = ChainChoice()
  /// What the command line says about the language model; `nil` where it says nothing.
  var model: ModelFlags?
  /// `nil` for what suits the input and where the output goes.
  var format: OutputFormat?
  /// What the command line says about the input.
  var input = InputSetup()
  var target: String?
  var explain = false
  /// How many cores to use; `nil` for all.
  var jobs: Int?
  var mode: KeywordStrategy.Mode?
  var lineBuffered = false
  var summary = false
  var color = ColorChoice.auto

  /// The fields or columns that the output adds to those of the input's records.
  private func added(to format: OutputFormat) -> [String] {
    let hasNames = format.isJSON && input.format != .lines || format == .csv && input.format.isTable && input.hasHeader
    guard hasNames else { return [] }
    return [target ?? "section"] + (explain ? Array(Explanation.columns.dropFirst()) : [])
  }

  private func setup(for format: OutputFormat) -> InputSetup {
    var setup = input
    setup.added = added(to: format)
    setup.needsDistinctColumns = input.format.isTable && format.isJSON
    // What is typed as an item is one.
    if !items.isEmpty { setup.isFormatNamed = true }
    return setup
  }

  private func reader(of paths: [String], _ setup: InputSetup, _ diagnostics: Diagnostics) -> BlockReader {
    var reader = BlockReader(paths: paths, setup: setup, isLineBuffered: lineBuffered)
    if !items.isEmpty {
      let text = Array(items.joined(separator: "\n").utf8) + [0x0A]
      reader.open = { _ in try Descriptor.holding(text) }
    }
    reader.remark = { diagnostics.error($0) }
    return reader
  }

  @MainActor
  func run() async throws {
    let environment = Environment.all
    let diagnostics = Diagnostics(style: color.style(for: .standardError, environment: environment))
    var settled = try chain.settle(model: model)
    if let mode {
      settled.chain = Settled(value: try ChainSpecification("keyword(mode=\(mode.rawValue))"), origin: "--mode")
      settled.addModel()
    }
    let format = self.format ?? defaultFormat
    let paths = !items.isEmpty ? ["--item"] : files.isEmpty ? ["-"] : files
    let setup = setup(for: format)
    let progress = Progress(isOutputLast: format.isGrouped, readsInput: paths.contains("-"))
    let reader = reader(of: paths, setup, diagnostics)
    let languages = settled.locator.languages
    let first = languages.isPerList && languages.known.count > 1 ? try FirstBlock(reader, setup) : nil
    let language = try first.map { try settled.speak(asIn: $0.text, $0.items.extents) }
    let opened = try settled.open {
      diagnostics.error("\(($0 as? CorrectionStoreError)?.advised ?? "\($0)"); continuing without corrections")
    }
    let taxonomy = opened.taxonomy
    if opened.chain.waits { try Threads.require(2, for: "a chain with a program or a language model") }
    let categorizer = try Categorizer(taxonomy: taxonomy, chain: opened.chain.chain)
    let metadata = explain || summary ? categorizer.chain.links.map(\.strategy.metadata) : []
    let explained = explain ? metadata : nil
    let models = opened.chain.languageModels
    AisleCommand.modelRecord.onRequest { progress.count($0) }
    // Never freed, since the process ends with the run: to take it apart would take a thirtieth of a run on one item.
    let pipeline = UnsafeMutablePointer<Pipeline>.allocate(capacity: 1)
    pipeline.initialize(
      to: Pipeline(
        categorizer: categorizer, setup: setup, makePresenter: { presenter(format, taxonomy, explained, $0) },
        jobs: jobs ?? Environment.processorCount, isLineBuffered: lineBuffered, output: .standardOutput, diagnostics: diagnostics)
    )
    var list = ShoppingList(
      taxonomy: taxonomy, explained: explained, style: color.style(for: .standardOutput, environment: environment))
    var configuration = AisleConfiguration(taxonomy: taxonomy)
    pipeline.pointee.missingFileHint = "; --item takes the text of an item itself"
    pipeline.pointee.deferral = opened.chain.deferral(
      atATime: settled.model.setup.concurrency, items: settled.model.setup.batchSize)
    var totals = Summary()
    let needsTotals = summary
    let fallback = taxonomy[taxonomy.fallback].name
    var faults = 0
    pipeline.pointee.onResult = { work in
      faults += work.list.faults.count
      if format.isGrouped {
        // Nothing is written until all is read, which nobody may wait for any more.
        try Descriptor.standardOutput.checkReader()
        if format == .list { try list.add(work) } else { configuration.add(work) }
      }
      if needsTotals { totals.add(work, metadata: metadata) }
      progress.advance(by: work.batch.count)
    }
    pipeline.pointee.onOversized = { start in
      faults += 1
      if format == .list { try list.add(start, to: fallback) }
      if needsTotals { totals.addOversized(fallback: fallback) }
    }
    if let first { try await pipeline.pointee.run(first) } else { try await pipeline.pointee.run(reader) }
    progress.clear()
    if format == .list { try list.write(to: .standardOutput) }
    if format == .aisleConf {
      try configuration.write(to: .standardOutput)
      if configuration.omitted > 0 {
        faults += configuration.omitted
        diagnostics.error("items that begin with [ cannot be in aisle.conf; left out: \(configuration.omitted)")
      }
    }
    totals.language = language
    if summary { Descriptor.standardError.tell(totals.render(taxonomy) + models.map { ModelSummary.render($0) }.joined()) }
    let undecided = models.compactMap(\.undecided)
    for line in undecided { diagnostics.error(line) }
    if pipeline.pointee.failures > 0 || faults > 0 || !undecided.isEmpty { throw ExitCode(2) }
  }

  private var defaultFormat: OutputFormat {
    if Descriptor.standardOutput.isTerminal { return .list }
    switch input.format {
    case .lines: return .tsv
    case .jsonl: return .jsonl
    case .json: return .json
    case .csv, .tsv: return .csv
    }
  }

  private func presenter(
    _ format: OutputFormat, _ taxonomy: Taxonomy, _ explained: [StrategyMetadata]?, _ header: Header?
  ) -> (any Presenter)? {
    let fallback = taxonomy[taxonomy.fallback].name
    let target = target ?? "section"
    switch format {
    case .tsv: return TSVPresenter(taxonomy: taxonomy, input: input.format, explained: explained)
    case .csv:
      // Rows come back as they were; CSV that was asked for is what it is everywhere.
      let dialect = input.format == .tsv && self.format != nil ? .csv : input.dialect
      return CSVPresenter(
        input: input.format, header: header, source: input.dialect, dialect: dialect, target: target, explained: explained,
        fallback: fallback)
    case .jsonl, .json:
      return JSONLinePresenter(
        input: input.format, isArray: format == .json, columns: header?.columns ?? [], source: input.dialect, target: target,
        explained: explained, fallback: fallback)
    case .list, .aisleConf: return nil
    }
  }
}

extension Categorization {
  /// What a command line without options asks for: what the argument parser would make of it, at a hundredth of the cost, which is
  /// half of what a run on one item takes.
  ///
  /// - Parameter arguments: What follows the tool's name. The result is `nil` where they are not `categorize` and files or nothing,
  ///   or one of them may be an option.
  init?(withoutOptions arguments: ArraySlice<String>) {
    guard arguments.first == "categorize", arguments.allSatisfy({ $0 == "-" || !$0.hasPrefix("-") }) else { return nil }
    self.init()
    files = Array(arguments.dropFirst())
    // The parser says what is wrong with files of several formats.
    guard let input = try? InputSetup(files: files) else { return nil }
    self.input = input
  }
}
