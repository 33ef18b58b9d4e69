import AisleCore
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
