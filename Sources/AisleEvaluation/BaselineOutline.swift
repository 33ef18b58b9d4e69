import AisleCore
import AisleFiles

/// What of an evaluation's baseline needs no answers: its items in their order, and what was evaluated.
///
/// So it can be found while the answers are awaited.
public struct BaselineOutline: Sendable {
  /// An item.
  struct Item: Sendable {
    /// Where its bytes lie in `bytes`.
    let extent: Batch.Extent
    /// Its labels: a place in `Corpus.labels`.
    let labels: UInt32
    /// Its place among the items that are asked.
    let place: UInt32
  }

  /// The items, in the order of baselines.
  let items: ContiguousArray<Item>
  /// The bytes that they lie in.
  let bytes: [UInt8]
  /// The fingerprint of the store.
  let taxonomy: UInt64
  /// The fingerprint of the corpus.
  let corpus: UInt64

  /// Outlines the baseline of some of a corpus's entries.
  ///
  /// - Complexity: O(bytes).
  init(of entries: [UInt32], in corpus: Corpus, _ expectations: Expectations, _ taxonomy: Taxonomy) {
    let names = ItemOrder.ranks(of: taxonomy.sections.map(\.name))
    let ranks = expectations.accepted.map { sections in sections.first.map { names[Int($0.rawValue)] } ?? 0 }
    func entry(_ place: UInt32) -> Corpus.Entry { corpus.entries[Int(entries[Int(place)])] }
    let places = 0..<UInt32(entries.count)
    let order = ItemOrder.sorted(
      places.map { entry($0).item }, in: corpus.text, ranks: places.map { ranks[Int(entry($0).labels)] })
    items = ContiguousArray(
      (order ?? Array(places)).map { Item(extent: entry($0).item, labels: entry($0).labels, place: $0) })
    bytes = corpus.text
    self.taxonomy = Fingerprint.of(taxonomy)
    self.corpus = corpus.fingerprint
  }
}

extension Evaluator {
  /// What the baseline of an evaluation will have, whatever the answers.
  ///
  /// - Complexity: O(bytes of the corpus).
  public var baselineOutline: BaselineOutline { BaselineOutline(of: entries, in: corpus, expectations, taxonomy) }
}

extension Evaluation {
  var baselineOutline: BaselineOutline { BaselineOutline(of: items.map(\.entry), in: corpus, expectations, taxonomy) }
}
