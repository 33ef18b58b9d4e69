import AisleCore

/// Weighs items with a model: the workspace of one pass over a batch.
struct ShelfScorer {
  /// What the model thinks of an item.
  struct Guess {
    let section: Int
    /// The shelf of that section with the largest share.
    let shelf: Int
    /// The section's share of the whole, in 0…1.
    let share: Float
  }

  private let model: ShelfModel
  private let lines: UnsafePointer<UInt8>
  private let features = FeatureReader()
  /// Each shelf's section in the store; `sectionCount` for one that the store does not have, and past the last shelf.
  private let sections: UnsafeMutablePointer<UInt16>
  private let sectionCount: Int
  /// The shelves' sums, as many as characters can name.
  private let sums: UnsafeMutablePointer<Int16>
  /// How many of the sums are of shelves, rounded up to whole lanes.
  private let used: Int
  private let meanings: UnsafeMutablePointer<Int16>
  private let totals: UnsafeMutablePointer<Float>
  /// The shelves that are likely enough to count, and their shares.
  private let likely: UnsafeMutablePointer<UInt16>
  private let shares: UnsafeMutablePointer<Float>

  /// As many shelves as are weighed at once.
  private typealias Lanes = SIMD8<Int16>
  /// A share so many times e smaller than the largest changes no decision.
  private static let leastLogarithm: Float = 7
  /// The most features of an item; what stands later in it is left out.
  private static let maximumFeatures = 400

  init(_ model: ShelfModel, of taxonomy: Taxonomy) {
    let placed = Dictionary(taxonomy.shelves.map { ($0.name, $0.section.rawValue) }) { first, _ in first }
    self.model = model
    lines = model.lines
    sectionCount = taxonomy.sections.count
    used = (model.shelves.count + Lanes.scalarCount - 1) / Lanes.scalarCount * Lanes.scalarCount
    sections = .allocate(capacity: used)
    sections.initialize(repeating: UInt16(sectionCount), count: used)
    for (place, shelf) in model.shelves.enumerated() { sections[place] = placed[shelf] ?? UInt16(sectionCount) }
    sums = .allocate(capacity: max(model.table.sumCount, used))
    sums.initialize(repeating: 0, count: max(model.table.sumCount, used))
    meanings = .allocate(capacity: 256)
    meanings.initialize(from: model.table.meanings(), count: 256)
    totals = .allocate(capacity: sectionCount + 1)
    likely = .allocate(capacity: used + 1)
    shares = .allocate(capacity: used + Eight.scalarCount)
    shares.initialize(repeating: 0, count: used + Eight.scalarCount)
  }

  func deallocate() {
    sections.deallocate()
    sums.deallocate()
    meanings.deallocate()
    totals.deallocate()
    likely.deallocate()
    shares.deallocate()
  }

  /// The section that the model would choose; `nil` for an item of which it knows nothing, and for one that is more like what the
  /// store does not have.
  func guess(_ item: UnsafePointer<UInt8>, count length: Int) -> Guess? {
    for place in stride(from: 0, to: used, by: Lanes.scalarCount) {
      UnsafeMutableRawPointer(sums + place).storeBytes(of: Lanes(), as: Lanes.self)
    }
    var found = 0
    let isTelling = features.read(item, count: length) { hash, _ in
      let isKnown = found < Self.maximumFeatures && add(SlotTable.Address(hash))
      if isKnown { found &+= 1 }
      return isKnown
    }
    return isTelling && found > 0 ? choose(found) : nil
  }

  /// Adds a feature's weights to the sums.
  ///
  /// - Returns: whether the model knows the feature.
  @inline(__always)
  private func add(_ address: SlotTable.Address) -> Bool {
    let line = UnsafeRawPointer(lines + Int(address.line) &* SlotTable.lineWidth)
    let isMarked = line.loadUnaligned(as: SIMD8<UInt16>.self) .== SIMD8(repeating: address.mark)
    let halves = unsafeBitCast(isMarked, to: SIMD2<UInt64>.self)
    if halves[0] | halves[1] == 0 { return false }
    addSlots(halves[0], line)
    addSlots(halves[1], line + 4 &* SlotTable.weightsWidth)
    return true
  }

  /// Adds the weights of those of four slots whose sixteen bits are set.
  @inline(__always)
  private func addSlots(_ marked: UInt64, _ line: UnsafeRawPointer) {
    var marked = marked
    while marked != 0 {
      let slot = marked.trailingZeroBitCount / 16
      marked &= ~(0xFFFF &<< UInt64(16 &* slot))
      // The two bytes before belong to the marks or the slot before; so that nothing past the line is read.
      let bytes = (line + (SlotTable.marksWidth &- 2 &+ slot &* SlotTable.weightsWidth)).loadUnaligned(as: UInt64.self)
      addWeight(bytes &>> 16)
      addWeight(bytes &>> 32)
      addWeight(bytes &>> 48)
    }
  }

  /// Adds the weight that two characters say.
  @inline(__always)
  private func addWeight(_ characters: UInt64) {
    let meaning = meanings[Int(characters &>> 8 & 0xFF)]
    let group = Int(UInt8(truncatingIfNeeded: characters) &- SlotTable.firstCharacter)
    let shelf = group &* model.table.groupSize &+ Int(meaning & 15)
    sums[shelf] = sums[shelf] &+ meaning &>> 4
  }

  /// Makes shares of the sums of so many features, adds them up by section and chooses.
  @inline(__always)
  private func choose(_ found: Int) -> Guess? {
    let greatest = greatest()
    let scale = model.scale / Float(found).squareRoot()
    let least = max(greatest - Int(Self.leastLogarithm / max(scale, 1e-3)), Int(Int16.min))
    let count = gather(above: Int16(truncatingIfNeeded: least))
    for section in 0...sectionCount { totals[section] = 0 }
    // The shelves that nothing speaks for or against have their part in the whole too.
    var whole = Float(model.shelves.count &- count) * Exponential.of(-Float(max(greatest, 0)) * scale)
    for first in stride(from: 0, to: count, by: Eight.scalarCount) {
      for place in first..<first &+ Eight.scalarCount {
        shares[place] = place < count ? Float(Int(sums[Int(likely[place])]) &- greatest) * scale : -80
      }
      let start = UnsafeMutableRawPointer(shares + first)
      start.storeBytes(of: Exponential.of(start.loadUnaligned(as: Eight.self)), as: Eight.self)
      for place in first..<min(first &+ Eight.scalarCount, count) {
        whole += shares[place]
        totals[Int(sections[Int(likely[place])])] += shares[place]
      }
    }
    var best = 0
    for section in 1..<max(sectionCount, 1) where totals[section] > totals[best] { best = section }
    if totals[sectionCount] >= totals[best] { return nil }
    var (shelf, largest): (Int?, Float) = (nil, 0)
    for place in 0..<count where shares[place] > largest && Int(sections[Int(likely[place])]) == best {
      (shelf, largest) = (Int(likely[place]), shares[place])
    }
    return shelf.map { Guess(section: best, shelf: $0, share: min(totals[best] / whole, 1)) }
  }

  /// The greatest of the sums.
  @inline(__always)
  private func greatest() -> Int {
    var most = Lanes(repeating: .min)
    for place in stride(from: 0, to: used, by: Lanes.scalarCount) {
      let lanes = Self.lanes(sums + place)
      most.replace(with: lanes, where: lanes .> most)
    }
    var greatest = most[0]
    for lane in 1..<Lanes.scalarCount { greatest = max(greatest, most[lane]) }
    return Int(greatest)
  }

  /// Lists the shelves that something speaks for or against and whose sum is above a least one.
  ///
  /// - Returns: how many they are.
  @inline(__always)
  private func gather(above least: Int16) -> Int {
    var count = 0
    for place in stride(from: 0, to: used, by: Lanes.scalarCount) {
      let lanes = Self.lanes(sums + place)
      let isLikely = (lanes .> Lanes(repeating: least)) .& (lanes .!= Lanes())
      let halves = unsafeBitCast(isLikely, to: SIMD2<UInt64>.self)
      if halves[0] | halves[1] == 0 { continue }
      for shelf in place..<place &+ Lanes.scalarCount {
        likely[count] = UInt16(truncatingIfNeeded: shelf)
        if sums[shelf] > least && sums[shelf] != 0 { count &+= 1 }
      }
    }
    return count
  }

  private typealias Eight = SIMD8<Float>

  @inline(__always)
  private static func lanes(_ start: UnsafePointer<Int16>) -> Lanes {
    UnsafeRawPointer(start).loadUnaligned(as: Lanes.self)
  }
}
