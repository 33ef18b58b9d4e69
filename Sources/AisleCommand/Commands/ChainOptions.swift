import AisleCatalog
import AisleCore
import AisleFiles
import AisleReporting
public import ArgumentParser

extension Chain.Policy: ExpressibleByArgument {}

/// Which store and which strategies: shared by the commands that decide items.
struct ChainOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The store (default: $AISLE_STORE, what the configuration says, kroger).", valueName: "id"),
    completion: NameCompletion.store)
  var store: String?

  @Option(
    help: ArgumentHelp(
      "The strategies in order.",
      discussion:
        """
        Names with commas between; options in parentheses, and after >= the confidence from which a decision is final: keyword>=0.6 \
        or keyword(mode=substring). Default: $AISLE_CHAIN, what the configuration says, \(StrategyCatalog.defaultChain).
        """,
      valueName: "chain"))
  var chain: String?

  @Option(
    help: ArgumentHelp(
      "How one decision is chosen: first sure enough, or best, the surest of all (default: what the configuration says, first).",
      valueName: "first|best"))
  var policy: Chain.Policy?

  @OptionGroup var stores: StoreOptions

  /// Says what is used and where each part was set; opens nothing.
  ///
  /// - Parameter model: What the command line says about the language model, where the command takes that.
  /// - Throws: `FileError`, `BrokenConfiguration`, `ChainError`.
  @MainActor
  func settle(model: ModelFlags? = nil) throws -> SettledChain {
    let configuration = try stores.configuration()
    let environment = Environment.all
    func pick(
      _ flag: String?, _ option: String, _ variable: String, _ setting: Configuration.Setting<String>?, _ standard: String
    )
      -> Settled<String>
    {
      if let flag { return Settled(value: flag, origin: option) }
      if let value = environment[variable], !value.isEmpty { return Settled(value: value, origin: "$\(variable)") }
      if let setting { return Settled(value: setting.value, origin: setting.location.description) }
      return Settled(value: standard, origin: "default")
    }
    let text = pick(chain, "--chain", "AISLE_CHAIN", configuration?.chain, StrategyCatalog.defaultChain)
    let specification: ChainSpecification
    do { specification = try ChainSpecification(text.value) } catch {
      throw ChainError(error.description, at: text.origin == "default" || text.origin == "--chain" ? nil : text.origin)
    }
    let policy =
      if let policy { Settled(value: policy, origin: "--policy") } else if let set = configuration?.policy {
        Settled(value: set.value, origin: set.location.description)
      } else { Settled(value: Chain.Policy.first, origin: "default") }
    var settled = SettledChain(
      configuration: configuration, locator: try stores.locate(configuration),
      store: pick(store, "--store", "AISLE_STORE", configuration?.store, "kroger"),
      chain: Settled(value: specification, origin: text.origin), policy: policy,
      catalog: try AisleCommand.catalog.adding(configuration?.programs ?? []), model: try ModelFlags.settle(model, configuration))
    settled.addModel()
    return settled
  }

  /// Opens the store and makes the chain.
  ///
  /// - Throws: what `settle` throws; `BrokenStore`; what a strategy throws that cannot be made.
  @MainActor
  func open(model: ModelFlags? = nil, host: StrategyHost = .command) throws -> OpenedChain {
    try settle(model: model).open(host: host)
  }
}

/// A value with the place that set it: an option, a variable, a line of the configuration, or `default`.
struct Settled<Value> {
  let value: Value
  let origin: String
}

/// What a command uses, and why.
struct SettledChain {
  let configuration: Configuration?
  let locator: StoreLocator
  let store: Settled<String>
  var chain: Settled<ChainSpecification>
  let policy: Settled<Chain.Policy>
  let catalog: StrategyCatalog
  var model: SettledModel

  func open(host: StrategyHost = .command) throws -> OpenedChain {
    var context = try locator.context(store.value)
    let taxonomy = context.taxonomy
    context.host = host
    context.model = model.setup
    context.warn = { Descriptor.standardError.tell("aisle: \(Style.visible($0))\n") }
    do {
      let chain = try catalog.chain(self.chain.value, policy: policy.value, in: context)
      return OpenedChain(locator: locator, taxonomy: taxonomy, chain: chain)
    } catch let error as ChainError {
      throw ChainError(error.description, at: chain.origin == "default" || chain.origin == "--chain" ? nil : chain.origin)
    }
  }
}

/// A store and a chain, ready to decide items.
struct OpenedChain {
  let locator: StoreLocator
  let taxonomy: Taxonomy
  let chain: NamedChain
}
