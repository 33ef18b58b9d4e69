import AisleCatalog
import AisleCore
import AisleItems

extension CheckedList {
  /// Reads a list, and decides its items where it does not say where they stand.
  ///
  /// - Parameters:
  ///   - path: The file; `-` for standard input.
  ///   - fields: What else its records say.
  ///   - chain: What decides them.
  /// - Throws: `CommandFailure` where it cannot be read; what a strategy throws.
  static func read(
    _ path: String, _ setup: InputSetup, _ fields: CheckFields, _ chain: OpenedChain, _ diagnostics: Diagnostics
  ) async throws -> Self {
    var list = CheckedList()
    var reader = setup.format.isJSON ? RecordFields.json : RecordFields()
    var fault: (any Error)?
    var pipeline = Pipeline(
      categorizer: try Categorizer(taxonomy: chain.taxonomy, chain: chain.chain.chain), setup: setup,
      makePresenter: { header in
        guard let header, setup.format.isTable else { return nil }
        reader = RecordFields(header, setup.dialect)
        do { try fields.check(reader, header, of: path) } catch { fault = error }
        return nil
      }, jobs: Environment.processorCount, isLineBuffered: false, output: .standardOutput, diagnostics: diagnostics)
    pipeline.onResult = { work in
      if let fault { throw fault }
      list.faults += work.list.faults.count
      for index in 0..<work.batch.count where work.list.faults[index] == nil {
        let (id, section) = fields.read(work.record(index), reader, chain.taxonomy)
        list.add(work.batch, index, given: section, id: id)
      }
    }
    pipeline.onOversized = { _ in list.faults += 1 }
    try await pipeline.run(paths: [path])
    // What is wrong has been said.
    if pipeline.failures > 0 { throw CheckCommand.Unreadable() }
    if setup.format.isJSON, !list.items.isEmpty { list.tellUnused(fields, of: path, diagnostics) }
    return list
  }

  /// Says which field is named and in no record: it is probably misspelled.
  private func tellUnused(_ fields: CheckFields, of path: String, _ diagnostics: Diagnostics) {
    if let name = fields.id, !items.contains(where: { $0.id != nil }) {
      diagnostics.error("\(path): no record has a field `\(name)`, which --id names; suggestions come without ids")
    }
    if let name = fields.category, !items.contains(where: \.isGiven) {
      diagnostics.error(
        "\(path): no record has a section in a field `\(name)`, which --category names; the chain decides instead")
    }
  }
}
