package import AisleCore

/// What stood in an item, as far as it tells how likely the winning keyword is right.
///
/// There are few of them, each with a number, so that a confidence is looked up and never worked out.
package struct PhraseEvidence: Sendable, Hashable {
  /// The other keywords in the item.
  package enum Others: Int, Sendable, CaseIterable {
    /// There are none.
    case none
    /// All are of the winner's section.
    case agreeing
    /// One is of another section, and weighs less.
    case rival
    /// One is of another section, and weighs as much.
    case equalRival
  }

  /// The winner's strength.
  package let strength: Keyword.Strength
  /// How many words it has, 1 to 3; 3 stands for more too.
  package let words: Int
  /// The other keywords in the item.
  package let others: Others
  /// How many words with content no keyword holds, to 3; 3 stands for more too.
  package let unknown: Int
  /// Whether but for quantities and the like the item is nothing else.
  package let isAlone: Bool
  /// Whether it stands after the head.
  package let isAfterHead: Bool
  /// Whether a word had to be mended.
  package let isRepaired: Bool

  /// How many numbers there are.
  package static let count = 2 * 2 * 4 * 3 * 4 * 5

  /// The number of what stood in an item.
  ///
  /// - Parameters:
  ///   - words: 1 or more.
  ///   - others: The raw value of an `Others`.
  ///   - unknown: 0 or more.
  @inline(__always)
  static func number(
    strength: Int, words: Int, others: Int, unknown: Int, isAlone: Bool, isAfterHead: Bool, isRepaired: Bool
  ) -> Int {
    // Alone, then no unknown word, then one, two, three.
    let rest = isAlone ? 0 : min(max(unknown, 0), PhraseWeights.maximumUnknownWords) &+ 1
    let place = ((isRepaired ? 2 : 0) &+ (isAfterHead ? 1 : 0)) &* 4 &+ strength
    return ((place &* 3 &+ min(words, 3) &- 1) &* 4 &+ others) &* 5 &+ rest
  }

  /// What has a number; the number must be below `count`.
  package init(number: Int) {
    let rest = number % 5
    others = Others.allCases[number / 5 % 4]
    words = number / 20 % 3 + 1
    strength = Keyword.Strength.allCases[number / 60 % 4]
    isAfterHead = number / 240 % 2 == 1
    isRepaired = number / 480 == 1
    isAlone = rest == 0
    unknown = max(rest - 1, 0)
  }

  /// What a strategy that numbers its evidence says by a confidence.
  package init(numbered confidence: Float) { self.init(number: min(max(Int(confidence * Self.scale), 0), Self.count - 1)) }

  /// Its number, below `count`.
  package var number: Int {
    Self.number(
      strength: Int(strength.rawValue), words: words, others: others.rawValue, unknown: unknown, isAlone: isAlone,
      isAfterHead: isAfterHead, isRepaired: isRepaired)
  }

  /// A power of two, so that numbers survive the division.
  private static let scale: Float = 1024

  /// Each number as a confidence in 0…1.
  static var numbers: ContiguousArray<Float> { ContiguousArray((0..<count).map { Float($0) / scale }) }

  /// Each number's confidence.
  ///
  /// - Complexity: O(numbers); about 2 µs.
  static func confidences(_ weights: PhraseWeights) -> ContiguousArray<Float> {
    func factor(_ factor: PhraseWeights.Factor) -> Float { Float(weights.factor(factor)) }
    let chances = Keyword.Strength.allCases.map { Float(weights.chance($0)) }
    let words = [1, factor(.twoWords), factor(.threeWords)]
    let others = [1, factor(.agreement), factor(.rival), factor(.equalRival)]
    let (unknown, flavor) = (factor(.unknownWord), factor(.flavorOfUnknown))
    let rests = [factor(.alone), 1, unknown, unknown * unknown, unknown * unknown * unknown]
    let (after, repaired) = (factor(.afterHead), factor(.repaired))
    let bounds = Float(PhraseWeights.confidences.lowerBound)...Float(PhraseWeights.confidences.upperBound)
    return ContiguousArray(unsafeUninitializedCapacity: count) { table, filled in
      for place in 0..<16 {
        let strength = place % 4
        let odds =
          chances[strength] / (1 - chances[strength]) * (place / 4 % 2 == 1 ? after : 1) * (place / 8 == 1 ? repaired : 1)
        for word in 0..<3 {
          for other in 0..<4 {
            for rest in 0..<5 {
              let isFlavor = strength == Int(Keyword.Strength.flavor.rawValue) && rest > 1
              let product = odds * words[word] * others[other] * rests[rest] * (isFlavor ? flavor : 1)
              table.initializeElement(at: filled, to: min(max(product / (1 + product), bounds.lowerBound), bounds.upperBound))
              filled += 1
            }
          }
        }
      }
    }
  }

  /// What multiplies the odds of the winner's chance, each so many times.
  package var factors: [(factor: PhraseWeights.Factor, times: Int)] {
    var factors: [(PhraseWeights.Factor, Int)] = []
    if words > 1 { factors.append((words == 2 ? .twoWords : .threeWords, 1)) }
    if isAlone { factors.append((.alone, 1)) }
    switch others {
    case .none: break
    case .agreeing: factors.append((.agreement, 1))
    case .rival: factors.append((.rival, 1))
    case .equalRival: factors.append((.equalRival, 1))
    }
    if unknown > 0 { factors.append((.unknownWord, unknown)) }
    if unknown > 0, strength == .flavor { factors.append((.flavorOfUnknown, 1)) }
    if isAfterHead { factors.append((.afterHead, 1)) }
    if isRepaired { factors.append((.repaired, 1)) }
    return factors
  }

  /// How likely the winner is right: what the table says, worked out from `factors`.
  package func confidence(_ weights: PhraseWeights) -> Double {
    var odds = weights.chance(strength) / (1 - weights.chance(strength))
    for (factor, times) in factors { for _ in 0..<times { odds *= weights.factor(factor) } }
    let bounds = PhraseWeights.confidences
    return min(max(odds / (1 + odds), bounds.lowerBound), bounds.upperBound)
  }
}
