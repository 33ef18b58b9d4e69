import AisleCore
import AisleTesting
import HTTPTransport
import LLMStrategy
import ModelServer
import Testing

struct `The language model strategy` {
  @Test(arguments: ModelServer.API.allCases)
  func `keeps the promises of strategies`(api: ModelServer.API) async throws {
    let taxonomy = try KrogerStore.taxonomy()
    let server = try ModelServer(api, sections: taxonomy.sections.map(\.name), answers: KrogerStore.examples)
    let strategy = try Asking.strategy(server, taxonomy)
    let failures = await StrategyConformance.check(strategy, taxonomy: taxonomy)
    #expect(failures.isEmpty, "\(failures.map(\.description).joined(separator: "\n"))")
    #expect(server.faults.isEmpty, "\(server.faults.prefix(3))")
  }
}
