import AisleCatalog
import AisleCore
import AisleEvaluation
import AisleFiles

/// A corpus whose files have errors.
struct BrokenCorpus: Error, CustomStringConvertible {
  let findings: [Finding]

  private static let shown = 10

  /// The first errors, and how to see the others.
  var description: String {
    let lines = findings.prefix(Self.shown).map(\.description).joined(separator: "\n")
    let rest = findings.count - Self.shown
    return rest > 0 ? "\(lines)\nand \(rest) more; run `aisle corpus check` to see all" : lines
  }
}

extension CorpusReader {
  /// Reads labeled files, and works out what is right in a store.
  ///
  /// - Throws: `FileError`; `BrokenCorpus` where there is any error.
  static func readLabeled(
    _ paths: [String], in taxonomy: Taxonomy, at locator: StoreLocator
  ) throws -> (corpus: Corpus, expectations: Expectations) {
    let (corpus, faults) = try read(paths)
    let (expectations, unknown) = Expectations.resolve(corpus, in: taxonomy, at: locator)
    let findings = (faults + unknown).sorted { $0.location < $1.location }
    if !findings.isEmpty { throw BrokenCorpus(findings: findings) }
    return (corpus, expectations)
  }
}
