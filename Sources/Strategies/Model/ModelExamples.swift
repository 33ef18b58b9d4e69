import AisleCore

/// Examples of what the compiled-in model says, which are also its tests.
enum ModelExamples {
  static let all: [StrategyExample] = [
    StrategyExample("peanut butter", "Condiments & Sauces", topic: "goods that it was trained on"),
    StrategyExample("crunchy almondbutter", "Condiments & Sauces", topic: "words that nobody wrote so before, by their parts"),
    StrategyExample("mozarela stiks", "Frozen Foods", topic: "slips of the pen"),
    StrategyExample("dishwashr pods lemon", "Household & Cleaning", topic: "the head of the name before its flavors"),
    StrategyExample("42", nil, topic: "numbers say nothing"),
    StrategyExample("", nil, topic: "an empty item has no shelf"),
  ]
}
