/// A chain with a name for each link.
public struct NamedChain: Sendable {
  /// The links.
  public let chain: Chain
  /// One name per link, as written in a chain: `keyword>=0.6`.
  public let names: [String]

  /// Names a chain's links.
  public init(_ chain: Chain, names: [String]) {
    precondition(chain.links.count == names.count)
    self.chain = chain
    self.names = names
  }

  /// The chain as it is written: `learned,keyword>=0.6`.
  public var text: String { names.joined(separator: ",") }

  /// The chain with the links at `places`, in that order.
  package func selecting(_ places: [Int]) -> NamedChain {
    NamedChain(Chain(places.map { chain.links[$0] }, policy: chain.policy), names: places.map { names[$0] })
  }
}
