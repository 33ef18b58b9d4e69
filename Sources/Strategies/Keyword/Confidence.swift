/// How likely a phrase decision is right, from what stood in the item.
enum Confidence {
  /// What remains of a confidence when a typo had to be corrected first.
  static let typoFactor: Float = 0.8

  /// The share of right answers among items alike, in 0…1.
  ///
  /// - Parameters:
  ///   - strength: The winner's strength, 0 descriptor … 3 decisive.
  ///   - zone: Where it stands, 0 head … 3 excluded.
  ///   - words: How many words it has.
  ///   - isContested: Whether a keyword of another section stands in the item.
  ///   - isTied: Whether such a keyword weighs as much as the winner.
  ///   - uncovered: How many words with content no keyword covers.
  @inline(__always)
  static func estimate(strength: UInt8, zone: UInt8, words: Int, isContested: Bool, isTied: Bool, uncovered: Int) -> Float {
    var confidence: Float =
      switch strength {
      case 3: 0.98
      case 2: 0.95
      case 1: 0.9
      default: 0.55
      }
    if words > 1, strength > 0 { confidence += 0.02 }
    if zone > 0 { confidence -= 0.15 }
    if isTied { confidence -= 0.08 } else if isContested { confidence -= 0.03 }
    if uncovered > 0 { confidence -= strength == 1 ? 0.2 : 0.04 * Float(min(uncovered, 3)) }
    return max(min(confidence, 0.99), 0.05)
  }
}
