import AisleCore
import CAisle

/// Items in the layout of an Arrow column of strings, and where their answers go.
struct Columns<Offset: FixedWidthInteger & BitwiseCopyable> {
  let offsets: UnsafePointer<Offset>
  let items: aisle_items
  let answers: aisle_columns

  /// A piece takes some milliseconds, so that a fork, which waits for it, need not wait long.
  private static var pieceCount: Int { 8192 }
  private static var pieceBytes: Int { 1 << 20 }

  /// Categorizes all items, piece by piece; called in the gate, which it lets a fork through between two pieces.
  func categorize(_ store: OpenStore) throws(Failure) {
    var batch = Batch(taxonomy: store.taxonomy)
    var first = 0
    while first < Int(items.count) {
      if first > 0 {
        aisle_gate_leave()
        aisle_gate_enter()
      }
      let piece = try piece(from: first)
      fill(&batch, piece)
      store.chain.decide(&batch)
      _ = batch.withItems { _, _, decisions in
        for (place, decision) in decisions.enumerated() { write(store.answer(decision), at: first + place) }
      }
      first += piece.count
    }
  }

  private struct Piece {
    let first: Int
    var count = 0
    /// The bytes that are copied.
    var size = 0
    /// Whether items lie back to back and are copied whole.
    var isWhole = true
  }

  /// The next items, checked.
  private func piece(from first: Int) throws(Failure) -> Piece {
    var piece = Piece(first: first)
    var start = Int64(offset(first))
    guard start >= 0 else { throw fault(first, "offset \(start) is negative") }
    let limit = min(Int(items.count) - first, Self.pieceCount)
    while piece.count < limit, piece.size < Self.pieceBytes {
      let end = Int64(offset(first + piece.count + 1))
      if end < start { throw fault(first + piece.count, "offset \(end) comes after \(start); offsets must not descend") }
      if end > items.data_size {
        throw fault(first + piece.count, "offset \(end) leads out of the data, which has \(items.data_size) bytes")
      }
      let size = Int(end - start)
      if size > OpenStore.readBytes { piece.isWhole = false }
      piece.size += min(size, OpenStore.readBytes)
      piece.count += 1
      start = end
    }
    return piece
  }

  private func fill(_ batch: inout Batch, _ piece: Piece) {
    var (text, extents) = batch.takeStorage()
    text.removeAll(keepingCapacity: true)
    extents.removeAll(keepingCapacity: true)
    text.reserveCapacity(piece.size + Batch.padding)
    extents.reserveCapacity(piece.count)
    let base = Int(offset(piece.first))
    if piece.isWhole { text.append(contentsOf: bytes(base, piece.size)) }
    var start = base
    for place in piece.first..<piece.first + piece.count {
      let end = Int(offset(place + 1))
      let isThere = isValid(place)
      let size = isThere ? min(end - start, OpenStore.readBytes) : 0
      if piece.isWhole {
        extents.append(Batch.Extent(start: UInt32(start - base), length: UInt32(size)))
      } else {
        extents.append(Batch.Extent(start: UInt32(text.count), length: UInt32(size)))
        text.append(contentsOf: bytes(start, size))
      }
      start = end
    }
    text.append(contentsOf: repeatElement(0, count: Batch.padding))
    batch.setItems(text: text, extents: extents)
  }

  @inline(__always)
  private func write(_ answer: aisle_answer, at place: Int) {
    let isThere = isValid(place)
    answers.section?[place] = isThere ? answer.section : -1
    answers.confidence?[place] = isThere ? answer.confidence : 0
    answers.shelf?[place] = isThere ? answer.shelf : -1
    answers.strategy?[place] = isThere ? answer.strategy : -1
  }

  // MARK: The column

  @inline(__always)
  private func offset(_ place: Int) -> Offset { offsets[Int(items.offset) &+ place] }

  @inline(__always)
  private func isValid(_ place: Int) -> Bool {
    guard let validity = items.validity else { return true }
    let bit = Int(items.offset) &+ place
    return validity[bit >> 3] >> UInt8(bit & 7) & 1 == 1
  }

  @inline(__always)
  private func bytes(_ start: Int, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: items.data.map { $0 + start }, count: items.data == nil ? 0 : count)
  }

  private func fault(_ place: Int, _ what: String) -> Failure { Failure(AISLE_BAD_ITEMS, "item \(place): \(what)") }
}
