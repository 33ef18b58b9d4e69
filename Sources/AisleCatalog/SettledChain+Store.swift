import AisleCore
import AisleFiles

extension SettledChain {
  /// Opens one of the stores with the chain's local part, whose corrections are followed as they change: for what runs long, and answers
  /// for many.
  ///
  /// - Parameter warn: Receives a one-line message, from any thread, about what is wrong and does not end the work.
  /// - Throws: `FileError` for an unknown store, `BrokenStore`, `ChainError`, `CorrectionStoreError`; what a strategy throws that cannot be
  ///   made.
  package func open(store: String, warn: @escaping @Sendable (String) -> Void) throws -> OpenedChain {
    var context = try locator.context(store)
    context.host = StrategyHost(remark: warn)
    context.warn = warn
    context.liveCorrections = corrections.value
    var links = specification(for: context).local?.links ?? []
    if chain.origin == "default", corrections.value != nil, !links.contains(where: { $0.text == "learned" }) {
      links.insert(.init("learned"), at: 0)
    }
    guard let specification = ChainSpecification(links) else {
      throw ChainError("chain: it has only `llm`, which costs money for each item; add keyword")
    }
    let chain = try catalog.chain(specification, policy: policy.value, in: context)
    return OpenedChain(locator: locator, taxonomy: context.taxonomy, chain: chain)
  }
}
