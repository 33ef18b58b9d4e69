import AisleCatalog

extension StrategyHost {
  /// What programs say goes to standard error, and SIGINT and SIGTERM end the wait for them.
  static var command: StrategyHost {
    let diagnostics = Diagnostics(style: ColorChoice.auto.style(for: .standardError, environment: Environment.all))
    return StrategyHost(interruption: Interruption.wakeUp) { diagnostics.error($0) }
  }
}
