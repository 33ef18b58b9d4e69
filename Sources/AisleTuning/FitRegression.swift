import AisleCore
import KeywordStrategy

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// How often what stood in items was right: all that a fit of chances and odds has to know.
struct FitCounts {
  /// Right and all items by the number of their `PhraseEvidence`.
  private(set) var cells = [(right: Int, total: Int)](repeating: (0, 0), count: PhraseEvidence.count)
  /// How many items there are.
  private(set) var total = 0

  mutating func add(_ evidence: PhraseEvidence, isRight: Bool) {
    cells[evidence.number].total += 1
    cells[evidence.number].right += isRight ? 1 : 0
    total += 1
  }
}

/// Fits the chances and odds of `PhraseWeights`: a logistic regression on what stood in the items, by Newton's method.
///
/// Source: Platt (1999), Probabilistic outputs for support vector machines, for the sigmoid and for smoothing it; with an odds factor
/// a kind of evidence in the place of his one slope, so that confidence never rises with what speaks against an answer.
struct FitRegression {
  /// A parameter: the logarithm of a chance's odds, or of a factor.
  private enum Parameter: Hashable {
    case chance(Keyword.Strength)
    case odds(PhraseWeights.Factor)

    static let all = Keyword.Strength.allCases.map(Self.chance) + PhraseWeights.Factor.allCases.map(Self.odds)
  }

  /// How strongly a factor is drawn to the usual one: as about four uncertain items would; a chance less. So a small corpus says little.
  private static let factorPull = 1.0
  private static let chancePull = 0.3
  private static let usual = PhraseWeights()

  /// The weights with the chances and odds that are likeliest by some counts, rounded as they stand in a file.
  static func fit(_ counts: FitCounts, from weights: PhraseWeights) -> PhraseWeights {
    var fixed: Set<PhraseWeights.Factor> = []
    while true {
      let values = solve(counts, fixed)
      let wrong = PhraseWeights.Factor.allCases.filter {
        !fixed.contains($0) && ($0.isFor ? values[.odds($0), default: 0] < 0 : values[.odds($0), default: 0] > 0)
      }
      // A factor that turns out on the wrong side of 1 is chance: it says nothing, and the others are fitted without it.
      if wrong.isEmpty { return rounded(values, weights) }
      fixed.formUnion(wrong)
    }
  }

  private static func solve(_ counts: FitCounts, _ fixed: Set<PhraseWeights.Factor>) -> [Parameter: Double] {
    let parameters = Parameter.all.filter {
      if case .odds(let factor) = $0 { !fixed.contains(factor) } else { true }
    }
    let places = Dictionary(uniqueKeysWithValues: parameters.enumerated().map { ($1, $0) })
    let priors = parameters.map { parameter in
      switch parameter {
      case .chance(let strength): log(usual.chance(strength) / (1 - usual.chance(strength)))
      case .odds(let factor): log(usual.factor(factor))
      }
    }
    let pulls = parameters.map { if case .chance = $0 { chancePull } else { factorPull } }
    let rows = counts.cells.enumerated().filter { $1.total > 0 }.map { number, cell in
      let evidence = PhraseEvidence(number: number)
      var inputs = places[.chance(evidence.strength)].map { [($0, 1.0)] } ?? []
      for (factor, times) in evidence.factors { if let place = places[.odds(factor)] { inputs.append((place, Double(times))) } }
      return Row(inputs: inputs, right: Double(cell.right), total: Double(cell.total))
    }
    let values = Newton.climb(from: priors) {
      gain(rows, $0, priors, pulls)
    } _: {
      derivatives(rows, $0, priors, pulls)
    }
    return Dictionary(uniqueKeysWithValues: zip(parameters, values))
  }

  /// Items with the same evidence.
  private struct Row {
    let inputs: [(place: Int, times: Double)]
    let right: Double
    let total: Double

    func logit(_ values: [Double]) -> Double { inputs.reduce(0) { $0 + values[$1.place] * $1.times } }
  }

  /// The logarithm of the likelihood, less what the pulls cost.
  private static func gain(_ rows: [Row], _ values: [Double], _ priors: [Double], _ pulls: [Double]) -> Double {
    var gain = 0.0
    for row in rows {
      let logit = row.logit(values)
      gain -= row.right * softplus(-logit) + (row.total - row.right) * softplus(logit)
    }
    for place in values.indices { gain -= pulls[place] * (values[place] - priors[place]) * (values[place] - priors[place]) / 2 }
    return gain
  }

  /// log(1 + exp(x)), also where exp(x) is too large.
  private static func softplus(_ x: Double) -> Double { max(x, 0) + log1p(exp(-abs(x))) }

  private static func derivatives(
    _ rows: [Row], _ values: [Double], _ priors: [Double], _ pulls: [Double]
  ) -> (slopes: [Double], curvature: [[Double]]) {
    var slopes = values.indices.map { -pulls[$0] * (values[$0] - priors[$0]) }
    var curvature = [[Double]](repeating: [Double](repeating: 0, count: values.count), count: values.count)
    for place in values.indices { curvature[place][place] = pulls[place] }
    for row in rows {
      let chance = 1 / (1 + exp(-row.logit(values)))
      for input in row.inputs {
        slopes[input.place] += input.times * (row.right - row.total * chance)
        for other in row.inputs {
          curvature[input.place][other.place] += input.times * other.times * row.total * chance * (1 - chance)
        }
      }
    }
    return (slopes, curvature)
  }

  /// The weights with some parameters, to as many digits as a few thousand items can tell.
  private static func rounded(_ values: [Parameter: Double], _ weights: PhraseWeights) -> PhraseWeights {
    var weights = weights
    for strength in Keyword.Strength.allCases {
      let bounds = PhraseWeights.confidences
      let chance = 1 / (1 + exp(-values[.chance(strength), default: 0]))
      let thousandths = Int((min(max(chance, bounds.lowerBound), bounds.upperBound) * 1000).rounded())
      _ = weights.set(.chance(strength), to: text(thousandths))
    }
    for factor in PhraseWeights.Factor.allCases {
      let bounds = factor.bounds
      let odds = min(max(exp(values[.odds(factor), default: 0]), bounds.lowerBound), bounds.upperBound)
      let unit = odds < 1 ? 10 : odds < 10 ? 100 : 1000
      _ = weights.set(.odds(factor), to: text(Int((odds * 1000 / Double(unit)).rounded()) * unit))
    }
    return weights
  }

  private static func text(_ thousandths: Int) -> String {
    let fraction = String(thousandths % 1000)
    return "\(thousandths / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
  }
}
