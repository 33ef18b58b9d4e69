import AisleCatalog
import AisleCore
import AisleEvaluation
import AisleFiles
import AisleReporting
import AisleTuning
import ArgumentParser
import KeywordStrategy

struct TuneFitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fit", abstract: "Fit the weights and confidences of the rules to the corpus.",
    discussion: """
      Fits the numbers of weights.txt on the tune split: which of several keywords wins, and how likely it is to be right given the \
      rest of the item. Prints the settings and the scores before and after. The holdout is only measured, never fitted. The same \
      files give the same weights; a second run changes nothing.

      With --voices, fits how much keywords, patterns, and the trained model count where the default chain weighs their answers, \
      and nothing else. Fit the keywords first, train the model, and then fit the voices.

      The lines `fitted on` and `voices fitted on` in weights.txt name the corpus files to use. `aisle train` leaves out those of \
      the voices.

      Examples:
        aisle tune fit
        aisle tune fit --voices
        aisle tune fit --write
        aisle tune fit --check

      Exit codes: 0 done; 1 with --check, weights.txt differs from the fit; 2 bad data, or the file cannot be written; 64 usage.
      """)

  @OptionGroup var chain: TunedChainOptions

  @OptionGroup var corpus: CorpusOptions

  @Flag(help: "Fit how much each strategy of the default chain counts where their answers are weighed.")
  var voices = false

  @Flag(help: "Write the fitted numbers to weights.txt, keeping comments and order.")
  var write = false

  @Flag(help: "Fail if the numbers in weights.txt differ from the fit.")
  var check = false

  @Option(help: ArgumentHelp("The seed for the bootstrap.", valueName: "number"))
  var seed: UInt64 = 1

  @Option(help: "Color: auto, always, or never. NO_COLOR is respected.")
  var color = ColorChoice.auto

  func validate() throws {
    if write && check { throw ValidationError("--write changes the file and --check does not; use only one of them.") }
  }

  @MainActor
  func run() async throws {
    let opened = try chain.choice.settle(model: nil, prefersCorrections: false, asksModel: voices).open(host: .evaluation)
    let (corpus, expectations) = try readCorpus(opened)
    let taxonomy = opened.taxonomy
    let target = try write ? target(opened) : nil
    let fit: any StoreFit
    do {
      fit =
        voices
        ? try await VoiceFit(weighed(opened.chain), of: taxonomy, on: corpus, expectations)
        : try WeightFit(KeywordStrategy(taxonomy), of: taxonomy, on: corpus, expectations)
    } catch let error as TuningError { throw CommandFailure(description: error.description) }
    try Threads.require(Environment.processorCount, for: "an evaluation")
    func evaluate(_ weights: PhraseWeights) async throws -> Evaluation {
      let evaluator = Evaluator(
        taxonomy: taxonomy.weighing(by: weights), corpus: corpus, expectations: expectations, jobs: Environment.processorCount)
      return try await evaluator.evaluate(chain(opened.chain, weighing: weights), comparesStrategies: false)
    }
    let (before, after) = (try await evaluate(fit.before), try await evaluate(fit.after))
    let style = color.style(for: .standardOutput, environment: Environment.all)
    var text = FitText(fit: fit, before: before, after: after, seed: seed, style: style).text
    try text.withUTF8 { try Descriptor.standardOutput.write(UnsafeRawBufferPointer($0)) }
    if fit.fittedCount < Gate.fewItems {
      Descriptor.standardError.tell(
        "aisle: only \(Figures.items(fit.fittedCount)) to fit on: the numbers follow chance more than your store; label "
          + "\(Gate.fewItems) before you use them\n")
    }
    if let target { try save(fit, to: target) }
    if check, fit.before != fit.after {
      Descriptor.standardError.tell(
        "the numbers in weights.txt differ from the fit; `aisle tune fit\(voices ? " --voices" : "") --write` updates them\n")
      throw ExitCode(1)
    }
  }

  /// The corpus and what is right in the store.
  private func readCorpus(_ opened: OpenedChain) throws -> (Corpus, Expectations) {
    let paths = try corpus.paths(chain.stores.configuration())
    return try CorpusReader.readLabeled(paths, in: opened.taxonomy, at: opened.locator)
  }

  /// The strategies whose answers a chain weighs.
  private func weighed(_ chain: NamedChain) throws -> [any Strategy] {
    let strategies = chain.chain.links.indices.filter(chain.chain.weighs).map { chain.chain.links[$0].strategy }
    if strategies.isEmpty {
      throw CommandFailure(
        description:
          "the chain `\(chain.text)` weighs no answers; leave out --chain, or use --policy weigh with two of keyword, model, and regex"
      )
    }
    return strategies
  }

  /// The chain with other weights.
  private func chain(_ chain: NamedChain, weighing weights: PhraseWeights) -> NamedChain {
    let links = chain.chain.links.map { link in
      guard let keywords = link.strategy as? KeywordStrategy else { return link }
      return Chain.Link(keywords.weighing(by: weights), threshold: link.threshold)
    }
    return NamedChain(Chain(links, policy: chain.chain.policy), names: chain.names)
  }

  // MARK: Writing

  /// The file that the weights go to.
  private func target(_ opened: OpenedChain) throws -> String {
    try opened.locator.folderForChanges().path + "/weights.txt"
  }

  private func save(_ fit: any StoreFit, to path: String) throws {
    let isThere = FileReader.resolved(path) != nil
    let old = isThere ? try FileReader.read(path) : []
    let new = WeightsFile.write(fit.after, into: old)
    if new == old {
      Descriptor.standardError.tell("\(path): nothing to change\n")
    } else {
      try FileWriter.makeFolders(above: path)
      try FileWriter.replace(path, with: new)
      Descriptor.standardError.tell(
        "\(path): \(isThere ? "changed" : "written")\n")
    }
  }
}
