/// The weights that fit into a model, or into several times as many slots.
final class KeptWeights: FeatureWeights {
  /// Each feature's weights, one feature's after the other's.
  private var weights: [ShelfWeight] = []
  private var starts: [Int] = [0]

  /// The most weights that a feature has.
  private static let most = SlotTable.slotsPerFeature * SlotTable.weightsPerSlot

  /// What a step of a rounded weight is worth; 0 while weights are not rounded.
  private(set) var step: Float = 0
  /// The most steps of a rounded weight.
  private(set) var limit: Float = 0

  /// From now on weights count as the whole steps that they round to, as they will in a model, while they go on to change by less.
  ///
  /// - Parameter limit: The most steps of a weight; all weights but one in a thousand keep their size.
  func round(limit: Int) {
    let sizes = weights.map(\.weight.magnitude).sorted()
    self.limit = Float(limit)
    step = max(sizes.isEmpty ? 0 : sizes[sizes.count * 999 / 1000], 1e-6) / self.limit
  }

  /// How many steps a weight rounds to.
  func steps(_ weight: Float) -> Float { min(max(weight / step, -limit), limit).rounded() }

  func add(_ feature: Int, times part: Float, to sums: UnsafeMutablePointer<Float>) {
    weights.withUnsafeBufferPointer { weights in
      for place in starts[feature]..<starts[feature + 1] {
        let weight = weights[place].weight
        sums[weights[place].shelf] += part * (step > 0 ? step * steps(weight) : weight)
      }
    }
  }

  func change(_ feature: Int, times part: Float, by changes: UnsafePointer<Float>) {
    let (first, end) = (starts[feature], starts[feature + 1])
    weights.withUnsafeMutableBufferPointer { weights in
      for place in first..<end { weights[place].weight += part * changes[weights[place].shelf] }
    }
  }

  /// A feature's weights.
  subscript(feature: Int) -> ArraySlice<ShelfWeight> { weights[starts[feature]..<starts[feature + 1]] }

  func strongest(_ feature: Int, most count: Int) -> [ShelfWeight] {
    Array(self[feature].sorted { $0.weight.magnitude > $1.weight.magnitude }.prefix(count))
  }

  /// Keeps of each line's weights the strongest that its slots hold.
  ///
  /// - Parameters:
  ///   - importance: How much a weight of each feature is worth, as a factor.
  ///   - crowd: How many times the slots of a line are filled.
  /// - Returns: the weights, and the numbers of the features that still have any.
  static func strongest(
    of weights: some FeatureWeights, _ numbers: FeatureNumbers, _ importance: [Float], crowd: Int
  ) -> (KeptWeights, FeatureNumbers) {
    var lines = [[Int]](repeating: [], count: numbers.lineCount)
    for (feature, address) in numbers.addresses.enumerated() { lines[Int(address.line)].append(feature) }
    let kept = KeptWeights()
    var keptNumbers = FeatureNumbers(lineCount: numbers.lineCount)
    for features in lines {
      let choices = features.map { weights.strongest($0, most: crowd * most) }
      let filled = fill(choices, features.map { importance[$0] }, slots: crowd * SlotTable.slotsPerLine)
      for (feature, chosen) in zip(features, filled) where !chosen.isEmpty {
        keptNumbers.add(numbers.addresses[feature])
        kept.weights += chosen
        kept.starts.append(kept.weights.count)
      }
    }
    return (kept, keptNumbers)
  }

  /// The strongest of all weights that fit into the slots, by feature, each times its feature's importance.
  private static func fill(_ choices: [[ShelfWeight]], _ importance: [Float], slots: Int) -> [[ShelfWeight]] {
    var free = slots
    var chosen = [[ShelfWeight]](repeating: [], count: choices.count)
    let all = choices.enumerated().flatMap { place, weights in weights.map { (place, $0) } }
    func worth(_ choice: (place: Int, weight: ShelfWeight)) -> Float { choice.weight.weight.magnitude * importance[choice.place] }
    for (place, weight) in all.sorted(by: { worth($0) > worth($1) }) {
      if chosen[place].count % SlotTable.weightsPerSlot == 0 {
        if free == 0 { continue }
        free -= 1
      }
      chosen[place].append(weight)
    }
    return chosen
  }
}
