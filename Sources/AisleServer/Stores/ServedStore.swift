import AisleCatalog
import AisleCore
import AisleKit
import LearnedStrategy

/// A store that is open, with the chain that decides its items.
final class ServedStore: Sendable {
  let taxonomy: Taxonomy
  let sections: [Aisle.Section]
  let chain: Chain
  /// The same where all of it decides at once, so that there is nothing to wait for.
  let local: LocalChain?
  let strategies: [StrategyMetadata]
  /// What decides by corrections; `nil` where the chain does not ask for them.
  let learned: LiveLearnedStrategy?
  /// What an answer says of each section, as JSON: what stands between the item and the confidence.
  let fields: [[UInt8]]

  /// - Throws: `TaxonomyMismatch`.
  init(_ opened: OpenedChain) throws {
    taxonomy = opened.taxonomy
    sections = Aisle.Section.all(of: opened.taxonomy)
    chain = opened.chain.chain
    try chain.check(for: taxonomy)
    let links = chain.links.compactMap { link in
      (link.strategy as? any LocalStrategy).map { LocalChain.Link($0, threshold: link.threshold) }
    }
    local = links.count < chain.links.count ? nil : LocalChain(links, policy: chain.policy, of: taxonomy)
    strategies = chain.links.map(\.strategy.metadata)
    learned = chain.links.lazy.compactMap { $0.strategy as? LiveLearnedStrategy }.first
    fields = sections.map { section in
      let writer = JSONLineWriter()
      writer.add([
        ("section", .text(section.name)), ("section_id", .text(section.id)), ("color", .text(section.color.rawValue)),
      ])
      return Array(writer.bytes.dropFirst().dropLast(2))
    }
  }

  var id: String { taxonomy.store }

  /// A section's id by its name, as corrections keep it; `nil` for one that the store has no longer.
  func sectionID(_ name: String) -> String? { sections.first { $0.name == name }?.id }

  /// The section that is meant, and the shelf where it was a shelf's name.
  ///
  /// - Throws: `Problem`.
  func place(_ name: String) throws -> (section: String, shelf: String?) {
    do { return try taxonomy.place(named: name, among: sections) } catch {
      throw Problem(.unprocessableContent, error.description)
    }
  }

  /// Decides items.
  func decide(_ items: [String]) async throws -> Batch {
    var batch = Batch(items, taxonomy: taxonomy)
    try await chain.ask(&batch)
    return batch
  }

  /// Where the section of a decision stands in `sections`: the fallback's place while undecided, and for a section that a strategy made up.
  func place(of decision: Decision?) -> Int {
    let section = decision.map { Int($0.section.rawValue) } ?? .max
    return section < sections.count ? section : Int(taxonomy.fallback.rawValue)
  }
}
