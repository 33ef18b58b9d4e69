import AisleCore

/// A correction that an item may be near: found by a number that the two have in common.
struct Candidate {
  let item: Int
  let layer: Int
  let row: Int
}

/// Looks the items of a batch up in the indexes.
///
/// Most items are near no correction, so this is made for them: an item costs its words and one to three looks at a filter. The looks
/// for some items are made together, so that they wait for memory together.
enum CandidateFinder {
  /// How many items are looked up together.
  private static let groupSize = 64

  /// What an item is looked up under.
  private struct Probe {
    enum Table { case whole, trimmed, slip }
    var number: UInt64
    var item: Int32
    var table: Table
  }

  /// The candidates of the undecided items, by item.
  static func find(in batch: borrowing Batch, _ layers: [LearnedCorrections.Layer]) -> [Candidate] {
    let words = Words()
    var candidates: [Candidate] = []
    var probes: [Probe] = []
    probes.reserveCapacity(groupSize * 8)
    for (place, layer) in layers.enumerated() {
      let index = layer.index
      // A word that any correction has is not mistyped, whichever layer holds that correction.
      let others = layers.indices.filter { $0 != place }.map { layers[$0].index.vocabulary }
      _ = MeasureWords.shared.withSlots { measures in
        batch.withItems { text, extents, decisions in
          var start = 0
          while start < extents.count {
            let end = min(start + groupSize, extents.count)
            probes.removeAll(keepingCapacity: true)
            for item in start..<end where decisions[item] == nil {
              words.scan(text + Int(extents[item].start), count: Int(extents[item].length))
              collect(words, measures, index, others, Int32(truncatingIfNeeded: item), &probes)
            }
            for probe in probes {
              switch probe.table {
              case .whole: if !index.whole.mayHold(probe.number) { continue }
              case .trimmed: if !index.trimmed.mayHold(probe.number) { continue }
              case .slip: if !index.slip.mayHold(probe.number) { continue }
              }
              let table = probe.table == .whole ? index.whole : probe.table == .trimmed ? index.trimmed : index.slip
              table.forEachRow(of: probe.number) { row in
                candidates.append(Candidate(item: Int(probe.item), layer: place, row: row))
              }
            }
            start = end
          }
        }
      }
    }
    // Two layers, or two numbers of one item, may give the same row.
    candidates.sort { ($0.item, $0.layer, $0.row) < ($1.item, $1.layer, $1.row) }
    return candidates
  }

  @inline(__always)
  private static func collect(
    _ words: Words, _ measures: UnsafePointer<UInt64>, _ index: CorrectionIndex, _ others: [NumberFilter], _ item: Int32,
    _ probes: inout [Probe]
  ) {
    var set: UInt64 = 0
    var (first, second): (UInt64, UInt64) = (0, 0)
    var (count, unknown, unknownPlace, unknownPart) = (0, 0, 0, UInt64(0))
    // Where all words say how much, they count as what it is.
    for pass in 0..<2 where count == 0 {
      for word in 0..<words.count {
        let key = words.keys[word]
        if pass == 0, words.marks[word].contains(.digit) || MeasureWords.contains(key, in: measures) { continue }
        let part = Signature.part(key)
        set &+= part
        if count == 0 { first = part } else if count == 1 { second = part }
        if !index.vocabulary.mayHold(key), others.isEmpty || !others.contains(where: { $0.mayHold(key) }) {
          // Two unknown words may be a brand; three are another item.
          unknown += 1
          if unknown == 1 { (unknownPlace, unknownPart) = (word, part) }
          if unknown > 2 || unknown == 2 && count != 1 { return }
        }
        count += 1
      }
    }
    if count == 0 { return }
    if unknown == 0 {
      probes.append(Probe(number: Signature.whole(set), item: item, table: .whole))
      probes.append(Probe(number: Signature.whole(set), item: item, table: .trimmed))
    }
    let isFirst = unknown > 0 && unknownPart == first
    if count > 1, unknown == 0 || unknown == 1 && isFirst {
      probes.append(Probe(number: Signature.whole(set &- first), item: item, table: .whole))
    }
    if count > 2, unknown == 0 || unknown == 2 || unknownPart == first || unknownPart == second {
      probes.append(Probe(number: Signature.whole(set &- first &- second), item: item, table: .whole))
    }
    if unknown == 1 {
      let start = Int(words.bounds[2 * unknownPlace])
      let length = Int(words.bounds[2 * unknownPlace + 1]) - start
      guard length >= Signature.shortestWord - 1 else { return }
      let rest = set &- unknownPart
      if length == Signature.shortestWord {
        let ends = Signature.ends(words.text + start, length, caseBit: 0x20)
        probes.append(Probe(number: Signature.slip(rest: rest, edge: ends), item: item, table: .slip))
      }
      for letters in 2...3 {
        // A word of one letter more or less may have been filed by its first two letters or its first three.
        if letters == 2 ? length > Signature.longWord : length < Signature.longWord - 1 { continue }
        for isEnd in [false, true] {
          let edge = Signature.edge(words.text + start, length, letters, isEnd: isEnd, caseBit: 0x20)
          probes.append(Probe(number: Signature.slip(rest: rest, edge: edge), item: item, table: .slip))
        }
      }
    }
  }
}
