import AisleCore

/// Items with the section that each must get in the Kroger taxonomy: what the phrase mode promises, and how it is tested.
///
/// A table a rule, in `Examples`. They say what a shopper expects, so a failing one is a fault of the rules or the shelves.
enum PhraseExamples {
  /// Every example, topic by topic.
  static let all: [StrategyExample] = topics.flatMap(\.examples)

  /// The tables, in the order that explains the rules best.
  private static let topics: [Topic] = [
    headComesLast, unlistedPairs, phrasesBeforeTheirWords, headEndsAtAPreposition, headEndsAtPunctuation, formAfterTheHead,
    andJoinsTheHead,
    quantities, packaging, labels, pieces, otherAmounts, turnedRound,
    frozen, canned, dried, baby, pet, preparations,
    flavors, decisiveWords, descriptors, negation,
    plurals, spellings, diacriticsAndWidth, punctuation,
    typos, readings, brands, notAGrocery,
  ]

  /// A rule's table.
  struct Topic {
    let examples: [StrategyExample]

    init(_ name: String, _ rows: KeyValuePairs<String, Kroger?>) {
      examples = rows.map { StrategyExample($0.key, $0.value?.rawValue, topic: name) }
    }
  }

  /// The sections of the Kroger taxonomy.
  enum Kroger: String {
    case produce = "Produce"
    case bakery = "Bakery"
    case meat = "Meat & Seafood"
    case dairy = "Dairy & Eggs"
    case frozen = "Frozen Foods"
    case pantry = "Pantry & Canned Goods"
    case international = "International"
    case condiments = "Condiments & Sauces"
    case snacks = "Snacks"
    case beverages = "Beverages"
    case household = "Household & Cleaning"
    case other = "Other"
  }
}
