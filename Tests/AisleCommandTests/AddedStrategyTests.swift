import AisleCatalog
import AisleCore
import ArgumentParser
import Testing

@testable import AisleCommand

/// What the command makes of strategies that a package adds, and of their errors.
@Suite struct AddedStrategyTests {
  private struct Oops: Error {}

  private struct Failing: MeteredStrategy {
    let error: any Error
    var metadata: StrategyMetadata { StrategyMetadata(id: "plu", summary: "", rationale: "", examples: []) }
    var usage: StrategyUsage { StrategyUsage(requests: 7) }
    func decide(_ batch: inout Batch) throws { throw error }
  }

  private var taxonomy: Taxonomy {
    var builder = TaxonomyBuilder(store: "small", name: "Small")
    _ = builder.addSection(Section(name: "Other", color: .gray))
    return builder.build()
  }

  /// The chain of one strategy, as the command makes it.
  private func chain(make: @escaping @Sendable () throws -> any Strategy) throws -> Chain {
    let kind = StrategyKind(id: "plu", summary: "") { _, _ in try make() }
    let catalog = StrategyCatalog.builtIn.adding([kind.namingFailures])
    return try catalog.chain(ChainSpecification("plu"), in: StrategyContext(taxonomy: taxonomy)).chain
  }

  @Test("What an added strategy throws names it, and what it used is still counted")
  func named() async throws {
    let chain = try chain { Failing(error: Oops()) }
    var batch = Batch(["kale"], taxonomy: taxonomy)
    let error = await #expect(throws: CommandFailure.self) { try await chain.decide(&batch) }
    #expect(error?.description == "strategy `plu`: Oops()")
    #expect((chain.links[0].strategy as? any MeteredStrategy)?.usage.requests == 7)
    let unmade = #expect(throws: CommandFailure.self) { try self.chain { throw Oops() } }
    #expect(unmade?.description == "strategy `plu`: Oops()")
  }

  @Test("An interruption stays one")
  func interruption() async throws {
    var batch = Batch(["kale"], taxonomy: taxonomy)
    let cancelled = try chain { Failing(error: CancellationError()) }
    await #expect(throws: CancellationError.self) { try await cancelled.decide(&batch) }
    let interrupted = try chain { Failing(error: Interruption()) }
    await #expect(throws: Interruption.self) { try await interrupted.decide(&batch) }
  }

  @Test("Only what the argument parser threw is left to it; every other error ends a run with 2")
  func parsersErrors() {
    let mistake = #expect(throws: (any Error).self) { try AisleCommand.parseAsRoot(["--no-such-option"]) }
    let theirs: [(any Error)?] = [mistake, ValidationError("x"), ExitCode(1), ExitCode(2), CleanExit.helpRequest()]
    for error in theirs { #expect(error.map { AisleCommand.isParsers($0) } == true, "\(String(describing: error))") }
    for error in [Oops(), CommandFailure(description: "x"), CancellationError()] as [any Error] {
      #expect(!AisleCommand.isParsers(error), "\(error)")
    }
  }
}
