package import AisleCore
package import AisleFiles
import LearnedStrategy

/// What is used, and why.
package struct SettledChain: Sendable {
  package let configuration: Configuration?
  package var locator: StoreLocator
  package let store: Settled<String>
  package var chain: Settled<ChainSpecification>
  package let policy: Settled<Chain.Policy>
  /// The file with the corrections; `nil` where there are to be none.
  package let corrections: Settled<String?>
  package let catalog: StrategyCatalog
  package var model: SettledModel
  /// Whether a file of corrections that was named may still have to be made: where a model's answers go into it.
  package var mayMakeFile = false

  /// Puts together what was settled.
  package init(
    configuration: Configuration?, locator: StoreLocator, store: Settled<String>, chain: Settled<ChainSpecification>,
    policy: Settled<Chain.Policy>, corrections: Settled<String?>, catalog: StrategyCatalog, model: SettledModel
  ) {
    self.configuration = configuration
    self.locator = locator
    self.store = store
    self.chain = chain
    self.policy = policy
    self.corrections = corrections
    self.catalog = catalog
    self.model = model
  }

  /// Opens the store and makes the chain.
  ///
  /// - Parameters:
  ///   - warn: Receives a one-line message about what does not end the run.
  ///   - withoutCorrections: Called when the corrections cannot be read, to go on without them; else that is an error.
  /// - Throws: `FileError`, `BrokenStore`, `ChainError`, `CorrectionStoreError`, `MissingCorrections`; what a strategy throws that cannot
  ///   be made.
  package func open(
    host: StrategyHost, warn: @escaping @Sendable (String) -> Void, withoutCorrections: ((any Error) -> Void)?
  ) throws -> OpenedChain {
    var context = try locator.context(store.value)
    let taxonomy = context.taxonomy
    context.host = host
    context.model = model.setup
    context.warn = warn
    context.corrections = try openCorrections(warn, withoutCorrections)
    do {
      let chain = try catalog.chain(specification(for: context), policy: policy.value, in: context)
      return OpenedChain(locator: locator, taxonomy: taxonomy, chain: chain)
    } catch let error as ChainError {
      throw ChainError(error.description, at: chain.origin == "default" || chain.origin == "--chain" ? nil : chain.origin)
    }
  }
}

extension SettledChain {
  /// The chain for a store: in another language than English, the default one asks the trained model last, where that language has one.
  func specification(for context: StrategyContext) -> ChainSpecification {
    guard chain.origin == "default", !context.taxonomy.isEnglish else { return chain.value }
    var links = chain.value.links
    guard let place = links.firstIndex(where: { $0.strategy == "model" }) else { return chain.value }
    let model = links.remove(at: place)
    let last = links.lastIndex { $0.strategy == "regex" } ?? links.endIndex - 1
    if context.shelfModel != nil { links.insert(model, at: last + 1) }
    return ChainSpecification(links) ?? chain.value
  }

  /// The corrections, where the chain asks for them.
  private func openCorrections(
    _ warn: @escaping @Sendable (String) -> Void, _ withoutCorrections: ((any Error) -> Void)?
  ) throws -> LearnedCorrections? {
    guard let path = corrections.value, chain.value.links.contains(where: { $0.strategy == "learned" }) else { return nil }
    do {
      let learned = try LearnedCorrections.open(path, report: warn)
      let makesFile = mayMakeFile || chain.value.links.contains(where: \.isModel)
      if learned == nil, corrections.origin == "--db", !makesFile {
        throw MissingCorrections(path: path)
      }
      return learned
    } catch {
      guard let withoutCorrections else { throw error }
      withoutCorrections(error)
      return nil
    }
  }
}

/// A file of corrections that was named, but is not there.
package struct MissingCorrections: Error, CustomStringConvertible {
  /// The file.
  package let path: String

  /// What is wrong and what to do, in one line.
  package var description: String { "\(path): no corrections there yet; `aisle correct ITEM SECTION` adds the first" }
}
