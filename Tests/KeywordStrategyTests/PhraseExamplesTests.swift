import AisleCore
import KeywordStrategy
import Testing

/// The strategy's examples are its documentation; these tests make them true.
@Suite struct PhraseExamplesTests {
  private static let examples = KeywordStrategy(SmallStore.make(["Produce": ["apple"]])).metadata.examples
  private static let topics = examples.map(\.topic).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }

  @Test(arguments: topics) func `every example of a topic holds`(topic: String) throws {
    let taxonomy = try KrogerFolder.taxonomy
    let strategy = try KrogerFolder.phrase
    let examples = Self.examples.filter { $0.topic == topic }
    for (example, decision) in zip(examples, strategy.decisions(examples.map(\.item), in: taxonomy)) {
      let section = decision.map { taxonomy[$0.section].name }
      if section != example.section {
        Issue.record("`\(example.item)` → \(example.section ?? "abstain"), but got \(strategy.explain(decision, in: taxonomy))")
      }
    }
  }

  @Test func `there are at least 340 examples, and at least 15 a topic`() {
    #expect(Self.examples.count >= 340)
    for topic in Self.topics { #expect(Self.examples.count { $0.topic == topic } >= 15, "\(topic)") }
  }

  @Test func `a topic's examples stand together`() {
    #expect(Set(Self.topics).count == Self.topics.count)
  }

  @Test func `no example stands twice`() {
    var seen: Set<[UInt8]> = []
    for example in Self.examples { #expect(seen.insert(Array(example.item.utf8)).inserted, "`\(example.item)`") }
  }

  @Test func `every example's section is one of Kroger's`() throws {
    let names = Set(try KrogerFolder.taxonomy.sections.map(\.name))
    for example in Self.examples {
      if let section = example.section { #expect(names.contains(section), "`\(example.item)` → \(section)") }
    }
    #expect(names.isSubset(of: Self.examples.map { $0.section ?? "" }), "each section has an example")
  }
}
