import AisleCatalog
import AisleCore
import AisleItems

extension CheckedList {
  /// Reads a list and decides its items.
  ///
  /// - Parameters:
  ///   - path: The file; `-` for standard input.
  ///   - chain: What decides them.
  /// - Throws: `CommandFailure` where it cannot be read; what a strategy throws.
  static func read(_ path: String, _ setup: InputSetup, _ chain: OpenedChain, _ diagnostics: Diagnostics) async throws -> Self {
    var list = CheckedList()
    var pipeline = Pipeline(
      categorizer: try Categorizer(taxonomy: chain.taxonomy, chain: chain.chain.chain), setup: setup, makePresenter: { _ in nil },
      jobs: Environment.processorCount, isLineBuffered: false, output: .standardOutput, diagnostics: diagnostics)
    pipeline.onResult = { work in
      list.faults += work.list.faults.count
      for index in 0..<work.batch.count where work.list.faults[index] == nil {
        list.add(work.batch, index)
      }
    }
    pipeline.onOversized = { _ in list.faults += 1 }
    try await pipeline.run(paths: [path])
    // What is wrong has been said.
    if pipeline.failures > 0 { throw CheckCommand.Unreadable() }
    return list
  }
}
