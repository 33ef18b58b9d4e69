/// How much a model that reasons is to do so before it answers.
public enum Effort: String, Sendable, CaseIterable {
  case none, minimal, low, medium, high, xhigh, max

  /// The tokens that an answer may have beside its text, since reasoning counts as part of it. Models stop by themselves long before; a
  /// request that runs out of them has no answer at all.
  var room: Int {
    switch self {
    case .none: 0
    case .minimal: 1_024
    case .low: 2_048
    case .medium: 6_144
    case .high: 16_384
    case .xhigh: 24_576
    case .max: 32_768
    }
  }

  /// All names, for messages.
  public static let names = allCases.map(\.rawValue).joined(separator: ", ")

  /// What the requests of an API may say (`output_config.effort` and `reasoning_effort` in the SDKs of November 2026).
  public static func known(to provider: ModelProvider) -> [Effort] {
    switch provider {
    case .anthropic: [.low, .medium, .high, .xhigh, .max]
    case .openai: allCases
    case .proxy: []
    }
  }
}
