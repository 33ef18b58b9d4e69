package import AisleCore

/// A snapshot of the corrections in a file, ready for lookups.
///
/// They come from an index beside the database if it is up to date, or from the index and the changes since then if there are few.
/// Otherwise, or if the index is damaged, they come from the database, and the index is rebuilt. The database is only read.
///
/// `CorrectionStore.correct` does not change a snapshot; open a new one to see its changes.
public struct LearnedCorrections: Sendable {
  /// The indexes that are asked, with the numbers of corrections that they no longer speak for.
  package let layers: [Layer]
  /// Reads them anew, in place of an index that proved damaged; `nil` for those in memory.
  private let renewal: (@Sendable () -> LearnedCorrections)?

  /// Corrections, some of which may have changed since.
  package struct Layer: Sendable {
    package let index: CorrectionIndex
    package let outdated: Set<Int64>

    package init(index: CorrectionIndex, outdated: Set<Int64>) { (self.index, self.outdated) = (index, outdated) }

    /// Corrections from tables that were just built; `nil` where they cannot be one index.
    package init?(_ blocks: [FlatBlock], outdated: Set<Int64> = []) {
      guard let index = CorrectionIndex(blocks) else { return nil }
      self.init(index: index, outdated: outdated)
    }
  }

  /// The number of corrections, counting outdated ones.
  public var count: Int { layers.reduce(0) { $0 + $1.index.count } }

  package init(_ layers: [Layer], renewal: (@Sendable () -> LearnedCorrections)? = nil) {
    (self.layers, self.renewal) = (layers, renewal)
  }

  /// Corrections in memory, without a file.
  public init(_ corrections: [Correction]) {
    var builder = CorrectionIndexBuilder()
    for (place, correction) in corrections.enumerated() {
      builder.add(id: Int64(place), key: Normalizer.normalize(correction.item), correction)
    }
    self.init(Layer(builder.blocks()).map { [$0] } ?? [])
  }

  /// Whether a part of the index that was needed proved damaged: what was found may be wrong, and is to be asked of `renewed`.
  package var isDamaged: Bool { layers.contains { $0.index.isDamaged } }

  /// The corrections read from the database anew, in place of an index that proved damaged; none where that is not possible. It says
  /// what it did.
  func renewed() -> LearnedCorrections { renewal?() ?? self }
}
