import AisleCore

/// The shares of shelves whose sums are so many steps below the greatest: e to the power of the steps, scaled by how many features an item
/// has. Most are looked up.
struct ShareTable: Sendable {
  /// The features and steps up to which shares are looked up.
  private static var features: Int { 32 }
  private static var steps: Int { 256 }

  /// What a step is worth where there is one feature.
  private let unit: Float
  /// What a step is worth, by the number of features.
  private let scales: FlatTable<Float>
  /// A row for each number of features, the share of every step in it.
  private let shares: FlatTable<Float>

  /// - Complexity: about 30 µs.
  init(unit: Float) {
    self.unit = unit
    let scales = ContiguousArray((0..<Self.features).map { Self.scale(unit, max($0, 1)) })
    self.scales = FlatTable(scales)
    shares = FlatTable(
      ContiguousArray(unsafeUninitializedCapacity: Self.features * Self.steps) { shares, count in
        for scale in scales {
          for _ in 0..<Self.steps {
            shares.initializeElement(at: count, to: Self.share(count % Self.steps, scale))
            count += 1
          }
        }
      })
  }

  /// What a step is worth in an item of so many features, 1 or more.
  @inline(__always)
  func scale(_ features: Int) -> Float { features < Self.features ? scales.address[features] : Self.scale(unit, features) }

  /// The share of a shelf so many steps, 0 or more, below the greatest, in an item of so many features, 1 or more.
  @inline(__always)
  func share(_ steps: Int, _ features: Int) -> Float {
    steps < Self.steps && features < Self.features
      ? shares.address[features &* Self.steps &+ steps] : Self.share(steps, Self.scale(unit, features))
  }

  private static func scale(_ unit: Float, _ features: Int) -> Float { unit / Float(features).squareRoot() }

  @inline(never)
  private static func share(_ steps: Int, _ scale: Float) -> Float { Exponential.of(-Float(steps) * scale) }
}
