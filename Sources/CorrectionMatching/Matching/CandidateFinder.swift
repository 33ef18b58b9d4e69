import AisleCore

/// A correction that an item may be near: found by a number that the two have in common.
struct Candidate: Comparable {
  /// All of it in one number, so that candidates are sorted as fast as numbers: by item, rank, layer and row.
  private let number: UInt64

  init(item: Int, rank: UInt8, layer: Int, row: Int) {
    number =
      UInt64(truncatingIfNeeded: item) &<< 36 | UInt64(rank & 3) &<< 34 | UInt64(truncatingIfNeeded: layer & 3) &<< 32
      | UInt64(truncatingIfNeeded: row) & 0xFFFF_FFFF
  }

  /// The item's place in the batch, below 2²⁸.
  var item: Int { Int(truncatingIfNeeded: number &>> 36) }
  /// How near it is likely to be, nearest first, in 0…3: the kind of number that they have in common.
  var rank: UInt8 { UInt8(truncatingIfNeeded: number &>> 34) & 3 }
  /// Which of at most four layers has it.
  var layer: Int { Int(truncatingIfNeeded: number &>> 32) & 3 }
  var row: Int { Int(truncatingIfNeeded: number & 0xFFFF_FFFF) }

  static func < (left: Candidate, right: Candidate) -> Bool { left.number < right.number }
}

/// Looks the items of a batch up in the indexes.
///
/// Most items are near no correction, so this is made for them: an item costs its words and one to three looks at a filter. The looks for
/// some items are made together, so that they wait for memory together.
enum CandidateFinder {
  /// How many items are looked up together.
  private static let groupSize = 64

  /// What an item is looked up under.
  private struct Probe {
    enum Table: UInt8 {
      case exact, whole, trimmed, slip

      /// The most corrections that are compared. There may be many with the same words and other quantities or brands.
      var most: Int {
        switch self {
        case .exact: 32
        case .whole: 16
        case .trimmed: 6
        case .slip: 8
        }
      }
    }
    var number: UInt64
    var item: Int32
    var table: Table
  }

  /// The candidates of the items at some places of a batch, by item, the nearest first.
  static func find(
    _ items: ContiguousArray<Int32>, in batch: borrowing Batch, _ layers: [LearnedCorrections.Layer]
  ) -> ContiguousArray<Candidate> {
    var found: ContiguousArray<Candidate> = []
    var probes: ContiguousArray<Probe> = []
    probes.reserveCapacity(groupSize * 8)
    let words = Words()
    for (place, layer) in layers.enumerated() {
      let index = layer.index
      // A word that any correction has is not mistyped, whichever layer holds that correction.
      let others = layers.indices.filter { $0 != place }.map { layers[$0].index.vocabulary }
      let candidates = batch.withItems { text, extents, _ in
        lookUp(items, text, extents, words, index, others, place, &probes)
      }
      if let candidates { found.append(contentsOf: candidates) }
    }
    found.sort()
    return found
  }

  private static func lookUp(
    _ items: ContiguousArray<Int32>, _ text: UnsafePointer<UInt8>, _ extents: UnsafeBufferPointer<Batch.Extent>, _ words: Words,
    _ index: CorrectionIndex, _ others: [NumberFilter], _ layer: Int, _ probes: inout ContiguousArray<Probe>
  ) -> ContiguousArray<Candidate> {
    var candidates: ContiguousArray<Candidate> = []
    let (vocabulary, whole, trimmed, slip) = (index.vocabulary, index.whole, index.trimmed, index.slip)
    func table(of probe: Probe) -> NumberTable { probe.table == .trimmed ? trimmed : probe.table == .slip ? slip : whole }
    let measures = MeasureWords.shared
    var fetched: UInt64 = 0
    var start = 0
    while start < items.count {
      let end = min(start + groupSize, items.count)
      probes.removeAll(keepingCapacity: true)
      for place in start..<end {
        let extent = extents[Int(items[place])]
        words.scan(text + Int(extent.start), count: Int(extent.length))
        collect(words, measures, vocabulary, slip, others, items[place], &probes)
      }
      // Each step waits for memory for all probes at once.
      var kept = 0
      for place in probes.indices {
        let probe = probes[place]
        probes[kept] = probe
        kept &+= table(of: probe).mayHold(probe.number) ? 1 : 0
      }
      for probe in probes[..<kept] { fetched &+= table(of: probe).fetch(probe.number) }
      let first = candidates.count
      for probe in probes[..<kept] {
        table(of: probe).forEachRow(of: probe.number, most: probe.table.most) { row in
          candidates.append(Candidate(item: Int(probe.item), rank: probe.table.rawValue, layer: layer, row: row))
        }
      }
      fetched &+= index.fetch(candidates[first...].lazy.map(\.row))
      start = end
    }
    withExtendedLifetime(fetched) {}
    return candidates
  }

  @inline(__always)
  private static func collect(
    _ words: Words, _ measures: MeasureWords, _ vocabulary: NumberFilter, _ slip: NumberTable, _ others: [NumberFilter],
    _ item: Int32, _ probes: inout ContiguousArray<Probe>
  ) {
    var set: UInt64 = 0
    var (first, second): (UInt64, UInt64) = (0, 0)
    var (count, unknown, unknownPlace, unknownPart) = (0, 0, 0, UInt64(0))
    // Where all words say how much, they count as what it is.
    for pass in 0..<2 where count == 0 {
      for word in 0..<words.count {
        let key = words.keys[word]
        if pass == 0, measures.contains(word, of: words) { continue }
        let part = Signature.part(key)
        set &+= part
        if count == 0 { first = part } else if count == 1 { second = part }
        if !vocabulary.mayHold(key), others.isEmpty || !others.contains(where: { $0.mayHold(key) }) {
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
      var exact: UInt64 = 0
      for word in 0..<words.count { exact = Signature.then(exact, Signature.part(words.keys[word])) }
      probes.append(Probe(number: Signature.exact(exact), item: item, table: .exact))
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
      // Most often nothing was corrected that has the other words and one more.
      guard slip.mayHold(Signature.slip(rest: rest, edge: Signature.anyEdge)) else { return }
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
