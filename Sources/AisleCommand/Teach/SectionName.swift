import AisleCore

/// Finds the section that a person means.
enum SectionName {
  /// The section of this name, whatever its case.
  ///
  /// - Throws: `CommandFailure` naming the one that may have been meant.
  static func find(_ name: String, in taxonomy: Taxonomy) throws -> String {
    let names = taxonomy.sections.map(\.name)
    if let found = names.first(where: { $0 == name }) ?? names.first(where: { $0.lowercased() == name.lowercased() }) {
      return found
    }
    let hint = DidYouMean.hint(name, among: names)
    throw CommandFailure(
      description:
        "no section `\(name)` in \(taxonomy.store)\(hint.isEmpty ? "; use one of \(DidYouMean.list(names))" : hint)")
  }

  /// The section of this name, or the shelf of this name with its section.
  ///
  /// - Throws: `CommandFailure` naming the one that may have been meant.
  static func findSectionOrShelf(_ name: String, in taxonomy: Taxonomy) throws -> (section: String, shelf: String?) {
    do { return (try find(name, in: taxonomy), nil) } catch let failure {
      guard let shelf = taxonomy.shelf(named: name) else {
        let hint = DidYouMean.hint(name, among: taxonomy.shelves.map(\.name))
        if !hint.isEmpty, !failure.localizedText.contains("did you mean") {
          throw CommandFailure(description: "no section or shelf `\(name)` in \(taxonomy.store)\(hint)")
        }
        throw failure
      }
      return (taxonomy[taxonomy[shelf].section].name, name)
    }
  }
}

extension Error {
  fileprivate var localizedText: String { "\(self)" }
}
