import AisleCore

/// What was decided about the items that came before, so that one that comes again, as most on lists do, is not judged again.
///
/// It serves one batch at a time and remembers up to 16,384 items of at most 64 bytes, in about 2.5 MiB and what the
/// notes of corrections take.
struct VerdictMemo: Sendable {
  /// What is left to do for a batch.
  struct Rest {
    /// The undecided items that are to be judged.
    var items: ContiguousArray<Int32> = []
    /// Items that are the same, byte by byte, as an earlier one of them.
    var repeats: ContiguousArray<(item: Int32, earlier: Int32)> = []
  }

  private struct Key {
    var hash: UInt64 = 0
    /// The item's length in bytes; negative where none is remembered.
    var length: Int32 = -1
    /// Its place in the batch at hand while its verdict is not known yet, else `undecided` or `decided`.
    var item: Int32 = Self.undecided

    static var undecided: Int32 { -1 }
    static var decided: Int32 { -2 }
  }

  private struct Verdict {
    var decision: Decision?
    var note = ""
    /// The batch that has the note already, and the note's number there.
    var batch = 0
    var number: UInt32 = 0
  }

  private static let placeCount = 1 << 14
  /// The most bytes of an item that is remembered. No more than that are read past an item's start.
  private static let longest = Batch.padding
  /// After so many items with fewer than one in eight among them that came again, the next are not looked up, before the next trial.
  private static let trialCount = 256
  private static let pauseCount = 64 * trialCount
  /// The fewest items of a batch that are worth the memory.
  private static let fewest = 64

  private var keys = ContiguousArray(repeating: Key(), count: placeCount)
  private var texts = ContiguousArray<UInt8>(repeating: 0, count: placeCount * longest)
  private var verdicts = ContiguousArray(repeating: Verdict(), count: placeCount)
  /// The places of items that wait for their verdict.
  private var waiting: ContiguousArray<Int32> = []
  private var batchCount = 0
  private var (tried, found, paused) = (0, 0, 0)

  /// Whether a batch is long enough for a memo to be of use.
  static func isWorthwhile(for batch: borrowing Batch) -> Bool { batch.count >= fewest }

  /// All undecided items of a batch, for one that is not worth a memo.
  static func all(of batch: borrowing Batch) -> Rest {
    Rest(items: ContiguousArray(batch.undecided.lazy.map { Int32(truncatingIfNeeded: $0) }))
  }

  /// Decides the undecided items that were judged before. What is left is judged next, and then told by `remember`.
  mutating func recall(_ batch: inout Batch) -> Rest {
    batchCount += 1
    var rest = Rest()
    rest.items.reserveCapacity(batch.count)
    var known: ContiguousArray<(item: Int32, place: Int32)> = []
    _ = batch.withItems { text, extents, decisions in
      for item in extents.indices where decisions[item] == nil {
        let number = Int32(truncatingIfNeeded: item)
        let (start, length) = (text + Int(extents[item].start), Int(extents[item].length))
        guard length <= Self.longest, isTrying() else {
          rest.items.append(number)
          continue
        }
        let hash = Self.hash(start, length)
        let place = Int(truncatingIfNeeded: hash &>> 40) & (Self.placeCount &- 1)
        if isRemembered(start, length, hash, at: place) {
          found += 1
          if keys[place].item >= 0 {
            rest.repeats.append((number, keys[place].item))
          } else if keys[place].item == Key.decided {
            known.append((number, Int32(truncatingIfNeeded: place)))
          }
        } else {
          keys[place] = Key(hash: hash, length: Int32(truncatingIfNeeded: length), item: number)
          texts.withUnsafeMutableBytes { texts in
            texts.baseAddress?.advanced(by: place &* Self.longest).copyMemory(from: start, byteCount: length)
          }
          waiting.append(Int32(truncatingIfNeeded: place))
          rest.items.append(number)
        }
      }
    }
    for (item, place) in known { decide(Int(item), as: Int(place), &batch) }
    return rest
  }

  /// Takes over what was decided about the items that `recall` left, nothing included.
  mutating func remember(_ batch: borrowing Batch) {
    for place in waiting {
      let item = Int(keys[Int(place)].item)
      // Another item may have taken the place since and got its verdict already.
      guard item >= 0 else { continue }
      guard let decision = batch.decisions[item] else {
        keys[Int(place)].item = Key.undecided
        continue
      }
      keys[Int(place)].item = Key.decided
      let note = decision.evidence.note
      verdicts[Int(place)] = Verdict(
        decision: decision, note: note.map { batch.notes[Int($0)] } ?? "", batch: batchCount, number: note ?? 0)
    }
    waiting.removeAll(keepingCapacity: true)
  }

  private mutating func decide(_ item: Int, as place: Int, _ batch: inout Batch) {
    guard var decision = verdicts[place].decision else { return }
    if decision.evidence.note != nil {
      if verdicts[place].batch != batchCount {
        verdicts[place].batch = batchCount
        verdicts[place].number = batch.note(verdicts[place].note)
      }
      decision.evidence.note = verdicts[place].number
    }
    batch.decide(item, decision)
  }

  /// Whether to look the next item up: not for a while where hardly any came again.
  private mutating func isTrying() -> Bool {
    if paused > 0 {
      paused -= 1
      return false
    }
    if tried == Self.trialCount {
      if found * 8 < tried { paused = Self.pauseCount }
      (tried, found) = (0, 0)
    }
    tried += 1
    return true
  }

  private func isRemembered(_ item: UnsafePointer<UInt8>, _ length: Int, _ hash: UInt64, at place: Int) -> Bool {
    let key = keys[place]
    guard key.hash == hash, Int(key.length) == length else { return false }
    return texts.withUnsafeBufferPointer { texts in
      guard let text = texts.baseAddress else { return false }
      return Self.isSame(item, text + place &* Self.longest, length)
    }
  }

  /// Mixes the first and the last bytes; there are `Batch.padding` bytes past the end.
  private static func hash(_ item: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
    let raw = UnsafeRawPointer(item)
    let first = raw.loadUnaligned(as: UInt64.self) & (length >= 8 ? .max : (1 &<< UInt64(8 &* length)) &- 1)
    let last = length >= 8 ? raw.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self) : 0
    return ((first &* 0x9E37_79B1_85EB_CA87) ^ (last &+ UInt64(truncatingIfNeeded: length)) &* 0xC2B2_AE3D_27D4_EB4F)
      &* 0x9E37_79B1_85EB_CA87
  }

  private static func isSame(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ length: Int) -> Bool {
    let (left, right) = (UnsafeRawPointer(left), UnsafeRawPointer(right))
    var offset = 0
    while offset &+ 8 <= length {
      if left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        != right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      {
        return false
      }
      offset &+= 8
    }
    if offset == length { return true }
    let mask = (1 &<< UInt64(8 &* (length &- offset))) &- 1 as UInt64
    return
      (left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      ^ right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) & mask == 0
  }
}

/// Memos for batches that are decided at the same time: as many as there ever were at once.
final class VerdictMemos: Sendable {
  private let idle = Guarded<[VerdictMemo]>([])

  /// Lends a memo that no other batch has.
  func with<Result>(_ body: (inout VerdictMemo) -> Result) -> Result {
    var memo = idle.withLock { $0.popLast() } ?? VerdictMemo()
    defer { idle.withLock { [memo] in $0.append(memo) } }
    return body(&memo)
  }
}
