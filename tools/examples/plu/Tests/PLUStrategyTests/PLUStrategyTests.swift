import AisleKit
import AisleTesting
import PLUStrategy
import Testing

struct PLUStrategyTests {
  @Test func `keeps the promises of a strategy`() async throws {
    let taxonomy = try #require(Taxonomy.builtIn("kroger"))
    let failures = await StrategyConformance.check(PLUStrategy(taxonomy), taxonomy: taxonomy)
    #expect(failures.isEmpty, "\(failures.map(\.description).joined(separator: "\n"))")
  }
}
