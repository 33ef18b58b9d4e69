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
  private let marks: UnsafeRawPointer
  private let lineCount: UInt64
  private let weights: UnsafePointer<SlotTable.Weight>
  private let selections: UnsafePointer<SlotTable.Selection>
  /// The slots of the features that were found.
  private let slots: UnsafeMutablePointer<UInt32>
  private let features = FeatureReader()
  /// Each shelf's section in the store; `sectionCount` for one that the store does not have.
  private let sections: FlatTable<Int16>
  private let sectionCount: Int
  /// The shelves' sums.
  private let sums: UnsafeMutablePointer<Int16>
  /// How many shelves there are, rounded up to whole lanes.
  private let used: Int
  private let totals: UnsafeMutablePointer<Float>
  /// The shelves that are likely enough to count.
  private let likely: UnsafeMutablePointer<UInt16>
  private let shares: ShareTable

  /// As many shelves as are weighed at once.
  private typealias Lanes = SIMD16<Int16>
  /// The highest bits of four sums.
  private static var signs: UInt64 { 0x8000_8000_8000_8000 }
  /// A share so many times e smaller than the largest changes no decision.
  private static var leastLogarithm: Float { 5 }
  /// The most features of an item; what stands later in it is left out.
  private static let maximumFeatures = 400

  init(_ placed: PlacedModel) {
    model = placed.model
    (sections, sectionCount) = (placed.sections, placed.sectionCount)
    marks = UnsafeRawPointer(model.marks.address)
    lineCount = UInt64(model.lineCount)
    weights = model.weights.address
    selections = placed.selections.address
    slots = .allocate(capacity: Self.maximumFeatures * SlotTable.slotsPerFeature + SlotTable.Selection.scalarCount)
    used = (model.shelves.count + Lanes.scalarCount - 1) / Lanes.scalarCount * Lanes.scalarCount
    totals = .allocate(capacity: sectionCount + 1)
    likely = .allocate(capacity: used + 1)
    shares = placed.shares
    sums = .allocate(capacity: used)
    sums.initialize(repeating: 0, count: used)
  }

  func deallocate() {
    slots.deallocate()
    sums.deallocate()
    totals.deallocate()
    likely.deallocate()
  }

  /// The section that the model would choose; `nil` for an item of which it knows nothing, and for one that is more like what the
  /// store does not have.
  func guess(_ item: UnsafePointer<UInt8>, count length: Int) -> Guess? {
    var (featureCount, slotCount) = (0, 0)
    var touched: UInt16 = 0
    let isTelling = features.read(item, count: length) { hash in
      touched &+= (marks + Int(SlotTable.Address(hash, lineCount: lineCount).line) &* SlotTable.marksWidth).loadUnaligned(
        as: UInt16.self)
    } _: { hash, _ in
      featureCount < Self.maximumFeatures
        && find(SlotTable.Address(hash, lineCount: lineCount), &featureCount, &slotCount, &touched)
    }
    guard isTelling, featureCount > 0 else { return nil }
    // The reads ahead must count for something, or they are left out.
    likely[used] = touched
    add(slotCount)
    return choose(featureCount)
  }

  /// Lists the slots of a feature, without a branch that depends on how many they are.
  ///
  /// - Returns: whether it has any.
  @inline(__always)
  private func find(
    _ address: SlotTable.Address, _ featureCount: inout Int, _ slotCount: inout Int, _ touched: inout UInt16
  ) -> Bool {
    let line = marks + Int(address.line) &* SlotTable.marksWidth
    let first = Self.places(of: address.mark, in: line.loadUnaligned(as: UInt64.self))
    let second = Self.places(of: address.mark, in: (line + 8).loadUnaligned(as: UInt64.self))
    // The bits of the first four slots are 16 apart, those of the second four beside them.
    let all = first &>> 15 | second &>> 14
    let pattern = (all | all &>> 14 | all &>> 28 | all &>> 42) & 0xFF
    let selection = selections[Int(truncatingIfNeeded: pattern)]
    let places = selection &+ SlotTable.Selection(repeating: address.line &* UInt32(SlotTable.slotsPerLine))
    UnsafeMutableRawPointer(slots + slotCount).storeBytes(of: places, as: SlotTable.Selection.self)
    touched &+= weights[Int(places[0]) &* SlotTable.weightsPerSlot].bits
    slotCount &+= Int(selection[SlotTable.slotsPerFeature])
    featureCount &+= all == 0 ? 0 : 1
    return all != 0
  }

  /// The highest bits of those of four marks that are a mark; each mark is 16 bits.
  @inline(__always)
  private static func places(of mark: UInt16, in four: UInt64) -> UInt64 {
    let (each, low): (UInt64, UInt64) = (0x0001_0001_0001_0001, 0x7FFF_7FFF_7FFF_7FFF)
    let different = four ^ (UInt64(mark) &* each)
    return ~((different & low) &+ low | different | low)
  }

  /// Adds up the weights of the slots that were listed. They are listed first, so that the memory of all is fetched at once.
  @inline(__always)
  private func add(_ slotCount: Int) {
    var place = 0
    while place < used {
      UnsafeMutableRawPointer(sums + place).storeBytes(of: Lanes(), as: Lanes.self)
      place &+= Lanes.scalarCount
    }
    for place in 0..<slotCount {
      let slot = weights + Int(slots[place]) &* SlotTable.weightsPerSlot
      for offset in 0..<SlotTable.weightsPerSlot { sums[slot[offset].shelf] &+= slot[offset].steps }
    }
  }

  /// Makes shares of the sums of so many features, adds them up by section and chooses.
  private func choose(_ featureCount: Int) -> Guess? {
    var greatest = Int16.min
    for shelf in 0..<used { greatest = max(greatest, sums[shelf]) }
    let scale = shares.scale(featureCount)
    let count = gather(above: Int16(truncatingIfNeeded: Int(greatest) - min(Int(Self.leastLogarithm / scale), 8000)))
    for section in 0...sectionCount { totals[section] = 0 }
    // The shelves that nothing speaks for or against have their part in the whole too.
    var whole = Float(model.shelves.count &- count) * shares.share(Int(max(greatest, 0)), featureCount)
    for place in 0..<count {
      let shelf = Int(likely[place])
      let share = shares.share(Int(greatest) &- Int(sums[shelf]), featureCount)
      whole += share
      totals[Int(sections.address[shelf])] += share
    }
    var best = 0
    for section in 1..<max(sectionCount, 1) where totals[section] > totals[best] { best = section }
    if totals[sectionCount] >= totals[best] { return nil }
    var (shelf, largest) = (0, Int16.min)
    for place in 0..<count where sections.address[Int(likely[place])] == best && sums[Int(likely[place])] > largest {
      shelf = Int(likely[place])
      largest = sums[shelf]
    }
    return Guess(section: best, shelf: shelf, share: min(totals[best] / whole, 1))
  }

  /// Lists the shelves that something speaks for or against and whose sum is above a least one.
  ///
  /// - Returns: how many they are.
  @inline(__always)
  private func gather(above least: Int16) -> Int {
    var end = 0
    var place = 0
    while place < used {
      // A difference is negative, its highest bit set, where a sum is above.
      let differences = Lanes(repeating: least) &- UnsafeRawPointer(sums + place).loadUnaligned(as: Lanes.self)
      let either = unsafeBitCast(differences.lowHalf | differences.highHalf, to: SIMD2<UInt64>.self)
      if (either[0] | either[1]) & Self.signs != 0 {
        let fours = unsafeBitCast(differences, to: SIMD4<UInt64>.self)
        let low = Self.signs(of: fours[0]) | Self.signs(of: fours[1]) &<< 4
        list(low | Self.signs(of: fours[2]) &<< 8 | Self.signs(of: fours[3]) &<< 12, from: place, &end)
      }
      place &+= Lanes.scalarCount
    }
    return end
  }

  /// The highest bits of four differences, side by side.
  @inline(__always)
  private static func signs(of four: UInt64) -> UInt64 {
    ((((four & signs) &>> 15) &* 0x0001_0002_0004_0008) &>> 48) & 0xF
  }

  /// Lists those of sixteen shelves whose bit is set and that have a sum.
  @inline(__always)
  private func list(_ sixteen: UInt64, from first: Int, _ end: inout Int) {
    var left = sixteen
    while left != 0 {
      let shelf = first &+ left.trailingZeroBitCount
      likely[end] = UInt16(truncatingIfNeeded: shelf)
      end &+= sums[shelf] == 0 ? 0 : 1
      left &= left &- 1
    }
  }
}
