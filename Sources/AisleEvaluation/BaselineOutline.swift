import AisleCore
import AisleFiles

/// The part of a baseline that does not depend on the answers: its items in order, and what was evaluated.
///
/// It can be computed while the evaluation runs.
public struct BaselineOutline: Sendable {
  /// An item.
  struct Item: Sendable {
    /// Where its bytes lie in `bytes`.
    let extent: Batch.Extent
    /// Its labels: an index into `Corpus.labels`.
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
  /// The part of an evaluation's baseline that does not depend on the answers.
  ///
  /// - Complexity: O(bytes of the corpus).
  public var baselineOutline: BaselineOutline { BaselineOutline(of: entries, in: corpus, expectations, taxonomy) }
}

extension Evaluation {
  var baselineOutline: BaselineOutline { BaselineOutline(of: items.map(\.entry), in: corpus, expectations, taxonomy) }
}
