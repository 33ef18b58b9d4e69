import AisleCatalog
import AisleCore
import AisleFiles
import LearnedStrategy

/// What the command line says about the store and the strategies; `nil` where it says nothing.
struct ChainChoice {
  var store: String?
  var chain: String?
  var policy: Chain.Policy?
  /// The file with the corrections, `off` for none.
  var db: String?
  /// The server whose corrections take the place of a file.
  var server: String?
  var stores = StoreChoice()

  /// Says what is used and where each part was set; opens nothing.
  ///
  /// - Parameters:
  ///   - model: What the command line says about the language model, where the command takes that.
  ///   - prefersCorrections: Whether the default chain asks the corrections, where there are any.
  ///   - asksModel: Whether the default chain asks the trained model.
  /// - Throws: `FileError`, `BrokenConfiguration`, `ChainError`.
  @MainActor
  func settle(model: ModelFlags?, prefersCorrections: Bool = true, asksModel: Bool = true) throws -> SettledChain {
    let configuration = try stores.configuration()
    let corrections = CorrectionOptions.settle(db, server, configuration)
    // A file that was named is asked even if it is not there: the run then says so.
    let isThere = corrections.value.map { corrections.origin == "--db" || FileReader.isFile($0) } ?? false
    let standard =
      !asksModel
      ? StrategyCatalog.keywordChain
      : prefersCorrections && isThere ? StrategyCatalog.defaultChainWithCorrections : StrategyCatalog.defaultChain
    let text = Self.pick(chain, "--chain", "AISLE_CHAIN", configuration?.chain, standard)
    let specification: ChainSpecification
    do { specification = try ChainSpecification(text.value) } catch {
      throw ChainError(error.description, at: text.origin == "default" || text.origin == "--chain" ? nil : text.origin)
    }
    let policy =
      if let policy { Settled(value: policy, origin: "--policy") } else if let set = configuration?.policy {
        Settled(value: set.value, origin: set.location.description)
      } else { Settled(value: text.origin == "default" && asksModel ? StrategyCatalog.defaultPolicy : .first, origin: "default") }
    var settled = SettledChain(
      configuration: configuration, locator: try stores.locate(configuration), store: Self.store(store, configuration),
      chain: Settled(value: specification, origin: text.origin), policy: policy, corrections: corrections,
      catalog: try AisleCommand.catalog.adding(configuration?.programs ?? []), model: try ModelFlags.settle(model, configuration))
    settled.addModel()
    AisleCommand.modelRecord.use(corrections.value)
    return settled
  }

  /// The store that is meant, and what set it. Ids have only small letters.
  static func store(_ flag: String?, _ configuration: Configuration?) -> Settled<String> {
    let store = pick(flag, "--store", "AISLE_STORE", configuration?.store, "kroger")
    return Settled(value: store.value.lowercased(), origin: store.origin)
  }

  private static func pick(
    _ flag: String?, _ option: String, _ variable: String, _ setting: Configuration.Setting<String>?, _ standard: String
  ) -> Settled<String> {
    if let flag { return Settled(value: flag, origin: option) }
    if let value = Environment.all[variable], !value.isEmpty { return Settled(value: value, origin: "$\(variable)") }
    if let setting { return Settled(value: setting.value, origin: setting.location.description) }
    return Settled(value: standard, origin: "default")
  }
}
