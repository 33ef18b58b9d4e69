import AisleCore

/// The items that two baselines share: those with the same bytes. Repeated items are paired in order.
public struct Pairing: Sendable {
  /// An item's places in both.
  struct Pair: Sendable {
    let before: UInt32
    let after: UInt32
  }

  /// The pairs, in the order of baselines.
  let pairs: [Pair]

  /// Pairs the items of a baseline with those of an evaluation.
  ///
  /// - Complexity: O(bytes of both).
  public init(_ before: Baseline, _ after: BaselineOutline) {
    self.init(before.table, after.items.lazy.map(\.extent), in: after.bytes)
  }

  init(_ before: AnswerTable, _ after: AnswerTable) {
    self.init(before, after.rows.lazy.map(\.item), in: after.bytes)
  }

  /// Goes through both at once: they are in the same order.
  private init<Items: RandomAccessCollection>(_ before: AnswerTable, _ items: Items, in bytes: [UInt8])
  where Items.Element == Batch.Extent, Items.Index == Int {
    pairs = before.bytes.withUnsafeBufferPointer { known in
      bytes.withUnsafeBufferPointer { bytes in
        var pairs: [Pair] = []
        pairs.reserveCapacity(min(before.rows.count, items.count))
        var (old, new) = (0, 0)
        while old < before.rows.count, new < items.count {
          let order = known.compare(before.rows[old].item, to: items[new], in: bytes)
          if order == 0 { pairs.append(Pair(before: UInt32(old), after: UInt32(new))) }
          if order <= 0 { old += 1 }
          if order >= 0 { new += 1 }
        }
        return pairs
      }
    }
  }
}
