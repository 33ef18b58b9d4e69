import AisleCore

extension Taxonomy {
  /// The sections with these names in the order in which a list shows them: walking order, then those that the store does not know by
  /// name, the fallback last.
  func shown(_ names: Set<String>) -> [Section] {
    let last = self[fallback]
    let known = sections.filter { $0 != last && names.contains($0.name) }
    let unknown = names.subtracting(sections.map(\.name)).sorted().map { Section(name: $0, color: .forUnknownSection(named: $0)) }
    return known + unknown + (names.contains(last.name) ? [last] : [])
  }
}
