import AisleCore

/// A model's weights while they are learned: a row for each feature and for each shelf.
final class TrainedWeights {
  private let width = ShelfModel.width
  private let shelfCount: Int
  private let rows: UnsafeMutablePointer<Float>
  private let columns: UnsafeMutablePointer<Float>
  private let bias: UnsafeMutablePointer<Float>
  private let mean: UnsafeMutablePointer<Float>
  private let gradient: UnsafeMutablePointer<Float>
  private let shares: UnsafeMutablePointer<Float>

  init(shelfCount: Int, using generator: inout SeededGenerator) {
    self.shelfCount = shelfCount
    rows = .allocate(capacity: ShelfModel.bucketCount * width)
    for place in 0..<ShelfModel.bucketCount * width {
      rows[place] = Float.random(in: -1...1, using: &generator) / Float(width)
    }
    columns = .allocate(capacity: shelfCount * width)
    columns.initialize(repeating: 0, count: shelfCount * width)
    bias = .allocate(capacity: shelfCount)
    bias.initialize(repeating: 0, count: shelfCount)
    mean = .allocate(capacity: width)
    gradient = .allocate(capacity: width)
    shares = .allocate(capacity: shelfCount)
  }

  deinit {
    for memory in [rows, columns, bias, mean, gradient, shares] { memory.deallocate() }
  }

  /// Takes one step towards an example.
  func learn(_ features: ArraySlice<UInt32>, shelf: Int, rate: Float) {
    predict(features)
    for place in 0..<width { gradient[place] = 0 }
    for other in 0..<shelfCount {
      let error = rate * ((other == shelf ? 1 : 0) - shares[other])
      // What is all but right already teaches nothing, and is most of the work.
      if error.magnitude < 1e-5 { continue }
      let column = columns + other * width
      for place in 0..<width {
        gradient[place] += error * column[place]
        column[place] += error * mean[place]
      }
      bias[other] += error * 0.1
    }
    let part = 1 / Float(features.count)
    for feature in features {
      let row = rows + Int(feature) * width
      for place in 0..<width { row[place] += part * gradient[place] }
    }
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
    for place in 0..<width { mean[place] = 0 }
    for feature in features {
      let row = rows + Int(feature) * width
      for place in 0..<width { mean[place] += row[place] }
    }
    let part = 1 / Float(features.count)
    for place in 0..<width { mean[place] *= part }
    var greatest = -Float.infinity
    for shelf in 0..<shelfCount {
      let column = columns + shelf * width
      var sums = SIMD8<Float>()
      for place in stride(from: 0, to: width, by: 8) {
        let (left, right) = (UnsafeRawPointer(column + place), UnsafeRawPointer(mean + place))
        sums += left.loadUnaligned(as: SIMD8<Float>.self) * right.loadUnaligned(as: SIMD8<Float>.self)
      }
      shares[shelf] = bias[shelf] + sums.sum()
      greatest = max(greatest, shares[shelf])
    }
    var whole: Float = 0
    for shelf in 0..<shelfCount {
      shares[shelf] = Exponential.of(shares[shelf] - greatest)
      whole += shares[shelf]
    }
    for shelf in 0..<shelfCount { shares[shelf] /= whole }
  }

  /// The weights as the text of a model.
  func text(_ shelves: [String], _ line: OddsLine) -> [UInt8] {
    let rowScale = Self.scale(UnsafeBufferPointer(start: rows, count: ShelfModel.bucketCount * width))
    let columnScale = Self.scale(UnsafeBufferPointer(start: columns, count: shelfCount * width))
    var text = Array("\(ShelfModel.magic)\n\(width) \(ShelfModel.bucketCount) \(shelfCount)\n".utf8)
    text += Array("\(rowScale) \(columnScale) \(line.slope) \(line.offset)\n".utf8)
    for (place, shelf) in shelves.enumerated() {
      text += Array("\(shelf) \(bias[place]) ".utf8)
      text += (0..<width).map { Self.character(columns[place * width + $0] / columnScale) }
      text.append(UInt8(ascii: "\n"))
    }
    text.reserveCapacity(text.count + ShelfModel.bucketCount * width + 1)
    for place in 0..<ShelfModel.bucketCount * width { text.append(Self.character(rows[place] / rowScale)) }
    text.append(UInt8(ascii: "\n"))
    return text
  }

  /// What one step is worth, so that all weights but one in 2,000 keep their size.
  private static func scale(_ weights: UnsafeBufferPointer<Float>) -> Float {
    let sizes = weights.map(\.magnitude).sorted()
    return max(sizes[min(sizes.count - 1, sizes.count * 1999 / 2000)], 1e-6) / Float(ShelfModel.limit)
  }

  private static func character(_ steps: Float) -> UInt8 {
    let limit = Float(ShelfModel.limit)
    let kept = min(max(steps, -limit), limit)
    return UInt8(ShelfModel.zero + Int(kept + (kept < 0 ? -0.5 : 0.5)))
  }
}
