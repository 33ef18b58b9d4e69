/// A weight for every feature and shelf.
final class DenseWeights: FeatureWeights {
  private let shelfCount: Int
  private let stride: Int
  private let weights: UnsafeMutablePointer<Float>

  private typealias Lanes = SIMD8<Float>

  /// How far features lie apart: so many shelves, rounded up to whole lanes.
  static func stride(_ shelfCount: Int) -> Int { (shelfCount + Lanes.scalarCount - 1) / Lanes.scalarCount * Lanes.scalarCount }

  init(featureCount: Int, shelfCount: Int) {
    self.shelfCount = shelfCount
    stride = Self.stride(shelfCount)
    weights = .allocate(capacity: featureCount * stride)
    weights.initialize(repeating: 0, count: featureCount * stride)
  }

  deinit { weights.deallocate() }

  func add(_ feature: Int, times part: Float, to sums: UnsafeMutablePointer<Float>) {
    let row = weights + feature * stride
    for shelf in 0..<stride { sums[shelf] += part * row[shelf] }
  }

  func change(_ feature: Int, times part: Float, by changes: UnsafePointer<Float>) {
    let row = weights + feature * stride
    for shelf in 0..<stride { row[shelf] += part * changes[shelf] }
  }

  /// Weights count from the middle one: what all shelves have alike says nothing.
  func strongest(_ feature: Int, most count: Int) -> [ShelfWeight] {
    let row = UnsafeBufferPointer(start: weights + feature * stride, count: shelfCount)
    let middle = row.sorted()[shelfCount / 2]
    let centered = row.enumerated().map { ShelfWeight(shelf: $0, weight: $1 - middle) }
    return Array(centered.sorted { $0.weight.magnitude > $1.weight.magnitude }.prefix(count))
  }
}
