import AisleCatalog
import AisleCore
import AisleEvaluation
import AisleReporting
import AisleTuning

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Scores again whenever a file that matters changes, and says what flipped since the run before, or since a baseline.
struct EvaluationWatch<Default: DefaultChain> {
  let options: EvaluationOptionsOf<Default>
  let baseline: String?
  let color: ColorChoice
  /// Whether it is told which keyword made an item flip, and what was changed in the files.
  var tellsCauses = false

  /// How often the files are looked at, in milliseconds: a look costs a `stat` a file.
  private static var interval: Int32 { 60 }

  /// Watches until a signal ends it.
  ///
  /// - Throws: `Interruption`; what makes the first run impossible.
  @MainActor
  func run() async throws {
    let environment = Environment.all
    let text = TextReporter(style: color.style(for: .standardOutput, environment: environment))
    let diagnostics = Diagnostics(style: color.style(for: .standardError, environment: environment))
    var before = try baseline.map { try BaselineFile.read($0) }
    let files = try WatchedFiles(
      locator: options.chain.stores.locate(), corpus: options.corpus.paths(options.chain.stores.configuration()),
      languages: options.prepare().taxonomy.languages.map(\.id))
    var seen = files.stamp
    var isFirst = true
    var taxonomy: Taxonomy?
    while true {
      do {
        let prepared = try options.prepare()
        let evaluation = try await prepared.evaluator.evaluate(prepared.chain, comparesStrategies: false)
        let after = Baseline(evaluation, tool: AisleCommand.version)
        var output = ""
        if let before {
          let comparison = try Comparison(from: before, to: after, seed: options.seed)
          output = tellsCauses ? causes(comparison, taxonomy ?? prepared.taxonomy, prepared.taxonomy) : text.render(comparison)
        }
        taxonomy = prepared.taxonomy
        output += "\(Figures.percent(after.accuracy.value)) of \(Figures.count(after.accuracy.total)) items right\n"
        if isFirst { output += "watching \(files.description); press Ctrl-C to stop\n" }
        try output.withUTF8 { try Descriptor.standardOutput.write(UnsafeRawBufferPointer($0)) }
        if baseline == nil || before == nil { before = after }
      } catch let error where !isFirst && !(error is Interruption) && !(error is StreamError) {
        // A file that is broken while it is being edited is said, and looked at again when it is saved.
        diagnostics.error("\(error)")
      }
      isFirst = false
      seen = try wait(for: files, since: seen)
    }
  }

  /// What was changed, a line each, and the flips with their causes.
  private func causes(_ comparison: Comparison, _ before: Taxonomy, _ after: Taxonomy) -> String {
    let difference = KeywordDifference(from: before, to: after)
    let style = color.style(for: .standardOutput, environment: Environment.all)
    let flips = FlipText(comparison: comparison, difference: difference, style: style, shown: 20)
    let lines = difference.changes.prefix(10).map { change in
      style.bold(Style.visible(change.text)) + style.dim("  \(Style.visible(change.location.path)):\(change.location.line)")
        + "\n"
    }
    let rest = difference.changes.count - lines.count
    let changes = lines.joined() + (rest > 0 ? style.dim("and \(Figures.count(rest)) more changes") + "\n" : "")
    return "\n" + (changes.isEmpty ? "no keywords changed\n" : changes) + flips.summary + flips.flips
  }

  /// Waits for a change.
  private func wait(for files: WatchedFiles, since seen: UInt64) throws -> UInt64 {
    while true {
      var polled = pollfd(fd: Interruption.wakeUp, events: Int16(POLLIN), revents: 0)
      poll(&polled, 1, Self.interval)
      try Interruption.check()
      let stamp = files.stamp
      if stamp != seen { return stamp }
    }
  }
}
