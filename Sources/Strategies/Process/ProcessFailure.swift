/// A failure of an external program.
public struct ProcessFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of failures.
  public enum Reason: String, Sendable, Hashable {
    /// It could not be started at all.
    case cannotStart
    /// It reported that it cannot work.
    case refused
    /// It did not answer within its time limit.
    case timedOut
    /// It exited, or closed its standard output.
    case ended
    /// It violated the protocol.
    case badReply
    /// It failed too often and is not asked again.
    case switchedOff
  }

  /// The strategy's name.
  public let strategy: String
  /// The kind of failure.
  public let reason: Reason
  /// What happened, in one line.
  public let message: String

  init(_ strategy: String, _ reason: Reason, _ message: String) {
    self.strategy = strategy
    self.reason = reason
    self.message = message
  }

  /// `strategy NAME: what happened`.
  public var description: String { "strategy `\(strategy)` \(message)" }

  /// Whether starting the program again would fail in the same way.
  var isLasting: Bool { reason == .cannotStart || reason == .refused || reason == .switchedOff }
}
