import AisleCore
import AisleReporting
public import AisleTuning
public import ArgumentParser
import KeywordStrategy
import RegexStrategy

extension KeywordScore.Fault: EnumerableFlag {
  /// What the flag of a kind shows.
  public static func help(for fault: KeywordScore.Fault) -> ArgumentHelp? {
    switch fault {
    case .dead: "Only keywords that no item can contain."
    case .shadowed: "Only keywords that always lose to another one."
    case .duplicate: "Only keywords that repeat an earlier one."
    case .contradicting: "Only keywords that, on their own, go to a different section."
    }
  }
}

struct TuneReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Show how often each keyword is right, and which keywords it conflicts with.",
    discussion: """
      Lists the worst keywords first, each with its file and line and the items that it got wrong. The columns count the items that \
      contain the keyword outside of longer keywords:
        wrong, right  items that it decided
        alone         items without any other keyword or pattern
        conflicts     items with a keyword or pattern of another section
        missed        items that another keyword got wrong and this one would have got right
      The formats tsv and jsonl list every keyword, pattern, and move. With --split, holdout items are counted, but never shown.

      Examples:
        aisle tune report
        aisle tune report --shelf milk --limit 50
        aisle tune report --contradicting
        aisle tune report --fights
        aisle tune report --format tsv > keywords.tsv

      Exit codes: 0 done; 2 bad data; 64 usage.
      """)

  @OptionGroup var options: TuningOptions

  @Option(help: ArgumentHelp("Only keywords of this shelf.", valueName: "name"))
  var shelf: String?

  @Option(help: ArgumentHelp("Only keywords of this section.", valueName: "name"), completion: NameCompletion.section)
  var section: String?

  @Flag var faults: [KeywordScore.Fault] = []

  @Flag(help: "Only pairs of shelves whose keywords occur in the same items.")
  var fights = false

  @Option(help: ArgumentHelp("How many rows to show (default: 20 as text, otherwise all).", valueName: "count"))
  var limit: Int?

  @Option(help: ArgumentHelp("How many items to show for each.", valueName: "count"))
  var examples = 3

  @Option(help: "Output format: text, tsv, or jsonl.")
  var format = RowFormat.text

  @Option(help: "Color: auto, always, or never. NO_COLOR is respected.")
  var color = ColorChoice.auto

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
    if examples < 0 { throw ValidationError("--examples must be 0 or more.") }
    if fights, !faults.isEmpty || section != nil {
      throw ValidationError("--fights shows shelves; it cannot be combined with options that choose keywords.")
    }
  }

  @MainActor
  func run() async throws {
    let prepared = try options.prepare(split: .tune)
    let report = try await Self.report(prepared)
    let scores = try chosen(report)
    let pairs = try report.fights.filter { fight in
      guard let shelf else { return true }
      return try Self.name(shelf, in: prepared.taxonomy) == fight.first || Self.name(shelf, in: prepared.taxonomy) == fight.second
    }
    var output = ""
    switch format {
    case .text:
      let style = color.style(for: .standardOutput, environment: Environment.all)
      let text = KeywordReportText(report: report, style: style, limit: limit ?? 20)
      if fights {
        output = text.fights(pairs, examples: examples)
      } else {
        output = text.summary(split: (options.split ?? .tune).rawValue)
        let rows = text.rows(scores, examples: examples)
        if !rows.isEmpty { output += "\n" + rows }
        let wrong = pairs.filter { $0.wrong > 0 }
        if faults.isEmpty, section == nil, !wrong.isEmpty {
          output += "\n" + KeywordReportText(report: report, style: style, limit: min(limit ?? 10, 10)).fights(wrong, examples: 0)
        }
      }
    case .tsv, .jsonl:
      let rows = KeywordReportRows(report: report, isJSON: format == .jsonl)
      output = fights ? rows.fights(Array(pairs.prefix(limit ?? .max))) : rows.keywords(Array(scores.prefix(limit ?? .max)))
    }
    try output.withUTF8 { try Descriptor.standardOutput.write(UnsafeRawBufferPointer($0)) }
  }

  /// Evaluates a chain and analyzes what its keywords did.
  ///
  /// - Throws: `TuningError` for a chain without keywords; what a strategy throws.
  static func report(_ prepared: PreparedEvaluation) async throws -> KeywordReport {
    let strategies = prepared.chain.chain.links.map(\.strategy)
    guard strategies.contains(where: { ($0 as? KeywordStrategy)?.mode == .phrase }) else {
      throw TuningError("the chain \(prepared.chain.text) has no `keyword` strategy in phrase mode, so there is nothing to tune")
    }
    let evaluation = try await prepared.evaluator.evaluate(prepared.chain, comparesStrategies: false)
    var alone = KeywordReport.asItems(prepared.taxonomy)
    try await prepared.chain.chain.ask(&alone)
    return KeywordReport(
      evaluation, keywords: KeywordStrategy(prepared.taxonomy),
      patterns: strategies.lazy.compactMap { $0 as? RegexStrategy }.first,
      alone: alone.decisions)
  }

  /// The rows that were asked for, the worst first.
  private func chosen(_ report: KeywordReport) throws -> [KeywordScore] {
    let taxonomy = report.evaluation.taxonomy
    let shelf = try shelf.map { try Self.name($0, in: taxonomy) }
    let section = try section.map { try SectionName.find($0, in: taxonomy) }
    let isNarrow = shelf != nil || section != nil
    var chosen = report.scores.filter { score in
      if !faults.isEmpty { return !Set(faults).isDisjoint(with: score.faults) }
      if format != .text { return true }
      return score.wrong + score.missed > 0 || isNarrow && (score.items > 0 || !score.faults.isEmpty)
    }
    if isNarrow {
      chosen = chosen.filter { score in
        let row = KeywordRow(score, in: report)
        return (shelf == nil || row.place == shelf) && (section == nil || row.section == section)
      }
    }
    if format != .text, limit == nil { return chosen }
    return chosen.enumerated().sorted { one, other in
      (-one.element.wrong, one.element.precision ?? 2, -one.element.missed, -one.element.conflicts, one.offset)
        < (-other.element.wrong, other.element.precision ?? 2, -other.element.missed, -other.element.conflicts, other.offset)
    }.map(\.element)
  }

  /// The shelf, or the section for its own keywords, that a name means.
  private static func name(_ written: String, in taxonomy: Taxonomy) throws -> String {
    if taxonomy.shelf(named: written) != nil || taxonomy.section(named: written) != nil { return written }
    let hint = DidYouMean.hint(written, among: taxonomy.shelves.map(\.name))
    throw TuningError("no shelf `\(written)` in \(taxonomy.store)\(hint.isEmpty ? "; `aisle stores show` lists them" : hint)")
  }
}

/// The formats of rows.
enum RowFormat: String, CaseIterable, Sendable, ExpressibleByArgument {
  case text, tsv, jsonl
}
