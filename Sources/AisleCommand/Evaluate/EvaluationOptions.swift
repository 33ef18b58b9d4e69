import AisleCatalog
import AisleCore
import AisleEvaluation
import AisleFiles
import ArgumentParser

/// What is evaluated: shared by the commands that ask a chain for a corpus.
typealias EvaluationOptions = EvaluationOptionsOf<EvaluatedDefault>

/// The same for the commands that tune keywords.
typealias TuningOptions = EvaluationOptionsOf<TunedDefault>

/// What is evaluated, for a kind of command.
struct EvaluationOptionsOf<Default: DefaultChain>: ParsableArguments {
  @OptionGroup var chain: ChainOptionsOf<Default>

  @OptionGroup var model: ModelOptions

  @OptionGroup var corpus: CorpusOptions

  @Option(help: "Which part of the corpus: all, tune or holdout (default: all; tune for `tune report`).")
  var split: SplitChoice?

  @Option(help: ArgumentHelp("Only items with this tag. Repeatable.", valueName: "tag"))
  var tag: [String] = []

  @Option(help: ArgumentHelp("How many cores to use, 1 to 256 (default: all).", valueName: "count"))
  var jobs: Int?

  @Option(help: ArgumentHelp("The seed for the bootstrap and for the order of repeated runs.", valueName: "number"))
  var seed: UInt64 = 1

  func validate() throws {
    if let jobs, !(1...256).contains(jobs) { throw ValidationError("--jobs must be 1 to 256, not \(jobs).") }
  }

  /// Reads the store and the corpus.
  ///
  /// - Parameters:
  ///   - standard: The part of the corpus where none was named.
  ///   - changed: Gives the folder for changes as it would be after some; `{ $0 }` for the folder as it is.
  /// - Throws: `FileError`, `BrokenStore`, `ChainError`, `BrokenCorpus`, `CommandFailure`.
  @MainActor
  func prepare(split standard: SplitChoice = .all, changed: ((TaxonomyFolder) -> TaxonomyFolder)? = nil) throws
    -> PreparedEvaluation
  {
    var settled = try chain.settle(model: model.given)
    if let changed { settled.locator = StoreLocator(source: .folder(changed(try settled.locator.folderForChanges()))) }
    if settled.locator.languages.isPerList {
      let (corpus, _) = try CorpusReader.read(try corpus.paths(settled.configuration))
      _ = try settled.speak(asIn: corpus.text, ContiguousArray(corpus.entries.map(\.item)))
    }
    let opened = try settled.open(host: .evaluation)
    let split = split ?? standard
    let taxonomy = opened.taxonomy
    let paths = try corpus.paths(settled.configuration)
    let (corpus, expectations) = try CorpusReader.readLabeled(paths, in: taxonomy, at: opened.locator)
    for tag in tag where !corpus.tags.contains(where: { $0.contains(tag) }) {
      let known = Set(corpus.tags.joined()).sorted()
      let hint = DidYouMean.hint(tag, among: known)
      let list = known.isEmpty ? "; the corpus has no tags" : "; use one of \(known.joined(separator: ", "))"
      throw CommandFailure(description: "no item has the tag `\(tag)`\(hint.isEmpty ? list : hint)")
    }
    try Threads.require(Environment.processorCount, for: "an evaluation")
    let evaluator = Evaluator(
      taxonomy: taxonomy, corpus: corpus, expectations: expectations, split: split.split, tags: Set(tag),
      jobs: jobs ?? Environment.processorCount)
    if evaluator.count == 0 {
      let which = split == .all ? "" : " in the split `\(split.rawValue)`"
      throw CommandFailure(
        description:
          "\(paths.joined(separator: ", ")): no items to score\(which)\(tag.isEmpty ? "" : " with these tags"); name more with --corpus"
      )
    }
    return PreparedEvaluation(
      locator: opened.locator, taxonomy: taxonomy, corpus: corpus, expectations: expectations, chain: opened.chain,
      evaluator: evaluator, paths: paths)
  }
}

extension Expectations {
  /// Finds the sections of a corpus's labels, which may name sections of the standard store; other stores are read only where a
  /// label is of neither.
  static func resolve(
    _ corpus: Corpus, in taxonomy: Taxonomy, at locator: StoreLocator
  ) -> (expectations: Expectations, findings: [Finding]) {
    let labelled = taxonomy.store == StoreLocator.standard ? [] : locator.sections(of: StoreLocator.standard)
    let found = resolve(corpus, in: taxonomy, labelled: labelled)
    if found.findings.isEmpty { return found }
    return resolve(corpus, in: taxonomy, labelled: labelled, elsewhere: locator.labels(except: taxonomy.store))
  }
}

/// Which part of the corpus is asked.
enum SplitChoice: String, CaseIterable, Sendable, ExpressibleByArgument {
  case all, tune, holdout

  var split: Corpus.Split? {
    switch self {
    case .all: nil
    case .tune: .tune
    case .holdout: .holdout
    }
  }
}
