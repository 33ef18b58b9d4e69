public import AisleCore
public import AisleEvaluation
public import AisleFiles

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Fits the voices of a store's `weights.txt` on the `tune` split of a corpus: what each answer counts where several are weighed, and how
/// sure the lead makes the choice.
///
/// The first is a conditional logit over the sections that were answered (McFadden, 1974), the second a logistic regression on the lead.
/// Both are drawn to the usual numbers as about one uncertain item would. The same corpus, store, and model give the same voices.
public struct VoiceFit: StoreFit {
  /// The weights before the fit.
  public let before: PhraseWeights
  /// The weights after it.
  public let after: PhraseWeights
  /// How many items it is fitted on.
  public let fittedCount: Int
  /// The corpus files that these are from, without `.tsv`; empty for all.
  public let files: [String]

  /// The settings that it fits.
  public var settings: [PhraseWeights.Setting] { PhraseWeights.Voice.allCases.map(PhraseWeights.Setting.voice) }
  /// What it is fitted on, in words.
  public var items: String { "items of tune for which answers differ" }

  /// Fits.
  ///
  /// - Parameter strategies: The strategies whose answers are weighed: each is asked about all items.
  /// - Throws: `TuningError` if `voices fitted on` names a file that the corpus does not have, or if answers differ for no item.
  public init(
    _ strategies: [any Strategy], of taxonomy: Taxonomy, on corpus: Corpus, _ expectations: Expectations
  ) async throws {
    before = taxonomy.weights
    files = before.files(.voices)
    let meant = try corpus.files(named: files, by: .fittedOn(.voices))
    let items = FitItems(corpus, expectations, in: taxonomy, split: .tune, files: meant)
    var hearings = [VoiceHearing](repeating: VoiceHearing(), count: items.count)
    for strategy in strategies {
      guard let voice = PhraseWeights.Voice(strategy: strategy.metadata.id) else { continue }
      for (place, answer) in try await items.answers(strategy).enumerated() {
        hearings[place].add(answer, by: voice, taxonomy)
      }
    }
    let disputed = hearings.filter { $0.sections.count > 1 }
    fittedCount = disputed.count { !$0.right.isEmpty }
    if fittedCount == 0 {
      throw TuningError(
        "the files to fit on have no `tune` item for which answers differ; extend the corpus, or change `voices fitted on` in weights.txt"
      )
    }
    var weights = VoiceLogit(disputed).fit(before)
    VoiceCertainty(hearings, weights).fit(&weights)
    after = weights
  }
}

/// What strategies answered about an item.
private struct VoiceHearing {
  /// The sections that were answered, first said first, each with what speaks for it: a multiple of each parameter of `VoiceLogit`.
  private(set) var sections: [(section: SectionID, inputs: [Double])] = []
  /// The places of those that are right.
  private(set) var right: Set<Int> = []
  /// How many strategies answered.
  private(set) var answers = 0
  private var runnerUp: SectionID?

  mutating func add(
    _ answer: (entry: Corpus.Entry, decision: Decision?, isRight: Bool), by voice: PhraseWeights.Voice, _ taxonomy: Taxonomy
  ) {
    guard let decision = answer.decision else { return }
    answers += 1
    let place = sections.firstIndex { $0.section == decision.section } ?? sections.count
    if place == sections.count { sections.append((decision.section, VoiceLogit.noInputs)) }
    if answer.isRight { right.insert(place) }
    VoiceLogit.add(voice, Double(Arbiter.logOdds(decision.confidence)), to: &sections[place].inputs)
    if let other = decision.evidence.runnerUp.map({ taxonomy.keywords[$0].section }), other != decision.section {
      runnerUp = other
    }
    for place in sections.indices where sections[place].section == runnerUp {
      VoiceLogit.addRunnerUp(to: &sections[place].inputs)
    }
  }

  /// What is said for each section with some parameters.
  func totals(_ values: [Double]) -> [Double] {
    sections.map { zip($0.inputs, values).reduce(0) { $0 + $1.0 * $1.1 } }
  }
}

/// What each voice counts: the likeliest numbers, given which of the sections that were answered is right.
private struct VoiceLogit {
  /// The parameters; what the model's answer counts by itself is 0, since only differences matter.
  private static let parameters: [(voice: PhraseWeights.Voice, isSlope: Bool)] = [
    (.keyword, false), (.keyword, true), (.regex, false), (.regex, true), (.model, true), (.runnerUp, false),
  ]
  static let noInputs = [Double](repeating: 0, count: parameters.count)
  /// How strongly a parameter is drawn to the usual one.
  private static let pull = 1.0

  private let hearings: [VoiceHearing]

  init(_ hearings: [VoiceHearing]) { self.hearings = hearings.filter { !$0.right.isEmpty } }

  static func add(_ voice: PhraseWeights.Voice, _ logOdds: Double, to inputs: inout [Double]) {
    for (place, parameter) in parameters.enumerated() where parameter.voice == voice {
      inputs[place] += parameter.isSlope ? logOdds : 1
    }
  }

  /// A section has but one best keyword of another section that speaks for it.
  static func addRunnerUp(to inputs: inout [Double]) {
    for (place, parameter) in parameters.enumerated() where parameter.voice == .runnerUp { inputs[place] = 1 }
  }

  /// The values of the parameters in some weights.
  static func values(_ weights: PhraseWeights) -> [Double] {
    parameters.map { $0.isSlope ? weights.voice($0.voice).slope : weights.voice($0.voice).base }
  }

  func fit(_ weights: PhraseWeights) -> PhraseWeights {
    let usual = Self.values(PhraseWeights())
    var fixed: Set<Int> = []
    while true {
      let values = Newton.climb(from: usual.indices.map { fixed.contains($0) ? 0 : usual[$0] }) {
        gain($0, usual)
      } _: {
        derivatives($0, usual, fixed)
      }
      let wrong = values.indices.filter { values[$0] < 0 }
      // No voice speaks against what it says.
      if wrong.isEmpty { return rounded(values, weights) }
      fixed.formUnion(wrong)
    }
  }

  /// The logarithm of the likelihood, less what the pulls cost.
  private func gain(_ values: [Double], _ usual: [Double]) -> Double {
    var gain = 0.0
    for hearing in hearings {
      let totals = hearing.totals(values)
      let greatest = totals.max() ?? 0
      let shares = totals.map { exp($0 - greatest) }
      gain += log(hearing.right.reduce(0) { $0 + shares[$1] } / shares.reduce(0, +))
    }
    return gain - zip(values, usual).reduce(0) { $0 + Self.pull * ($1.0 - $1.1) * ($1.0 - $1.1) / 2 }
  }

  private func derivatives(_ values: [Double], _ usual: [Double], _ fixed: Set<Int>) -> ([Double], [[Double]]) {
    var slopes = values.indices.map { -Self.pull * (values[$0] - usual[$0]) }
    var curvature = values.indices.map { row in values.indices.map { row == $0 ? Self.pull : 0 } }
    for hearing in hearings {
      let totals = hearing.totals(values)
      let greatest = totals.max() ?? 0
      let shares = totals.map { exp($0 - greatest) }
      let (whole, right) = (shares.reduce(0, +), hearing.right.reduce(0) { $0 + shares[$1] })
      var mean = Self.noInputs
      for (place, section) in hearing.sections.enumerated() {
        let (chance, truth) = (shares[place] / whole, hearing.right.contains(place) ? shares[place] / right : 0)
        for row in values.indices {
          slopes[row] += (truth - chance) * section.inputs[row]
          mean[row] += chance * section.inputs[row]
          for column in values.indices { curvature[row][column] += chance * section.inputs[row] * section.inputs[column] }
        }
      }
      for row in values.indices { for column in values.indices { curvature[row][column] -= mean[row] * mean[column] } }
    }
    for place in fixed {
      slopes[place] = 0
      for other in values.indices {
        curvature[place][other] = place == other ? 1 : 0
        curvature[other][place] = place == other ? 1 : 0
      }
    }
    return (slopes, curvature)
  }

  private func rounded(_ values: [Double], _ weights: PhraseWeights) -> PhraseWeights {
    func value(_ voice: PhraseWeights.Voice, _ isSlope: Bool) -> Double {
      zip(Self.parameters, values).first { $0.0 == (voice, isSlope) }?.1 ?? 0
    }
    var weights = weights
    for voice in [PhraseWeights.Voice.keyword, .regex, .model, .runnerUp] {
      weights.setVoice(voice, value(voice, false), value(voice, true))
    }
    // What only the model answers must be this sure.
    weights.setVoice(
      .nobody, weights.voice(.model).base + weights.voice(.model).slope * log(0.9 / 0.1), weights.voice(.nobody).slope)
    return weights
  }
}

/// How sure a choice is, given its lead over the next section or that all answers agree.
private struct VoiceCertainty {
  /// How strongly a parameter is drawn to the usual one.
  private static let pull = 1.0
  /// The inputs: 1, the lead, and 1 where all agree.
  private let rows: [(inputs: [Double], isRight: Bool)]

  init(_ hearings: [VoiceHearing], _ weights: PhraseWeights) {
    let values = VoiceLogit.values(weights)
    rows = hearings.compactMap { hearing in
      guard hearing.answers > 1 else { return nil }
      let totals = hearing.totals(values)
      let ranked = totals.indices.sorted { (totals[$1], $0) < (totals[$0], $1) }
      let lead = totals[ranked[0]] - (ranked.count > 1 ? totals[ranked[1]] : 0)
      return ([1, lead, ranked.count > 1 ? 0 : 1], hearing.right.contains(ranked[0]))
    }
  }

  func fit(_ weights: inout PhraseWeights) {
    let usual = PhraseWeights()
    let (certainty, agreement) = (usual.voice(.certainty), usual.voice(.agreement))
    let start = [certainty.base, certainty.slope, certainty.slope * agreement.base]
    let values = Newton.climb(from: start) {
      gain($0, start)
    } _: {
      derivatives($0, start)
    }
    let slope = max(values[1], 0)
    weights.setVoice(.certainty, values[0], slope)
    weights.setVoice(.agreement, slope > 0 ? values[2] / slope : 0, 0)
  }

  private func gain(_ values: [Double], _ usual: [Double]) -> Double {
    var gain = -zip(values, usual).reduce(0) { $0 + Self.pull * ($1.0 - $1.1) * ($1.0 - $1.1) / 2 }
    for row in rows {
      let logit = zip(row.inputs, values).reduce(0) { $0 + $1.0 * $1.1 }
      gain -= max(row.isRight ? -logit : logit, 0) + log1p(exp(-abs(logit)))
    }
    return gain
  }

  private func derivatives(_ values: [Double], _ usual: [Double]) -> ([Double], [[Double]]) {
    var slopes = values.indices.map { -Self.pull * (values[$0] - usual[$0]) }
    var curvature = values.indices.map { row in values.indices.map { row == $0 ? Self.pull : 0 } }
    for row in rows {
      let chance = 1 / (1 + exp(-zip(row.inputs, values).reduce(0) { $0 + $1.0 * $1.1 }))
      for place in values.indices {
        slopes[place] += row.inputs[place] * ((row.isRight ? 1 : 0) - chance)
        for other in values.indices { curvature[place][other] += row.inputs[place] * row.inputs[other] * chance * (1 - chance) }
      }
    }
    return (slopes, curvature)
  }
}

extension PhraseWeights {
  /// Sets what a voice counts, as far as its bounds allow, to two decimals: what a few thousand items can tell.
  fileprivate mutating func setVoice(_ voice: Voice, _ base: Double, _ slope: Double) {
    func text(_ value: Double) -> String {
      let hundredths = Int((min(max(value, 0), 100) * 100).rounded())
      return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
    _ = set(.voice(voice), to: "\(text(base)) \(text(slope))")
  }
}
