import AisleCore
import AisleReporting

/// The shopping list: sections in walking order, then those the store does not know by name, the fallback last, each with its items.
struct ShoppingList {
  private struct Entry {
    let text: String
    let explanation: Explanation?
  }

  private let taxonomy: Taxonomy
  private let explained: [StrategyMetadata]?
  private let style: Style
  private var entries: [String: [Entry]] = [:]

  init(taxonomy: Taxonomy, explained: [StrategyMetadata]?, style: Style) {
    self.taxonomy = taxonomy
    self.explained = explained
    self.style = style
  }

  /// Takes in a block's items; blank ones are left out.
  mutating func add(_ work: Workspace) {
    for index in 0..<work.batch.count {
      let bytes = work.item(index)
      let text = String(decoding: bytes, as: UTF8.self)
      guard text.contains(where: { !$0.isWhitespace }) else { continue }
      let section = work.batch.sectionName(at: index)
      let explanation = explained.map { Explanation(index, in: work.batch, metadata: $0) }
      add(text, to: section, explanation)
    }
  }

  /// Adds one item.
  mutating func add(_ text: String, to section: String, _ explanation: Explanation? = nil) {
    entries[section, default: []].append(Entry(text: Style.visible(text), explanation: explanation))
  }

  /// The sections that have items, in the order they are shown in.
  var sections: [Section] {
    let fallback = taxonomy[taxonomy.fallback]
    let known = taxonomy.sections.filter { $0 != fallback && entries[$0.name] != nil }
    let names = Set(taxonomy.sections.map(\.name))
    let unknown = entries.keys.filter { !names.contains($0) }.sorted()
      .map { Section(name: $0, color: .forUnknownSection(named: $0)) }
    return known + unknown + (entries[fallback.name] == nil ? [] : [fallback])
  }

  /// The list as it is printed.
  func render() -> String {
    var text = ""
    for section in sections {
      let items = entries[section.name] ?? []
      if !text.isEmpty { text += "\n" }
      text += style.colored(section.name, section.color) + style.dim("  \(items.count)") + "\n"
      let width = min(items.map(\.text.count).max() ?? 0, 40)
      for item in items {
        text += "  " + item.text
        if let explanation = item.explanation {
          text += String(repeating: " ", count: max(0, width - item.text.count) + 2) + style.dim(Self.line(explanation))
        }
        text += "\n"
      }
    }
    return text
  }

  private static func line(_ explanation: Explanation) -> String {
    if explanation.strategy == "none" { return "no strategy knows it" }
    var parts = ["\(explanation.confidenceText) \(explanation.strategy)"]
    if !explanation.keyword.isEmpty { parts.append("`\(explanation.keyword)` \(explanation.sourceText)") }
    if !explanation.rule.isEmpty { parts.append(explanation.rule) }
    if !explanation.runnerUp.isEmpty { parts.append("over \(explanation.runnerUp)") }
    return parts.joined(separator: " · ")
  }
}
