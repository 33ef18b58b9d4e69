import AisleCatalog
import AisleCore

extension NamedChain {
  /// How to go about a chain that asks a language model; `nil` for one that does not.
  func deferral(atATime requests: Int, items: Int) -> Pipeline.Deferral? {
    guard let place = chain.links.firstIndex(where: { Self.isLanguageModel($0.strategy) }) else { return nil }
    return Pipeline.Deferral(
      local: Chain(chain.policy == .best ? [] : Array(chain.links[..<place]), policy: chain.policy), items: items,
      pieces: 2 * requests + 2)
  }
}
