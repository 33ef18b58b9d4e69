import AisleCore

enum PhraseExamples {
  static let all: [StrategyExample] = []
}
