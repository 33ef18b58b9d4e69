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
      let row = model.rows + Int(features.buckets[feature]) &* width
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
        let first = Lanes(repeating: (Float(sums[place]) - zero) * scale)
        let second = Lanes(repeating: (Float(sums[place &+ 1]) - zero) * scale)
        let third = Lanes(repeating: (Float(sums[place &+ 2]) - zero) * scale)
        let fourth = Lanes(repeating: (Float(sums[place &+ 3]) - zero) * scale)
        for shelf in Swift.stride(from: 0, to: stride, by: Lanes.scalarCount) {
          let left = first * Self.lanes(column, shelf) + second * Self.lanes(column, stride &+ shelf)
          let right = third * Self.lanes(column, 2 &* stride &+ shelf) + fourth * Self.lanes(column, 3 &* stride &+ shelf)
          Self.store(Self.lanes(shares, shelf) + (left + right), shares, shelf)
        }
        column += 4 &* stride
      }
    }
  }

  /// As many shelves as are weighed at once; a model's stride is a multiple.
  private typealias Lanes = SIMD8<Float>

  @inline(__always)
  private static func lanes(_ start: UnsafePointer<Float>, _ place: Int) -> Lanes {
    UnsafeRawPointer(start + place).loadUnaligned(as: Lanes.self)
  }

  @inline(__always)
  private static func store(_ lanes: Lanes, _ start: UnsafeMutablePointer<Float>, _ place: Int) {
    UnsafeMutableRawPointer(start + place).storeBytes(of: lanes, as: Lanes.self)
  }

  /// Makes shares of the weights, sums them by section and chooses; abstains where what the store does not have is more likely.
  private func choose() -> Guess? {
    var most = Lanes(repeating: -.greatestFiniteMagnitude)
    for shelf in stride(from: 0, to: model.stride, by: Lanes.scalarCount) {
      let lanes = Self.lanes(shares, shelf)
      most.replace(with: lanes, where: lanes .> most)
    }
    let greatest = most.max()
    for section in 0..<sectionCount { totals[section] = 0 }
    var (whole, elsewhere): (Float, Float) = (0, 0)
    sections.withUnsafeBufferPointer { sections in
      for first in stride(from: 0, to: model.stride, by: Lanes.scalarCount) {
        // What is that much less likely than the best changes no decision: e to the -12 is 0.000006.
        let weights = Self.lanes(shares, first) - greatest
        let isLikely = weights .> -12
        let likely = Exponential.of(weights).replacing(with: 0, where: .!isLikely)
        Self.store(likely, shares, first)
        if !any(isLikely) { continue }
        for shelf in first..<min(first &+ Lanes.scalarCount, sections.count) {
          whole += shares[shelf]
          if sections[shelf] == .max { elsewhere += shares[shelf] } else { totals[Int(sections[shelf])] += shares[shelf] }
        }
      }
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
  private static let whole: Float = 12_582_912

  /// e to the power of a number; 0 below -80.
  static func of(_ x: Float) -> Float { x < -80 ? 0 : of(SIMD8(repeating: x))[0] }

  /// e to the power of eight numbers, each at most 80; e to the -80 below that.
  @inline(__always)
  static func of(_ x: SIMD8<Float>) -> SIMD8<Float> {
    // 2^(whole + part), the part's power by a polynomial, the whole's by the exponent's bits. Added to `Self.whole`, a small number is
    // rounded to whole steps, which then stand in the lowest bits.
    let power = x.replacing(with: -80, where: x .< -80) * 1.442_695_04
    let steps = power + Self.whole
    let part = (power - (steps - Self.whole)) * 0.693_147_18
    var fraction = part * 0.008_333_334 + 0.041_666_668
    fraction = fraction * part + 0.166_666_67
    fraction = fraction * part + 0.5
    fraction = (fraction * part + 1) * part + 1
    let bits = unsafeBitCast(steps, to: SIMD8<UInt32>.self) &- SIMD8(repeating: Self.whole.bitPattern &- 127)
    return fraction * unsafeBitCast(bits &<< 23, to: SIMD8<Float>.self)
  }

  /// The natural logarithm of a number greater than 0.
  static func logarithm(_ x: Float) -> Float {
    // Newton's method on the exponential, from the exponent of two.
    var result = (Float(x.exponent) + x.significand - 1) * 0.693_147_18
    for _ in 0..<4 { result += x / of(result) - 1 }
    return result
  }
}
