/// What strategies that run programs need from their host.
public struct StrategyHost: Sendable {
  /// Receives the program's standard error and its failures, one line at a time, on any thread.
  public let remark: @Sendable (String) -> Void
  /// A descriptor that becomes readable when all waiting must end; `nil` for none.
  public let interruption: Int32?
  /// Whether a program's failure ends the run, whatever its own settings are. Used for measurements.
  public let requiresPrograms: Bool

  /// Makes a host; the default ignores all output and never interrupts.
  public init(
    interruption: Int32? = nil, requiresPrograms: Bool = false, remark: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.remark = remark
    self.requiresPrograms = requiresPrograms
    self.interruption = interruption
  }
}
