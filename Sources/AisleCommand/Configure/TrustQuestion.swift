import AisleCatalog
import AisleReporting

/// Asks whoever sits at a terminal whether a configuration is to be trusted.
enum TrustQuestion {
  /// Whether the configuration is to be trusted; `false` without asking where nobody can answer.
  ///
  /// - Throws: `StreamError`, `Interruption`.
  static func ask(_ configuration: UntrustedConfiguration) throws -> Bool {
    guard Descriptor.standardError.isTerminal, let keys = KeyReader() else { return false }
    // Before the question, so that no answer is too early.
    keys.open()
    defer { keys.close() }
    Descriptor.standardError.tell(description(of: configuration) + "Trust it, until it changes? [y/N] ")
    let answer = try keys.next()
    let isYes = answer == .character("y") || answer == .character("Y")
    Descriptor.standardError.tell(isYes ? "yes\n" : "no\n")
    return isYes
  }

  /// What the configuration does, a line each.
  static func description(of configuration: UntrustedConfiguration) -> String {
    ([configuration.path] + configuration.reach.map { "  \($0) (line \($0.location.line))" })
      .map { Style.visible($0) + "\n" }.joined()
  }
}
