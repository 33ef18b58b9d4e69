import AisleCore

/// The weights that features have for shelves while they are learned.
protocol FeatureWeights: AnyObject {
  /// Adds a feature's weights, so many times, to the shelves' sums.
  func add(_ feature: Int, times part: Float, to sums: UnsafeMutablePointer<Float>)
  /// Changes a feature's weights by the shelves' changes, so many times.
  func change(_ feature: Int, times part: Float, by changes: UnsafePointer<Float>)
  /// A feature's weights that say most, at most so many, the largest first.
  func strongest(_ feature: Int, most count: Int) -> [ShelfWeight]
}

/// A weight for a shelf.
struct ShelfWeight {
  var shelf: Int
  var weight: Float
}

/// Gradient descent, one example after the other: a feature's part of an item is one over the root of how many there are.
struct Descent<Weights: FeatureWeights>: ~Copyable {
  private let weights: Weights
  private let shelfCount: Int
  private let stride: Int
  private let shares: UnsafeMutablePointer<Float>

  private typealias Lanes = SIMD8<Float>
  /// What is right with all but so much teaches nothing more.
  private static var settled: Float { 1e-4 }

  init(_ weights: Weights, shelfCount: Int) {
    self.weights = weights
    self.shelfCount = shelfCount
    stride = DenseWeights.stride(shelfCount)
    shares = .allocate(capacity: stride)
    shares.initialize(repeating: 0, count: stride)
  }

  deinit { shares.deallocate() }

  /// Takes one step towards an example; one without features teaches nothing. Of several shelves, each is learned as far as it is likely to
  /// be the one.
  func learn(_ features: ArraySlice<UInt32>, shelves: [Int], rate: Float) {
    if features.isEmpty { return }
    predict(features)
    let right = shelves.reduce(0) { $0 + shares[$1] }
    if 1 - right < Self.settled { return }
    // A share so small that it is 0 would be learned by none.
    let likely = right > 0 ? shelves.map { shares[$0] / right } : shelves.map { _ in 1 / Float(shelves.count) }
    for other in 0..<shelfCount { shares[other] *= -rate }
    for (shelf, part) in zip(shelves, likely) { shares[shelf] += rate * part }
    let part = 1 / Float(features.count).squareRoot()
    for feature in features { weights.change(Int(feature), times: part, by: shares) }
  }

  /// The share of the section that the weights would choose, and whether that is the shelf's.
  func judge(_ features: ArraySlice<UInt32>, shelf: Int, sections: [Int]) -> (share: Float, isRight: Bool) {
    predict(features)
    var totals = [Float](repeating: 0, count: (sections.max() ?? 0) + 1)
    for other in 0..<shelfCount { totals[sections[other]] += shares[other] }
    let best = totals.indices.max { totals[$0] < totals[$1] } ?? 0
    return (min(totals[best], 1), best == sections[shelf])
  }

  /// Fills `shares`.
  private func predict(_ features: ArraySlice<UInt32>) {
    for shelf in 0..<stride { shares[shelf] = 0 }
    let part = 1 / Float(features.count).squareRoot()
    for feature in features { weights.add(Int(feature), times: part, to: shares) }
    for shelf in shelfCount..<stride { shares[shelf] = -.greatestFiniteMagnitude }
    var most = Lanes(repeating: -.greatestFiniteMagnitude)
    for first in Swift.stride(from: 0, to: stride, by: Lanes.scalarCount) {
      most.replace(with: lanes(first), where: lanes(first) .> most)
    }
    let greatest = most.max()
    var whole = Lanes()
    for first in Swift.stride(from: 0, to: stride, by: Lanes.scalarCount) {
      let likely = Exponential.of(lanes(first) - greatest)
      whole += likely
      UnsafeMutableRawPointer(shares + first).storeBytes(of: likely, as: Lanes.self)
    }
    let sum = whole.sum()
    for shelf in 0..<stride { shares[shelf] /= sum }
  }

  private func lanes(_ first: Int) -> Lanes { UnsafeRawPointer(shares + first).loadUnaligned(as: Lanes.self) }
}
