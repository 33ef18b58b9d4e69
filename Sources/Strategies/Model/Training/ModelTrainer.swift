import AisleCore

/// Trains a model of shelves from named goods: stochastic gradient descent on the cross entropy, one pass over the examples after the
/// other. The same examples and seed give the same model, byte for byte.
///
/// - Complexity: some five seconds for 100,000 examples.
public struct ModelTrainer {
  /// An item and the shelf it belongs to.
  public struct Example: Sendable {
    /// The item.
    public let item: String
    /// The shelf, a place in `shelves`.
    public let shelf: Int
    /// How much it counts; 1 is usual.
    public let weight: Float
    /// The example that it was made of, a place among the examples; `nil` for one that stands for itself.
    public let origin: Int?

    /// Makes an example.
    public init(_ item: String, shelf: Int, weight: Float = 1, origin: Int? = nil) {
      self.item = item
      self.shelf = shelf
      self.weight = weight
      self.origin = origin
    }
  }

  /// How often each example is seen: often enough for small sets to be learned too.
  private var passes: Int { min(max(600_000 / max(examples.count, 1), 12), 400) }
  /// How far the first step goes; steps shorten to nothing.
  private static let firstStep: Float = 0.5

  private let shelves: [String]
  private let examples: [Example]
  /// All examples' features one after the other, and where each example's begin.
  private var buckets: [UInt32] = []
  private var starts: [Int] = [0]
  private let seed: UInt64

  /// Prepares to train.
  ///
  /// - Parameters:
  ///   - shelves: The shelves' names; at most 4,096, without blanks.
  ///   - examples: What is known; those without a word teach nothing.
  public init(shelves: [String], examples: [Example], seed: UInt64 = 1) {
    self.shelves = shelves
    self.examples = examples
    self.seed = seed
    let features = FeatureReader(bucketCount: ShelfModel.bucketCount)
    defer { features.deallocate() }
    for example in examples {
      var bytes = Array(example.item.utf8)
      let length = bytes.count
      bytes.append(contentsOf: repeatElement(0, count: Batch.padding))
      let found = bytes.withUnsafeBufferPointer { bytes in
        bytes.baseAddress.map { features.read($0, count: length) } ?? 0
      }
      buckets.append(contentsOf: UnsafeBufferPointer(start: features.buckets, count: found))
      starts.append(buckets.count)
    }
  }

  /// How many examples there are.
  public var count: Int { examples.count }

  /// Trains a model and makes its confidences true.
  ///
  /// One example in ten, and what was made of it, is left out of a first training, and tells how often shares of that height are
  /// right; then all are used.
  ///
  /// - Parameter sections: Each shelf's section, which is what must be right.
  /// - Returns: the model as text; see `ShelfModel`.
  public func train(sections: [Int]) -> [UInt8] {
    var generator = SeededGenerator(seed: seed &+ 1)
    let isChosen = examples.map { _ in Int.random(in: 0..<10, using: &generator) == 0 }
    let all = examples.indices.filter { starts[$0] < starts[$0 + 1] }
    let first = fit(all.filter { !isChosen[examples[$0].origin ?? $0] })
    let leftOut = all.filter { isChosen[$0] && examples[$0].origin == nil }
    let line = OddsLine(leftOut.map { first.judge(features(of: $0), shelf: examples[$0].shelf, sections: sections) })
    return fit(all).text(shelves, line)
  }

  private func features(of example: Int) -> ArraySlice<UInt32> { buckets[starts[example]..<starts[example + 1]] }

  /// Descends from a random start.
  private func fit(_ chosen: [Int]) -> TrainedWeights {
    var generator = SeededGenerator(seed: seed)
    let weights = TrainedWeights(shelfCount: shelves.count, using: &generator)
    var order = chosen
    let steps = Float(passes * order.count)
    var step: Float = 0
    for _ in 0..<passes {
      order.shuffle(using: &generator)
      for example in order {
        step += 1
        let rate = Self.firstStep * (1 - step / steps) * examples[example].weight
        weights.learn(features(of: example), shelf: examples[example].shelf, rate: rate)
      }
    }
    return weights
  }
}

/// Turns the logarithm of a share's odds into that of its being right: a line, fitted by Newton's method (Platt, 1999).
struct OddsLine {
  private(set) var slope: Float = 1
  private(set) var offset: Float = 0

  /// Fits the line; with few cases it stays the identity.
  init(_ cases: [(share: Float, isRight: Bool)]) {
    if cases.count < 50 { return }
    let odds = cases.map { item -> Float in
      let share = min(max(item.share, 0.001), 0.999)
      return Exponential.logarithm(share / (1 - share))
    }
    func limited(_ step: Float) -> Float { max(min(step, 0.2), -0.2) }
    for _ in 0..<50 {
      // Gradient and Hessian of the log likelihood, with a little weight on the identity.
      var (gradient, hessian): (SIMD2<Float>, SIMD3<Float>) = ([1 - slope, -offset], [1, 0, 1])
      for (odds, item) in zip(odds, cases) {
        let likely = 1 / (1 + Exponential.of(-(slope * odds + offset)))
        let error = (item.isRight ? 1 : 0) - likely
        gradient += [error * odds, error]
        let spread = likely * (1 - likely)
        hessian += [spread * odds * odds, spread * odds, spread]
      }
      let determinant = hessian.x * hessian.z - hessian.y * hessian.y
      guard determinant > 1e-6 else { return }
      // Far from the best line a whole step would go past it.
      slope += limited((hessian.z * gradient.x - hessian.y * gradient.y) / determinant)
      offset += limited((hessian.x * gradient.y - hessian.y * gradient.x) / determinant)
    }
  }
}
