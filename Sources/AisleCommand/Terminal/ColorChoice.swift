import AisleReporting

/// When to color.
enum ColorChoice: String, CaseIterable, Sendable {
  case auto, always, never

  func style(for descriptor: Descriptor, environment: Environment) -> Style {
    switch self {
    case .always: return Style(isColored: true)
    case .never: return .plain
    case .auto:
      let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
      return Style(isColored: !isRefused && environment["TERM"] != "dumb" && descriptor.isTerminal)
    }
  }
}
