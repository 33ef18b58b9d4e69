import AisleCatalog
import AisleCore
public import ArgumentParser

extension Chain.Policy: ExpressibleByArgument {}

/// Which store and which strategies: shared by the commands that decide items.
typealias ChainOptions = ChainOptionsOf<DecidingDefault>

/// The same for the commands that score a chain.
typealias EvaluatedChainOptions = ChainOptionsOf<EvaluatedDefault>

/// The same for the commands that tune keywords.
typealias TunedChainOptions = ChainOptionsOf<TunedDefault>

/// Which chain there is where none is named.
protocol DefaultChain {
  /// Whether it asks the corrections, where there are any.
  static var prefersCorrections: Bool { get }
  /// Whether it asks the trained model too.
  static var asksModel: Bool { get }
  /// What the help says of that.
  static var help: String { get }
}

/// The default of the commands that decide items.
enum DecidingDefault: DefaultChain {
  static let prefersCorrections = true
  static let asksModel = true
  static let help = "\(StrategyCatalog.defaultChain), preceded by `learned` if there are corrections"
}

/// The default of the commands that score a chain: what one person taught counts only where the chain names it, so that a score is the
/// same for everyone.
enum EvaluatedDefault: DefaultChain {
  static let prefersCorrections = false
  static let asksModel = true
  static let help = "\(StrategyCatalog.defaultChain), without `learned`: corrections count only if the chain names it"
}

/// The default of the commands that tune keywords: the trained model has learned from the very items that they look at, and would hide
/// what a keyword does.
enum TunedDefault: DefaultChain {
  static let prefersCorrections = false
  static let asksModel = false
  static let help = "\(StrategyCatalog.keywordChain), without the trained model, which knows the items of `tune`"
}

/// The options of a kind of command.
struct ChainOptionsOf<Default: DefaultChain>: ParsableArguments {
  @Option(
    help: ArgumentHelp("The store (default: $AISLE_STORE, then the configuration, then kroger).", valueName: "id"),
    completion: NameCompletion.store)
  var store: String?

  @Option(
    help: ArgumentHelp(
      "The strategies, in order.",
      discussion:
        """
        Names separated by commas. Options go in parentheses; after >= comes the confidence at which a decision is final: \
        keyword>=0.6 or keyword(mode=substring). Default: $AISLE_CHAIN, then the configuration, then \
        \(Default.help).
        """,
      valueName: "chain"))
  var chain: String?

  @Option(
    help: ArgumentHelp(
      """
      Which decision wins: first (the first that is sure enough), best (the surest of all), or weigh (keywords, patterns, and the model \
      together). Default: the configuration, then weigh for the default chain and first for others.
      """,
      valueName: "first|best|weigh"))
  var policy: Chain.Policy?

  @OptionGroup var corrections: CorrectionOptions

  @OptionGroup var stores: StoreOptions

  /// The values, without the argument parser's wrappers.
  var choice: ChainChoice {
    ChainChoice(
      store: store, chain: chain, policy: policy, db: corrections.db, server: corrections.server.server,
      stores: stores.choice)
  }

  /// Says what is used and where each part was set; opens nothing.
  ///
  /// - Parameter model: What the command line says about the language model, where the command takes that.
  /// - Throws: `FileError`, `BrokenConfiguration`, `ChainError`.
  @MainActor
  func settle(model: ModelFlags? = nil) throws -> SettledChain {
    try choice.settle(model: model, prefersCorrections: Default.prefersCorrections, asksModel: Default.asksModel)
  }

  /// Opens the store and makes the chain.
  ///
  /// - Throws: what `settle` throws; `BrokenStore`; what a strategy throws that cannot be made.
  @MainActor
  func open(model: ModelFlags? = nil, host: StrategyHost = .command) throws -> OpenedChain {
    try settle(model: model).open(host: host)
  }
}
