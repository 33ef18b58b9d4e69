import AisleCore
import AisleEvaluation
import KeywordStrategy

/// Searches the weights by which a keyword of several is chosen, one after the other.
///
/// Only the order of the sixteen weights matters, so each is tried once before, at and after every other. A change is taken only when
/// it wins more items than it loses so clearly that chance seldom does: the corpus is small, and most changes move a handful of items.
struct FitChoice {
  /// A weight that was changed.
  struct Change {
    let setting: PhraseWeights.Setting
    let before: String
    let after: String
    let won: Int
    let lost: Int
    let pValue: Double
  }

  /// The p-value below which a change is taken.
  static let alpha = 0.05

  let keywords: KeywordStrategy
  /// The items that several keywords stand in.
  let items: FitItems

  /// The weights after as many changes as are clearly for the better, and those changes.
  func search(from start: PhraseWeights) -> (weights: PhraseWeights, changes: [Change]) {
    var weights = start
    var changes: [Change] = []
    var verdicts = items.verdicts(keywords.weighing(by: weights))
    var isDone = false
    while !isDone {
      isDone = true
      for strength in Keyword.Strength.allCases {
        for zone in PhraseWeights.zones.indices {
          guard let (change, next, answers) = best(strength, zone, weights, verdicts) else { continue }
          changes.append(change)
          (weights, verdicts, isDone) = (next, answers, false)
        }
      }
    }
    return (weights, changes)
  }

  /// The best change of one weight, if there is any to take.
  private func best(
    _ strength: Keyword.Strength, _ zone: Int, _ weights: PhraseWeights, _ verdicts: [Bool]
  ) -> (Change, PhraseWeights, [Bool])? {
    var best: (change: Change, weights: PhraseWeights, verdicts: [Bool])?
    let setting = PhraseWeights.Setting.weight(strength)
    for value in candidates(strength, zone, weights) {
      var next = weights
      var row = weights.weights[Int(strength.rawValue)]
      row[zone] = value
      guard next.set(setting, to: row.map(String.init).joined(separator: " ")) == nil, next.isOrdered else { continue }
      let answers = items.verdicts(keywords.weighing(by: next))
      let won = zip(verdicts, answers).count { !$0 && $1 }
      let lost = zip(verdicts, answers).count { $0 && !$1 }
      let pValue = McNemar.pValue(won: won, lost: lost)
      guard won > lost, pValue < Self.alpha, won - lost > (best.map { $0.change.won - $0.change.lost } ?? 0) else { continue }
      let change = Change(
        setting: setting, before: weights.text(of: setting), after: next.text(of: setting), won: won, lost: lost, pValue: pValue)
      best = (change, next, answers)
    }
    return best
  }

  /// The values that give a weight another place in the order: those of the others, and one between each two.
  private func candidates(_ strength: Keyword.Strength, _ zone: Int, _ weights: PhraseWeights) -> [Int] {
    let own = weights.weights[Int(strength.rawValue)][zone]
    let values = Set(weights.weights.joined()).sorted()
    let between = zip(values, values.dropFirst()).filter { $1 - $0 > 1 }.map { ($0 + $1) / 2 }
    let ends = [values.first.map { max($0 / 2, 1) } ?? 1, values.last.map { min($0 + 10, 255) } ?? 255]
    return Set(values + between + ends).filter { $0 != own }.sorted()
  }
}
