import AisleCore

/// Trains a model of shelves from labeled items by stochastic gradient descent on the cross entropy: first with a weight for every
/// feature and shelf, then with fewer and fewer of them, keeping the most informative, until they fit into a model. The same examples
/// and seed give the same model, byte for byte.
///
/// - Complexity: 580,000 examples take a minute on two cores, and 550 MB of memory.
public struct ModelTrainer: Sendable {
  /// An item and the shelf it belongs to, as far as that is known.
  public struct Example: Sendable {
    /// The item.
    public let item: String
    /// The shelf, as an index into `shelves`; several where it is one of them: those of a section. There is at least one.
    public let shelves: [Int]
    /// How much it counts; normally 1.
    public let weight: Float
    /// Where it comes from.
    public let origin: Origin

    /// Where examples come from.
    public enum Origin: Sendable {
      /// A keyword of the store.
      case keyword
      /// An item that a person wrote and labeled with its shelf.
      case named
      /// An item composed of keywords.
      case composed
    }

    /// Makes an example.
    public init(_ item: String, shelves: [Int], weight: Float = 1, origin: Origin = .keyword) {
      self.item = item
      self.shelves = shelves
      self.weight = weight
      self.origin = origin
    }
  }

  /// How often each example is seen at first, with each smaller number of weights, and with rounded ones: often enough for small sets to
  /// be learned too.
  private static let (passes, laterPasses, lastPasses) = (5, 8, 6)
  private static let leastSteps = 40_000
  /// How far the first step goes, likewise; steps shorten to nothing.
  private static let (firstStep, firstLaterStep, firstLastStep): (Float, Float, Float) = (8, 3, 1)
  /// A word that stands in fewer keywords and named items than this is left to its parts.
  private static let leastMentions = 2
  /// How often a known word is taken for unknown, so that parts of words are learned from all.
  private static let hidden: Float = 0.1

  /// How large a model is.
  public enum Size: Sendable {
    /// 970 KB: for a second opinion on every item.
    case full
    /// 250 KB: for what keywords leave undecided.
    case small

    var lineCount: Int {
      switch self {
      case .full: SlotTable.maximumLineCount
      case .small: 4000
      }
    }
  }

  /// The most shelves that a model can tell apart, including the one for no shelf.
  public static let maximumShelfCount = SlotTable.maximumShelfCount

  private let shelves: [String]
  private let examples: [Example]
  private let size: Size
  private let seed: UInt64

  /// Prepares to train.
  ///
  /// - Parameters:
  ///   - shelves: The names of the shelves, without line breaks; at most `maximumShelfCount`.
  ///   - examples: The labeled examples; those without a word teach nothing.
  ///   - size: How large the model will be.
  ///   - seed: The seed for the order of the examples.
  public init(shelves: [String], examples: [Example], size: Size = .full, seed: UInt64 = 1) {
    precondition(shelves.count <= SlotTable.maximumShelfCount)
    self.shelves = shelves
    self.examples = examples
    self.size = size
    self.seed = seed
  }

  /// Trains a model and calibrates its confidences.
  ///
  /// A second training leaves out a third of the labeled items, which show how often a given share is right.
  ///
  /// - Parameter sections: Each shelf's section, which must be right.
  /// - Returns: The model as text; see `ShelfModel`.
  public func train(sections: [Int]) async -> [UInt8] {
    var generator = SeededGenerator(seed: seed &+ 1)
    let isLeftOut = examples.map { $0.origin == .named && Int.random(in: 0..<3, using: &generator) == 0 }
    let leftOut = examples.indices.filter { isLeftOut[$0] }
    async let line = oddsLine(leftOut, without: isLeftOut, sections)
    let (weights, numbers) = fit(examples)
    return ModelText.write(shelves, weights, numbers, await line)
  }

  private func oddsLine(_ leftOut: [Int], without isLeftOut: [Bool], _ sections: [Int]) async -> OddsLine {
    if leftOut.count < OddsLine.leastCases { return OddsLine([]) }
    let (weights, numbers) = fit(examples.indices.filter { !isLeftOut[$0] }.map { examples[$0] })
    var numbered = numbers
    let features = ExampleFeatures(leftOut.map { examples[$0] }, &numbered, isAdding: false)
    let descent = Descent(weights, shelfCount: shelves.count)
    return OddsLine(
      leftOut.indices.compactMap { place in
        let found = features[place]
        return found.isEmpty ? nil : descent.judge(found, shelf: examples[leftOut[place]].shelves[0], sections: sections)
      })
  }

  /// Descends, keeps the weights that say most and descends on from there, and at last with weights rounded as in a model.
  private func fit(_ examples: [Example]) -> (KeptWeights, FeatureNumbers) {
    func importance(_ readings: [ExampleFeatures], _ numbers: FeatureNumbers) -> [Float] {
      var mentions = [Float](repeating: 0, count: numbers.count)
      for features in readings {
        for example in examples.indices {
          for feature in features[example] { mentions[Int(feature)] += examples[example].weight }
        }
      }
      // The fourth root: a weight of what is seen often is worth more, but not as much more.
      return mentions.map { ($0 + 0.5).squareRoot().squareRoot() }
    }

    var generator = SeededGenerator(seed: seed)
    var numbers = FeatureNumbers(
      words: examples.lazy.filter { $0.origin != .composed }.map(\.item), leastMentions: Self.leastMentions,
      lineCount: size.lineCount)
    let readings = ExampleFeatures.readings(examples, &numbers, isAdding: true, hiding: Self.hidden, using: &generator)
    let first = DenseWeights(featureCount: numbers.count, shelfCount: shelves.count)
    descend(first, examples, readings, passes: Self.passes, step: Self.firstStep, using: &generator)
    // By way of twice as many weights as fit into a model, so that what is left can take over from what goes.
    var (kept, keptNumbers) = KeptWeights.strongest(of: first, numbers, importance(readings, numbers), crowd: 2)
    func read() -> [ExampleFeatures] {
      ExampleFeatures.readings(examples, &keptNumbers, isAdding: false, hiding: Self.hidden, using: &generator)
    }
    func descendOn(_ readings: [ExampleFeatures], passes: Int, step: Float) {
      descend(kept, examples, readings, passes: passes, step: step, using: &generator)
    }
    let fewer = read()
    descendOn(fewer, passes: Self.laterPasses, step: Self.firstLaterStep)
    (kept, keptNumbers) = KeptWeights.strongest(of: kept, keptNumbers, importance(fewer, keptNumbers), crowd: 1)
    descendOn(read(), passes: Self.laterPasses, step: Self.firstLaterStep)
    kept.round(limit: SlotTable(shelfCount: shelves.count, lineCount: size.lineCount).stepCount / 2)
    descendOn(read(), passes: Self.lastPasses, step: Self.firstLastStep)
    return (kept, keptNumbers)
  }

  /// Takes a step for each example, pass after pass, each pass in another order.
  private func descend(
    _ weights: some FeatureWeights, _ examples: [Example], _ readings: [ExampleFeatures], passes: Int, step first: Float,
    using generator: inout SeededGenerator
  ) {
    let descent = Descent(weights, shelfCount: shelves.count)
    let passes = max(passes, min(Self.leastSteps / max(examples.count, 1), 400))
    let steps = Float(passes * examples.count)
    var order = Array(examples.indices)
    var step: Float = 0
    for pass in 0..<passes {
      order.shuffle(using: &generator)
      let features = readings[pass % readings.count]
      for example in order {
        step += 1
        let rate = first * (1 - step / steps) * examples[example].weight
        descent.learn(features[example], shelves: examples[example].shelves, rate: rate)
      }
    }
  }
}
