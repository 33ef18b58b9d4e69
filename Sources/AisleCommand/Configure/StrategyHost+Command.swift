import AisleCatalog

extension StrategyHost {
  /// What programs say goes to standard error, and SIGINT and SIGTERM end the wait for them.
  static var command: StrategyHost { host(requiresPrograms: false) }

  /// The same for an evaluation, which rather ends than gives figures of a chain without one of its strategies.
  static var evaluation: StrategyHost { host(requiresPrograms: true) }

  private static func host(requiresPrograms: Bool) -> StrategyHost {
    let diagnostics = Diagnostics(style: ColorChoice.auto.style(for: .standardError, environment: Environment.all))
    return StrategyHost(interruption: Interruption.wakeUp, requiresPrograms: requiresPrograms) { diagnostics.error($0) }
  }
}
