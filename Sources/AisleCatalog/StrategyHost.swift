/// What strategies that run programs need of whoever uses them.
public struct StrategyHost: Sendable {
  /// Gets what a program writes to its standard error and what goes wrong with it, a line at a time, on any thread.
  public let remark: @Sendable (String) -> Void
  /// A descriptor that becomes readable when all waiting shall end; `nil` where there is none.
  public let interruption: Int32?
  /// Whether a program's failure ends the run, whatever its own settings say: for measurements.
  public let requiresPrograms: Bool

  /// Makes a host; the default hears nothing and never interrupts.
  public init(
    interruption: Int32? = nil, requiresPrograms: Bool = false, remark: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.remark = remark
    self.requiresPrograms = requiresPrograms
    self.interruption = interruption
  }
}
