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
    func item(_ place: UInt32) -> Item {
      let entry = corpus.entries[Int(entries[Int(place)])]
      return Item(extent: entry.item, labels: entry.labels, place: place)
    }
    let places = entries.indices.map { UInt32($0) }
    let order = ItemOrder.sorted(entries.map { corpus.entries[Int($0)].item }, in: corpus.text) { place in
      expectations.accepted[Int(item(UInt32(place)).labels)].first.map { taxonomy[$0].name } ?? ""
    }
    items = ContiguousArray((order ?? places).map(item))
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
