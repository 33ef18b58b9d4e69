import AisleCore
import AisleTesting
import LearnedStrategy
import Testing

struct `A correction` {
  private let taxonomy: Taxonomy

  init() throws { taxonomy = try KrogerFolder.taxonomy }

  /// What was corrected, an item, and the rule by which the correction speaks for it; empty where it does not.
  static let near: [(String, String, String)] = [
    ("oat milk", "oat milk", "same"), ("oat milk", "OAT  Milk!", "same"), ("Crème fraîche", "creme fraiche", "same"),
    ("oat milk", "oat milks", "plural"), ("zork bars", "zork bar", "plural"), ("berries", "berry", "plural"),
    ("oat milk", "2 cartons of oat milk", "quantity"), ("oat milk 64oz", "oat milk", "quantity"),
    ("oat milk", "oat milk x3", "quantity"), ("7 up", "up", "quantity"),
    ("olive oil", "2 bottles olive oil", "quantity"), ("2 bottles olive oil", "olive oil", "quantity"),
    ("hummus", "large tub of hummus", "quantity"), ("Apfelsaft", "2 Flaschen Apfelsaft", "quantity"),
    ("Äpfel", "ein Kilo Äpfel", "quantity"), ("leche", "1 botella de leche", "quantity"),
    ("lait", "2 bouteilles de lait", "quantity"),
    ("latte", "due bottiglie di latte", "quantity"), ("melk", "3 pakjes melk", "quantity"),
    ("mleko", "2 butelki mleko", "quantity"), ("mjölk", "två paket mjölk", "quantity"),
    ("leite", "2 garrafas de leite", "quantity"),
    ("oat milk", "milk, oat", "rotation"), ("milk, oat, 1 qt", "oat milk", "rotation"),
    ("oat milk", "milk oat", "order"),
    ("oat milk", "Zorkly oat milk", "brand"), ("Zorkly oat milk", "oat milk", "brand"),
    ("oat milk", "Zorkly Farms oat milk", "brand"),
    ("oat milk", "Oatly oat milk", "brand"), ("oat milk", "Silk oat milk", "brand"), ("oat milk", "organic oat milk", "brand"),
    ("ketchup", "Heinz ketchup", "brand"), ("cheddar", "Tillamook cheddar", "brand"),
    ("dragon fruit", "dragn fruit", "slip"), ("dragon fruit", "draogn fruit", "slip"), ("dragon fruit", "dragonn fruit", "slip"),
    ("dragon fruit", "drazon fruit", "slip"), ("oat milk", "oat mlik", "slip"), ("gochujang", "gochujan", "slip"),
    // Other products.
    ("openers", "bottle openers", ""), ("openers", "2 bottle openers", ""), ("bottle", "2 bottles", "quantity"),
    ("tomatoes", "can of tomatoes", ""), ("tomatoes", "jar of tomatoes", ""), ("Tomaten", "Dose Tomaten", ""),
    ("choy", "pak choy", ""), ("lettuce", "head lettuce", ""), ("lettuce", "2 heads of lettuce", "quantity"),
    ("milk", "oat milk", ""), ("oat milk", "milk", ""), ("milk", "chocolate milk", ""), ("milk chocolate", "milk", ""),
    ("oat milk", "frozen oat milk", ""), ("oat milk", "oat milk chocolate", ""), ("carrots", "baby carrots", ""),
    ("butter", "peanut butter", ""), ("oat milk", "almond milk", ""), ("beer", "root beer", ""),
    ("dragon fruit", "dragon fruits juice", ""), ("dragon fruit", "wagon fruit", ""), ("bread", "beard", ""),
    ("beer", "bear", ""), ("oat milk", "", ""), ("oat milk", "64oz", ""), ("dragon fruit", "dargno fruit", ""),
  ]

  @Test(arguments: near.indices)
  func `speaks for its item and those that are all but the same, and for no other`(row: Int) {
    let (corrected, item, rule) = Self.near[row]
    let strategy = LearnedStrategy(taxonomy, LearnedCorrections([Correction(corrected, "International")]))
    #expect((strategy.answer(item, in: taxonomy)?.rule ?? "") == rule, "`\(corrected)` and `\(item)`")
  }

  @Test func `is surer the nearer it is`() throws {
    let strategy = LearnedStrategy(taxonomy, LearnedCorrections([Correction("dragon fruit", "Snacks")]))
    let items = [
      "dragon fruit", "dragon fruits", "3 dragon fruit", "fruit, dragon", "Zorkly dragon fruit", "dragn fruit", "fruit dragon",
    ]
    let confidences = try items.map { try #require(strategy.answer($0, in: taxonomy), "\($0)").confidence }
    #expect(confidences == confidences.sorted(by: >))
    #expect(Set(confidences).count == confidences.count)
  }

  @Test func `is named with who made it and when`() throws {
    let correction = Correction("oat milk", "Snacks", by: "jane", model: "gpt-5", time: 1_790_000_000_500)
    let strategy = LearnedStrategy(taxonomy, LearnedCorrections([correction]))
    #expect(strategy.answer("oat milks", in: taxonomy)?.note == "oat milk, by jane (gpt-5) on 2026-09-21T14:13:20.500Z")
  }

  @Test func `whose section the store does not have is never used`() {
    let orphan = LearnedStrategy(taxonomy, LearnedCorrections([Correction("oat milk", "Deli")]))
    #expect(orphan.answer("oat milk", in: taxonomy) == nil)
  }

  @Test func `for another store speaks through its shelf alone`() throws {
    func answer(_ correction: Correction) -> (section: String, rule: String, confidence: Float, note: String)? {
      LearnedStrategy(taxonomy, LearnedCorrections([correction])).answer("oat milk", in: taxonomy)
    }
    #expect(answer(Correction("oat milk", "Snacks", store: "corner")) == nil)
    #expect(answer(Correction("oat milk", "Snacks", store: "corner", shelf: "no-such-shelf")) == nil)
    let shelf = try #require(answer(Correction("oat milk", "Front", store: "corner", shelf: "granola-bars")))
    #expect(shelf.section == "Snacks")
    #expect(shelf.rule == "shelf")
    #expect(shelf.confidence < 0.95)
    #expect(shelf.note.hasSuffix(", for corner on shelf granola-bars"))
  }

  @Test func `of the store itself outranks those for others`() {
    let strategy = LearnedStrategy(
      taxonomy,
      LearnedCorrections([
        Correction("oat milk", "Front", store: "corner", shelf: "granola-bars", time: 1_790_000_000_001),
        Correction("oat milk", "Bakery"),
      ]))
    #expect(strategy.answer("oat milk", in: taxonomy)?.section == "Bakery")
  }

  @Test func `is surer where others agree, less sure where they do not`() throws {
    func confidence(_ more: [Correction]) throws -> Float {
      let strategy = LearnedStrategy(taxonomy, LearnedCorrections([Correction("dragon fruit", "Snacks")] + more))
      let answer = try #require(strategy.answer("zorkly dragon fruits", in: taxonomy))
      #expect(answer.section == "Snacks")
      return answer.confidence
    }
    let alone = try confidence([])
    let agreeing = try confidence([Correction("dragon fruits, 2 lb", "Snacks")])
    let disagreeing = try confidence([Correction("fruit dragon", "Bakery")])
    #expect(agreeing > alone)
    #expect(try confidence([Correction("drgaon fruit", "Bakery"), Correction("dragon fruits, 2 lb", "Snacks")]) <= agreeing)
    #expect(disagreeing <= alone)
  }

  @Test func `disagreement lowers the confidence, and is told`() throws {
    let one = LearnedStrategy(taxonomy, LearnedCorrections([Correction("dragon fruit, 2 lb", "Snacks", time: 2)]))
    let two = LearnedStrategy(
      taxonomy,
      LearnedCorrections([
        Correction("dragon fruit, 2 lb", "Snacks", time: 2), Correction("dragon fruit, 3 lb", "Bakery", time: 1),
      ]))
    let (sure, unsure) = (
      try #require(one.answer("dragon fruit", in: taxonomy)), try #require(two.answer("dragon fruit", in: taxonomy))
    )
    #expect(unsure.section == "Snacks", "the newer one wins")
    #expect(unsure.confidence < sure.confidence)
    #expect(unsure.note.hasSuffix(", 1 disagrees"))
  }

  @Test func `answers its very item among any number that differ in quantity or brand alone`() {
    let others = (0..<500).flatMap {
      [Correction("dragon fruit, \($0) lb", "Bakery"), Correction("brand\($0) dragon fruit", "Bakery")]
    }
    let strategy = LearnedStrategy(
      taxonomy, LearnedCorrections(others + [Correction("dragon fruit, 777 lb", "Snacks")] + others))
    #expect(strategy.answer("Dragon fruit 777 lb", in: taxonomy)?.section == "Snacks")
    #expect(strategy.answer("Dragon fruit 777 lb", in: taxonomy)?.rule == "same")
  }

  @Test func `answers an item alike wherever and however often it stands in a batch`() {
    let strategy = LearnedStrategy(taxonomy, LearnedCorrections([Correction("dragon fruit", "Snacks")]))
    var batch = Batch(["kale", "dragon fruits", "kale", "dragon fruits", "dragon fruit", "dragon fruits"], taxonomy: taxonomy)
    batch.decide(3, Decision(section: SectionID(rawValue: 0), confidence: 0.5))
    strategy.decide(&batch)
    #expect(batch.decisions.map { $0?.section.rawValue } == [nil, 8, nil, 0, 8, 8])
    let notes = [1, 5].map { batch.decisions[$0]?.evidence.note.map { batch.notes[Int($0)] } }
    #expect(notes[0] == notes[1] && notes[0] != nil)
  }

  @Test func `with a correction or without, the strategy keeps its promises`() async {
    for corrections in [
      nil, LearnedCorrections([]),
      LearnedCorrections([Correction("oat milk", "Snacks"), Correction("kale", "Deli"), Correction("2 lb butter", "Bakery")]),
    ] {
      let failures = await StrategyConformance.check(LearnedStrategy(taxonomy, corrections), taxonomy: taxonomy)
      #expect(failures.isEmpty, "\(failures.map(\.description).joined(separator: "\n"))")
    }
  }
}
