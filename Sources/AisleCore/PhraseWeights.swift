/// How the phrase rules weigh the keywords of an item, and how likely the winner is right: the contents of `weights.txt`.
///
/// Chances are in 0…1, and factors multiply odds. A keyword that is right 9 times in 10 has odds of 9; beside a rival with the
/// factor 0.5, its odds are 4.5, so it is right 82 times in 100. Both have at most three decimals, so a file stores them exactly.
public struct PhraseWeights: Sendable, Hashable {
  /// A line of the file.
  public enum Setting: Sendable, Hashable, CaseIterable {
    /// The weight of keywords of a strength in each zone of the item.
    case weight(Keyword.Strength)
    /// The starting point for the odds: how likely a one-word keyword of a strength in the head is right, before unknown words
    /// count.
    case chance(Keyword.Strength)
    /// A factor for these odds.
    case odds(Factor)
    /// What a voice counts where the arbiter weighs several.
    case voice(Voice)
    /// The corpus files that something was fitted on, without `.tsv`; empty for all.
    case fittedOn(Fit)

    /// The settings in the order of the file.
    public static let allCases: [Setting] =
      Keyword.Strength.allCases.map(Setting.weight) + Keyword.Strength.allCases.map(Setting.chance)
      + Factor.allCases.map(Setting.odds) + Voice.allCases.map(Setting.voice) + Fit.allCases.map(Setting.fittedOn)

    /// The setting's name in the file, e.g. `odds rival`.
    public var name: String {
      switch self {
      case .weight(let strength): "weight \(strength)"
      case .chance(let strength): "chance \(strength)"
      case .odds(let factor): "odds \(factor.name)"
      case .voice(let voice): "voice \(voice.name)"
      case .fittedOn(.phrases): "fitted on"
      case .fittedOn(.voices): "voices fitted on"
      }
    }

    /// The setting with a name; `nil` for any other name.
    public init?(name: String) {
      guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
      self = found
    }
  }

  /// What makes the winner more or less likely to be right.
  public enum Factor: Int, Sendable, Hashable, CaseIterable {
    /// It has two words.
    case twoWords
    /// It has three words or more.
    case threeWords
    /// Except for quantities and the like, the item has nothing else.
    case alone
    /// The item has other keywords, all for the same section.
    case agreement
    /// The item has a keyword for another section that weighs less.
    case rival
    /// The item has a keyword for another section that weighs the same.
    case equalRival
    /// For each content word that is in no keyword, up to `PhraseWeights.maximumUnknownWords`.
    case unknownWord
    /// It is an ingredient or flavor, and the item has an unknown word.
    case flavorOfUnknown
    /// It comes after the head.
    case afterHead
    /// A typo was corrected to match it.
    case repaired

    /// Whether it favors the winner, so that the factor is 1 or more; otherwise the factor is 1 or less.
    public var isFor: Bool { rawValue <= Self.agreement.rawValue }

    /// The factor's name in the file, after `odds`.
    public var name: String {
      switch self {
      case .twoWords: "two words"
      case .threeWords: "three words"
      case .equalRival: "equal rival"
      case .unknownWord: "unknown word"
      case .flavorOfUnknown: "flavor of unknown"
      case .afterHead: "after head"
      case .alone, .agreement, .rival, .repaired: "\(self)"
      }
    }

    /// The factors that it may have.
    package var bounds: ClosedRange<Double> { Double(range.lowerBound) / 1000...Double(range.upperBound) / 1000 }

    /// The same in thousandths.
    var range: ClosedRange<Int> { isFor ? 1000...100_000 : 10...1000 }
  }

  /// What speaks for a section where the arbiter weighs the answers of several strategies.
  ///
  /// A strategy's answer counts its first number, plus its second times the log odds of its confidence.
  public enum Voice: Int, Sendable, Hashable, CaseIterable {
    /// The keyword strategy's answer.
    case keyword
    /// The patterns' answer.
    case regex
    /// The trained model's answer.
    case model
    /// The best keyword of another section: its first number alone counts.
    case runnerUp
    /// How much the model's answer must count if no keyword or pattern answers; otherwise nothing is decided. Its second number says how
    /// far the model is then trusted: the log odds of its confidence are multiplied by it, or left as they are if it is 0.
    case nobody
    /// What is added to the lead of a section if all answers agree on it. Only its first number counts.
    case agreement
    /// How sure a choice is: the log odds are its first number, plus its second times the lead over the next section.
    case certainty

    /// The voice's name in the file, after `voice`.
    public var name: String { self == .runnerUp ? "runner-up" : "\(self)" }
  }

  /// What is fitted separately, each on its own items.
  public enum Fit: Int, Sendable, Hashable, CaseIterable {
    /// The weights, chances, and odds of the keywords.
    case phrases
    /// The voices. The trained model must not have learned their items, or it counts more than it should.
    case voices
  }

  /// The zones of an item, as findings name them; each has a weight.
  public static let zones = ["in the head", "after a comma", "after `with`", "after `for`"]
  /// Unknown words beyond this number do not count.
  public static let maximumUnknownWords = 3
  /// The range of a confidence; nothing is certain.
  public static let confidences = 0.05...0.99

  /// Four weights per strength, weakest strength first.
  public private(set) var weights: [[Int]] = [[25, 20, 15, 5], [50, 40, 30, 10], [80, 60, 45, 15], [90, 85, 60, 20]]
  /// In thousandths, the weakest strength first.
  private var chances = [890, 830, 900, 980]
  /// In thousandths, in the order of `Factor`.
  private var factors = [3900, 7400, 3800, 4900, 610, 170, 700, 450, 380, 630]
  /// In thousandths, two for each `Voice`.
  private var voices = [550, 720, 2500, 1000, 0, 670, 1640, 0, 1470, 0, 2000, 0, 390, 550]
  /// By `Fit`.
  private var files: [[String]] = [[], []]

  /// The default weights.
  public init() {}

  /// How likely a one-word keyword of a strength is right, in 0…1, before the factors apply.
  public func chance(_ strength: Keyword.Strength) -> Double { Double(chances[Int(strength.rawValue)]) / 1000 }

  /// The factor for the odds, more than 0.
  public func factor(_ factor: Factor) -> Double { Double(factors[factor.rawValue]) / 1000 }

  /// What a voice counts: a number, and what multiplies the log odds of its confidence; both in 0…100.
  public func voice(_ voice: Voice) -> (base: Double, slope: Double) {
    (Double(voices[2 * voice.rawValue]) / 1000, Double(voices[2 * voice.rawValue + 1]) / 1000)
  }

  /// The corpus files that something was fitted on, without `.tsv`; empty for all.
  public func files(_ fit: Fit) -> [String] { files[fit.rawValue] }

  /// A setting's value as written in the file.
  public func text(of setting: Setting) -> String {
    switch setting {
    case .weight(let strength): weights[Int(strength.rawValue)].map(String.init).joined(separator: " ")
    case .chance(let strength): Self.decimal(chances[Int(strength.rawValue)])
    case .odds(let factor): Self.decimal(factors[factor.rawValue])
    case .voice(let voice): (0..<2).map { Self.decimal(voices[2 * voice.rawValue + $0]) }.joined(separator: " ")
    case .fittedOn(let fit): files[fit.rawValue].joined(separator: ", ")
    }
  }

  /// Sets a setting to a value as written in the file.
  ///
  /// - Returns: What is wrong with the value, in one line, in which case nothing changes; `nil` if it was set.
  public mutating func set(_ setting: Setting, to text: String) -> String? {
    switch setting {
    case .weight(let strength):
      let numbers = Self.parts(text).map { Int($0) ?? 0 }
      guard numbers.count == Self.zones.count, numbers.allSatisfy({ 1...255 ~= $0 }) else {
        return "needs four whole numbers in 1…255 (\(Self.zones.joined(separator: ", "))), not `\(text)`"
      }
      for zone in 1..<numbers.count where numbers[zone] > numbers[zone - 1] {
        return "has a greater weight \(Self.zones[zone]) than \(Self.zones[zone - 1]); later zones must not weigh more"
      }
      weights[Int(strength.rawValue)] = numbers
    case .chance(let strength):
      let range = Self.chanceRange
      guard let number = Self.thousandths(text), range ~= number else { return Self.expected(range, text) }
      chances[Int(strength.rawValue)] = number
    case .odds(let factor):
      guard let number = Self.thousandths(text), factor.range ~= number else { return Self.expected(factor.range, text) }
      factors[factor.rawValue] = number
    case .voice(let voice):
      let numbers = Self.parts(text).compactMap(Self.thousandths)
      guard numbers.count == 2, Self.parts(text).count == 2, numbers.allSatisfy({ Self.voiceRange ~= $0 }) else {
        return
          "needs two numbers in \(Self.decimal(0))…\(Self.decimal(Self.voiceRange.upperBound)) with at most three decimals, not `\(text)`"
      }
      voices.replaceSubrange(2 * voice.rawValue..<2 * voice.rawValue + 2, with: numbers)
    case .fittedOn(let fit):
      let names = Self.parts(text)
      if let name = names.first(where: { $0.contains("/") || $0.hasSuffix(".tsv") }) {
        return "needs the names of corpus files without the folder and `.tsv`, not `\(name)`"
      }
      files[fit.rawValue] = names
    }
    return nil
  }

  /// Whether a stronger keyword weighs no less than a weaker one in the same zone.
  package var isOrdered: Bool { disorder() == nil }

  /// The first weight that is less than that of a weaker strength in the same zone, in words.
  func disorder() -> (strength: Keyword.Strength, message: String)? {
    for (weaker, stronger) in zip(Keyword.Strength.allCases, Keyword.Strength.allCases.dropFirst()) {
      for zone in Self.zones.indices {
        let (less, more) = (weights[Int(weaker.rawValue)][zone], weights[Int(stronger.rawValue)][zone])
        if more < less {
          return (
            stronger,
            "has a smaller weight \(Self.zones[zone]) than `weight \(weaker)`, \(more) to \(less); a stronger keyword must not weigh less"
          )
        }
      }
    }
    return nil
  }

  // MARK: Numbers

  /// All numbers: weights, then chances, factors, and voices in thousandths.
  var numbers: [Int] { weights.joined() + chances + factors + voices }

  /// Takes up `numbers`; `nil` when some are none that `set` would take.
  init?(numbers: [Int], files: [[String]]) {
    let zones = Self.zones.count
    guard numbers.count == 4 * zones + chances.count + factors.count + voices.count else { return nil }
    for strength in 0..<4 { weights[strength] = Array(numbers[strength * zones..<(strength + 1) * zones]) }
    chances = Array(numbers[4 * zones..<4 * zones + chances.count])
    factors = Array(numbers[4 * zones + chances.count..<numbers.count - voices.count])
    voices = Array(numbers.suffix(voices.count))
    self.files = files
    guard files.count == Fit.allCases.count, numbers.prefix(4 * zones).allSatisfy({ 1...255 ~= $0 }),
      chances.allSatisfy({ Self.chanceRange ~= $0 }),
      factors.indices.allSatisfy({ Factor(rawValue: $0)?.range.contains(factors[$0]) ?? false }),
      voices.allSatisfy({ Self.voiceRange ~= $0 })
    else { return nil }
  }

  private static let chanceRange = Int(confidences.lowerBound * 1000)...Int(confidences.upperBound * 1000)

  private static let voiceRange = 0...100_000

  private static func parts(_ text: String) -> [String] {
    text.split { $0 == "," || $0.isWhitespace }.map(String.init)
  }

  private static func expected(_ range: ClosedRange<Int>, _ text: String) -> String {
    "needs a number in \(decimal(range.lowerBound))…\(decimal(range.upperBound)) with at most three decimals, not `\(text)`"
  }

  /// A number of thousandths without idle zeros: `0.94`, `3`.
  private static func decimal(_ thousandths: Int) -> String {
    var fraction = String(thousandths % 1000)
    fraction = String(repeating: "0", count: 3 - fraction.count) + fraction
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return "\(thousandths / 1000)" + (fraction.isEmpty ? "" : ".\(fraction)")
  }

  /// Reads a decimal number with at most three decimals; `nil` for anything else.
  private static func thousandths(_ text: String) -> Int? {
    let sides = text.split(separator: ".", omittingEmptySubsequences: false)
    let isNumber = sides.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
    guard isNumber, 1...2 ~= sides.count, sides[0].utf8.count <= 6, let whole = Int(sides[0]) else { return nil }
    guard sides.count == 2 else { return whole * 1000 }
    guard sides[1].utf8.count <= 3, let fraction = Int(sides[1] + String(repeating: "0", count: 3 - sides[1].utf8.count)) else {
      return nil
    }
    return whole * 1000 + fraction
  }
}
