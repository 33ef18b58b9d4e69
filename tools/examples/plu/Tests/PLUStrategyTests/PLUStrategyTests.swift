import AisleKit
import AisleTesting
import PLUStrategy
import Testing

struct PLUStrategyTests {
  @Test func `conforms to the requirements`() async throws {
    let taxonomy = try #require(Taxonomy.builtIn("kroger"))
    let failures = await StrategyConformance.check(PLUStrategy(taxonomy), taxonomy: taxonomy)
    #expect(failures.isEmpty, "\(failures.map(\.description).joined(separator: "\n"))")
  }
}
