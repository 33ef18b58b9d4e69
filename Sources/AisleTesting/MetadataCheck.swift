import AisleCore

/// What may be missing in a strategy's metadata.
enum MetadataCheck {
  static func faults(in metadata: StrategyMetadata) -> [String] {
    var faults: [String] = []
    if !Shelf.isValid(name: metadata.id) {
      faults.append("the id `\(metadata.id)` must have 1 to 64 characters: a-z, 0-9, and hyphens")
    }
    if !isLine(metadata.summary) { faults.append("the summary must be one line of text") }
    if isBlank(metadata.rationale) { faults.append("the rationale is empty; say why the strategy exists and when to use it") }
    if metadata.rules.count > 255 { faults.append("there are \(metadata.rules.count) rules; evidence can refer to only 255") }
    var rules: Set<String> = []
    for (place, rule) in metadata.rules.enumerated() {
      if isBlank(rule.name) || !isLine(rule.summary) { faults.append("rule \(place) needs a name and a one-line summary") }
      if !rules.insert(rule.name).inserted { faults.append("two rules have the name `\(rule.name)`") }
    }
    if metadata.examples.isEmpty { faults.append("there are no examples; add some, which serve as documentation and tests") }
    var sections: [String: String?] = [:]
    for example in metadata.examples {
      if isBlank(example.topic) { faults.append("the example `\(example.item)` has no topic; say what it shows") }
      if let other = sections[example.item], other != example.section {
        faults.append("two examples give `\(example.item)` different sections")
      }
      sections[example.item] = .some(example.section)
    }
    return faults
  }

  private static func isBlank(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }

  private static func isLine(_ text: String) -> Bool { !isBlank(text) && !text.contains(where: \.isNewline) }
}
