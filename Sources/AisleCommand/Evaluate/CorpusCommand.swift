import AisleCatalog
import AisleCore
import AisleEvaluation
import AisleFiles
import AisleReporting
import ArgumentParser
import KeywordStrategy

struct CorpusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "corpus", abstract: "Check, count, and compare the labeled items.",
    discussion: """
      A corpus file has lines of the form `item<TAB>label[|label]<TAB>tags`; a label is a shelf or a section.

      Examples:
        aisle corpus show
        aisle corpus check
        aisle corpus agreement anna.tsv ben.tsv
      """,
    subcommands: [ShowCorpus.self, CheckCorpus.self, AgreementCommand.self], defaultSubcommand: ShowCorpus.self)
}

struct ShowCorpus: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Count the items of each section, tag, and split.",
    discussion: """
      Each line has a kind, a name, and the number of items in all, in `tune`, and in `holdout`. In a pipe, columns are separated \
      by tabs. An item counts toward the section of its first label.

      Examples:
        aisle corpus show
        aisle corpus show --tag brand

      Exit codes: 0 done; 2 the corpus or the store has errors; 64 usage.
      """)

  @OptionGroup var options: EvaluationOptions

  @MainActor
  func run() async throws {
    let prepared = try options.prepare()
    let corpus = prepared.corpus
    var counts: [String: [String: (tune: Int, holdout: Int)]] = [:]
    func count(_ kind: String, _ name: String, _ split: Corpus.Split) {
      if split == .tune { counts[kind, default: [:]][name, default: (0, 0)].tune += 1 }
      if split == .holdout { counts[kind, default: [:]][name, default: (0, 0)].holdout += 1 }
    }
    for place in prepared.evaluator.entries {
      let entry = corpus.entries[Int(place)]
      count("all", "items", entry.split)
      if let best = prepared.expectations.accepted[Int(entry.labels)].first {
        count("section", prepared.taxonomy[best].name, entry.split)
      }
      count("file", corpus.files[Int(entry.file)], entry.split)
      for tag in Set(corpus.tags[Int(entry.tags)]) { count("tag", tag, entry.split) }
    }
    var rows = [["kind", "name", "items", "tune", "holdout"]]
    for kind in ["all", "file", "section", "tag"] {
      let order = kind == "section" ? prepared.taxonomy.sections.map(\.name) : (counts[kind] ?? [:]).keys.sorted()
      for name in order {
        let (tune, holdout) = counts[kind]?[name] ?? (0, 0)
        rows.append([kind, name, "\(tune + holdout)", "\(tune)", "\(holdout)"])
      }
    }
    try TextTable.write(rows)
  }
}

struct CheckCorpus: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Report everything wrong with the corpus.",
    discussion: """
      Prints each finding as `path:line:column: message` on standard output: malformed lines, unknown labels, duplicate items, \
      and contradicting labels. A line with `note:` needs a person's judgment: nearly the same item is in both splits, or every \
      strategy disagrees with the label.

      Examples:
        aisle corpus check
        aisle corpus check --corpus my-items.tsv --strict

      Exit codes: 0 no errors; 1 errors found, no items, or with --strict any notes; 2 a file cannot be read; 64 usage.
      """)

  @OptionGroup var chain: EvaluatedChainOptions

  @OptionGroup var corpus: CorpusOptions

  @Flag(help: "Count notes as errors.")
  var strict = false

  @MainActor
  func run() async throws {
    let settled = try chain.settle()
    let (taxonomy, keywords) = try settled.locator.open(settled.store.value)
    let paths = try self.corpus.paths(settled.configuration)
    let (corpus, faults) = try CorpusReader.read(paths)
    let (expectations, unknown) = Expectations.resolve(corpus, in: taxonomy, at: settled.locator)
    var check = CorpusCheck(corpus, expectations, in: taxonomy)
    try Threads.require(Environment.processorCount, for: "an evaluation")
    let evaluator = Evaluator(
      taxonomy: taxonomy, corpus: corpus, expectations: expectations, jobs: Environment.processorCount)
    var opinions: [Evaluation] = []
    for strategy in [keywords, KeywordStrategy(taxonomy, mode: .substring)] {
      let name = strategy.mode.rawValue
      opinions.append(try await evaluator.evaluate(NamedChain(Chain([Chain.Link(strategy)]), names: [name])))
    }
    check.addSuspects(opinions)
    var errors = faults + unknown + check.errors
    if corpus.count == 0, errors.isEmpty {
      errors = paths.map { Finding(SourceLocation(path: $0), "no items; write lines of the form item<TAB>label<TAB>tags") }
    }
    let lines =
      errors.map { ($0.location, "\($0)") } + check.notes.map { ($0.location, "\($0.location): note: \($0.message)") }
    var text = lines.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map { Style.visible($0.1) + "\n" }.joined()
    try text.withUTF8 { try Descriptor.standardOutput.write(UnsafeRawBufferPointer($0)) }
    Descriptor.standardError.tell(
      "\(paths.joined(separator: ", ")): \(Figures.items(corpus.count)), \(countedOrNone(errors.count, "error")), "
        + "\(countedOrNone(check.notes.count, "note"))\n")
    if !errors.isEmpty || strict && !check.notes.isEmpty { throw ExitCode(1) }
  }
}
