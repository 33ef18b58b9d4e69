public import AisleCore

/// Decides lines that begin with a price look-up code, the number on the sticker of loose produce: `4011 bananas`, `94011`.
///
/// Codes 3000…4999 are of conventional goods, 93000…94999 of organic ones (International Federation for Produce Standards).
public struct PLUStrategy: Strategy {
  private let produce: SectionID?

  /// Makes the strategy for a store; it abstains on everything where the store has no section `Produce`.
  public init(_ taxonomy: Taxonomy) { produce = taxonomy.section(named: "Produce") }

  /// What the strategy is.
  public var metadata: StrategyMetadata {
    StrategyMetadata(
      id: "plu", summary: "price look-up codes of loose produce",
      rationale: "Scales and receipts write the code on the sticker instead of the name. Use it before the keywords.",
      rules: [Rule("code", "the line begins with a code of 4 digits, or 5 that begin with 9")],
      examples: [
        StrategyExample("4011", "Produce", topic: "codes"), StrategyExample("94011 bananas", "Produce", topic: "codes"),
        StrategyExample("4011th visitor", nil, topic: "no codes"), StrategyExample("2024 calendar", nil, topic: "no codes"),
        StrategyExample("40112", nil, topic: "no codes"),
      ])
  }

  /// Decides the items that begin with a code.
  public func decide(_ batch: inout Batch) {
    guard let produce else { return }
    for index in Array(batch.undecided) {
      guard let length = Self.codeLength(batch.bytes(index)) else { continue }
      var evidence = Evidence()
      evidence.span = 0..<length
      evidence.rule = 0
      batch.decide(index, Decision(section: produce, confidence: 0.97, evidence: evidence))
    }
  }

  /// How long the code is that an item begins with.
  private static func codeLength(_ item: ArraySlice<UInt8>) -> Int? {
    let digits = item.prefix { $0 >= 0x30 && $0 <= 0x39 }
    let isEnd = digits.endIndex == item.endIndex || item[digits.endIndex] == 0x20
    guard isEnd, digits.count == 4 || digits.count == 5, let code = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
    return (3000...4999).contains(digits.count == 5 ? code - 90_000 : code) ? digits.count : nil
  }
}
