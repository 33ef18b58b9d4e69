import AisleCore

/// Examples of what the compiled-in model says, which are also its tests.
enum ModelExamples {
  static let all: [StrategyExample] = [
    StrategyExample("peanut butter", "Condiments & Sauces", topic: "products that it was trained on"),
    StrategyExample("crunchy almondbutter", "Condiments & Sauces", topic: "new words, by their parts"),
    StrategyExample("toothpast mint", "Household & Cleaning", topic: "typos"),
    StrategyExample("dishwashr pods lemon", "Household & Cleaning", topic: "the head of the name before its flavors"),
    StrategyExample("42", nil, topic: "numbers say nothing"),
    StrategyExample("", nil, topic: "an empty item has no shelf"),
  ]
}
