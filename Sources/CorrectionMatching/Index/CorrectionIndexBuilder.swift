package import AisleCore

/// Builds the index of corrections.
///
/// - Complexity: about 2 µs and 150 bytes a correction.
package struct CorrectionIndexBuilder {
  private struct Filed {
    var numbers: ContiguousArray<UInt64> = []
    var rows: ContiguousArray<UInt32> = []
    /// Numbers that the filter knows too, under which no row is filed.
    var others: ContiguousArray<UInt64> = []

    mutating func add(_ number: UInt64, _ row: Int) {
      numbers.append(number)
      rows.append(UInt32(truncatingIfNeeded: row))
    }
  }

  private var rows: ContiguousArray<CorrectionIndex.Row> = []
  private var text: ContiguousArray<UInt8> = []
  private var vocabulary: Set<UInt64> = []
  private var whole = Filed()
  private var trimmed = Filed()
  private var slip = Filed()
  private var nameNumbers: [String: UInt32] = [:]
  private var nameStarts: ContiguousArray<UInt32> = [0]
  private var names: ContiguousArray<UInt8> = []
  private let words = Words()
  private var scratch: [UInt8] = []

  /// Begins without corrections.
  package init() {}

  /// Adds a correction; one whose texts do not fit any more (4 GiB of them) is left out.
  package mutating func add(id: Int64, key: String, _ correction: Correction) {
    guard text.count < Int(UInt32.max) - 1 << 18, key.utf8.count < 1 << 16, correction.item.utf8.count < 1 << 16 else { return }
    let start = text.count
    text.append(contentsOf: key.utf8)
    let isOwnKey = key.utf8.elementsEqual(correction.item.utf8)
    if !isOwnKey { text.append(contentsOf: correction.item.utf8) }
    var row = CorrectionIndex.Row(
      id: id, time: Int64(correction.origin.time), text: UInt32(start), keyLength: UInt16(key.utf8.count),
      itemLength: isOwnKey ? 0 : UInt16(correction.item.utf8.count), store: name(correction.store),
      section: name(correction.section), shelf: correction.shelf.map { name($0) } ?? .max,
      proposer: name(correction.origin.proposer), model: correction.origin.model.map { name($0) } ?? .max, check: 0)
    row.check = text.withUnsafeBufferPointer { CorrectionIndex.check(row, UnsafeBufferPointer(rebasing: $0[start...])) }
    file(key, under: rows.count)
    rows.append(row)
  }

  private mutating func name(_ name: String) -> UInt32 {
    if let known = nameNumbers[name] { return known }
    let number = UInt32(nameNumbers.count)
    nameNumbers[name] = number
    names.append(contentsOf: name.utf8)
    nameStarts.append(UInt32(names.count))
    return number
  }

  private mutating func file(_ key: String, under row: Int) {
    scratch.removeAll(keepingCapacity: true)
    scratch.append(contentsOf: key.utf8)
    let length = scratch.count
    scratch.append(contentsOf: repeatElement(0, count: Batch.padding))
    scratch.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      words.scan(base, count: length)
      let measures = MeasureWords.shared
      var content = (0..<words.count).filter { !measures.contains($0, of: words) }
      if content.isEmpty { content = Array(0..<words.count) }
      var set: UInt64 = 0
      for word in content {
        set &+= Signature.part(words.keys[word])
        vocabulary.insert(words.keys[word])
      }
      var exact: UInt64 = 0
      for word in 0..<words.count { exact = Signature.then(exact, Signature.part(words.keys[word])) }
      whole.add(Signature.exact(exact), row)
      whole.add(Signature.whole(set), row)
      var rest = set
      for word in content.dropLast().prefix(2) {
        rest &-= Signature.part(words.keys[word])
        trimmed.add(Signature.whole(rest), row)
      }
      for word in content {
        let start = Int(words.bounds[2 * word])
        let length = Int(words.bounds[2 * word + 1]) - start
        guard length >= Signature.shortestWord else { continue }
        let rest = set &- Signature.part(words.keys[word])
        slip.others.append(Signature.slip(rest: rest, edge: Signature.anyEdge))
        if length == Signature.shortestWord {
          slip.add(Signature.slip(rest: rest, edge: Signature.ends(words.text + start, length, caseBit: 0x20)), row)
        }
        let letters = length >= Signature.longWord ? 3 : 2
        for isEnd in [false, true] {
          let edge = Signature.edge(words.text + start, length, letters, isEnd: isEnd, caseBit: 0x20)
          slip.add(Signature.slip(rest: rest, edge: edge), row)
        }
      }
    }
  }

  /// The tables, in the order that `CorrectionIndex` reads them in.
  package consuming func blocks() -> [FlatBlock] {
    // So many bits for each word that none of a usual number of words is taken for one that is not there.
    let bits = vocabulary.count < 200_000 ? 32 : 16
    var blocks = [FlatTable(NumberFilter.table(of: [ContiguousArray(vocabulary)], bitsEach: bits)).block]
    for filed in [whole, trimmed, slip] {
      let tables = NumberTable.tables(filed.numbers, filed.rows, others: filed.others)
      blocks += [FlatTable(tables.filter).block, FlatTable(tables.starts).block, FlatTable(tables.entries).block]
    }
    return blocks + [FlatTable(rows).block, FlatTable(text).block, FlatTable(nameStarts).block, FlatTable(names).block]
  }
}
