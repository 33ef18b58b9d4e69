import AisleCatalog
import AisleReporting

extension SettledChain {
  /// Tells of what does not end the run.
  static let warn: @Sendable (String) -> Void = { Descriptor.standardError.tell("aisle: \(Style.visible($0))\n") }

  /// Opens the store and makes the chain.
  ///
  /// - Parameter withoutCorrections: Called when the corrections cannot be read, to go on without them; else that is an error.
  func open(host: StrategyHost = .command, withoutCorrections: ((any Error) -> Void)? = nil) throws -> OpenedChain {
    try open(host: host, warn: Self.warn, withoutCorrections: withoutCorrections)
  }
}
