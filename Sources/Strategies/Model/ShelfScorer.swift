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
  private let features: FeatureReader
  /// Each shelf's section in the store; `.max` for one that the store does not have.
  private let sections: [UInt16]
  private let sums: UnsafeMutablePointer<UInt16>
  private let shares: UnsafeMutablePointer<Float>
  private let totals: UnsafeMutablePointer<Float>
  private let sectionCount: Int

  init(_ model: ShelfModel, of taxonomy: Taxonomy) {
    let placed = Dictionary(taxonomy.shelves.map { ($0.name, $0.section.rawValue) }) { first, _ in first }
    self.model = model
    sections = model.shelves.map { placed[$0] ?? .max }
    sectionCount = taxonomy.sections.count
    features = FeatureReader(bucketCount: ShelfModel.bucketCount)
    sums = .allocate(capacity: ShelfModel.width)
    shares = .allocate(capacity: model.stride)
    totals = .allocate(capacity: max(sectionCount, 1))
  }

  func deallocate() {
    features.deallocate()
    sums.deallocate()
    shares.deallocate()
    totals.deallocate()
  }

  /// The section that the model would choose; `nil` for an item without a word.
  func guess(_ item: UnsafePointer<UInt8>, count length: Int) -> Guess? {
    let found = features.read(item, count: length)
    if found == 0 { return nil }
    weigh(found)
    return choose()
  }

  /// Fills `shares` with the weight of each shelf, before it is made a share.
  private func weigh(_ found: Int) {
    let width = ShelfModel.width
    for place in 0..<width { sums[place] = 0 }
    for feature in 0..<found {
      let row = model.rows.start + Int(features.buckets[feature]) &* width
      for place in 0..<width { sums[place] = sums[place] &+ UInt16(row[place]) }
    }
    let scale = model.rowScale / Float(found)
    let zero = Float(found * ShelfModel.zero)
    let stride = model.stride
    model.bias.withUnsafeBufferPointer { bias in
      for shelf in 0..<stride { shares[shelf] = bias[shelf] }
    }
    model.columns.withUnsafeBufferPointer { columns in
      guard var column = columns.baseAddress else { return }
      for place in Swift.stride(from: 0, to: width, by: 4) {
        let first = (Float(sums[place]) - zero) * scale
        let second = (Float(sums[place &+ 1]) - zero) * scale
        let third = (Float(sums[place &+ 2]) - zero) * scale
        let fourth = (Float(sums[place &+ 3]) - zero) * scale
        for shelf in 0..<stride {
          shares[shelf] +=
            first * column[shelf] + second * column[stride &+ shelf]
            + (third * column[2 &* stride &+ shelf] + fourth * column[3 &* stride &+ shelf])
        }
        column += 4 &* stride
      }
    }
  }

  /// Makes shares of the weights, sums them by section and chooses; abstains where what the store does not have is more likely.
  private func choose() -> Guess? {
    var greatest = -Float.infinity
    for shelf in 0..<sections.count { greatest = max(greatest, shares[shelf]) }
    for section in 0..<sectionCount { totals[section] = 0 }
    for shelf in 0..<model.stride { shares[shelf] = Exponential.of(shares[shelf] - greatest) }
    var (whole, elsewhere): (Float, Float) = (0, 0)
    for shelf in sections.indices {
      whole += shares[shelf]
      if sections[shelf] == .max { elsewhere += shares[shelf] } else { totals[Int(sections[shelf])] += shares[shelf] }
    }
    var best = 0
    for section in 1..<max(sectionCount, 1) where totals[section] > totals[best] { best = section }
    if elsewhere >= totals[best] { return nil }
    var bestShelf: Int?
    for shelf in sections.indices where Int(sections[shelf]) == best {
      if bestShelf.map({ shares[$0] < shares[shelf] }) ?? true { bestShelf = shelf }
    }
    return bestShelf.map { Guess(section: best, shelf: $0, share: min(totals[best] / whole, 1)) }
  }
}

/// The exponential function without the C library, to about six digits, and its inverse.
enum Exponential {
  /// e to the power of a number; 0 below -80.
  @inline(__always)
  static func of(_ x: Float) -> Float {
    // 2^(whole + part), the part's power by a polynomial, the whole's by the exponent's bits.
    let power = max(min(x, 80), -80) * 1.442_695_04
    let whole = Float(Int32(power)) - (power < 0 ? 1 : 0)
    let part = (power - whole) * 0.693_147_18
    let fraction = 1 + part * (1 + part * (0.5 + part * (0.166_666_67 + part * (0.041_666_668 + part * 0.008_333_334))))
    let bits = UInt32(truncatingIfNeeded: (Int32(whole) &+ 127) &<< 23)
    return x < -80 ? 0 : fraction * Float(bitPattern: bits)
  }

  /// The natural logarithm of a number greater than 0.
  static func logarithm(_ x: Float) -> Float {
    // Newton's method on the exponential, from the exponent of two.
    var result = (Float(x.exponent) + x.significand - 1) * 0.693_147_18
    for _ in 0..<4 { result += x / of(result) - 1 }
    return result
  }
}
