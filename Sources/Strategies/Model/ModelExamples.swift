import AisleCore

/// Examples of what the compiled-in model says, which are also its tests.
enum ModelExamples {
  static let all: [StrategyExample] = []
}
