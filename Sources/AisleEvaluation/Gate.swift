/// Decides whether an evaluation is good enough: no regression that is more than noise, and no score below a floor.
public struct Gate: Sendable {
  /// The allowed loss of accuracy, in 0…1.
  public var tolerance = 0.0
  /// The p-value below which a loss is more than noise, in 0…1.
  public var alpha = 0.05
  /// Whether the gate fails if any item that was right is now wrong.
  public var isStrict = false
  /// The scores that must be reached.
  public var floors: [Floor] = []

  /// Below so many items, every net loss counts: no loss of fewer than six items is more than noise by the test, and six of 300 are two
  /// points.
  public static let fewItems = 300

  /// A hair's breadth, which is rounding and no loss.
  private static let rounding = 1e-12

  /// Makes a gate that fails on any significant loss, and on any net loss among few items.
  public init() {}

  /// A score that must be reached.
  public struct Floor: Sendable, Hashable {
    /// Which score.
    public let metric: Metric
    /// The least value, in 0…1.
    public let least: Double

    /// Makes a floor.
    public init(_ metric: Metric, least: Double) {
      self.metric = metric
      self.least = least
    }
  }

  /// A score that can have a floor.
  public enum Metric: Sendable, Hashable {
    /// The share of right answers.
    case accuracy
    /// The mean F1 score of the sections.
    case macroF1
    /// The share of items that a strategy decided.
    case placed
    /// The share of right answers in a split.
    case split(String)
    /// The share of right answers among the items with a tag.
    case tag(String)
    /// The F1 score of a section.
    case section(String)
    /// The share of right answers among a section's items.
    case recall(String)

    /// The score's name, as `--fail-under` takes it.
    public var name: String {
      switch self {
      case .accuracy: "accuracy"
      case .macroF1: "macro-f1"
      case .placed: "placed"
      case .split(let name): "split:\(name)"
      case .tag(let name): "tag:\(name)"
      case .section(let name): "section:\(name)"
      case .recall(let name): "recall:\(name)"
      }
    }
  }

  /// The gate's verdict on one of its conditions.
  public struct Verdict: Sendable, Hashable {
    /// The condition's name: `regression`, `strict`, or a score's.
    public let name: String
    /// Whether it holds.
    public let isPassed: Bool
    /// The reason, with the numbers.
    public let detail: String
  }

  /// Judges an evaluation.
  public func judge(_ evaluation: Evaluation, against comparison: Comparison?) -> [Verdict] {
    (comparison.map { judge($0) } ?? []) + floors.map { judge($0, evaluation) }
  }

  /// Judges a change.
  public func judge(_ comparison: Comparison) -> [Verdict] {
    let difference = comparison.difference
    let change = difference.value ?? 0
    let isBeyond = -change > tolerance + Self.rounding
    let areFew = difference.total < Self.fewItems
    let isRegression = isBeyond && (areFew || difference.pValue < alpha)
    let counts =
      "\(Figures.count(difference.won)) won, \(Figures.count(difference.lost)) lost of \(Figures.count(difference.total)); \(Figures.pValue(difference.pValue))"
    let what =
      isRegression
      ? "accuracy fell by \(Figures.points(-change)) points, "
        + (difference.pValue < alpha
          ? "more than noise" : "and of fewer than \(Self.fewItems) items every net loss counts; --tolerance allows one")
      : change < 0
        ? isBeyond
          ? "accuracy fell by \(Figures.points(-change)) points, which may be noise"
          : "accuracy fell by \(Figures.points(-change)) points, within the tolerance"
        : change == 0 ? "accuracy is the same" : "accuracy rose by \(Figures.points(change)) points"
    let unweighed = isRegression || isStrict || !areFew || comparison.lost.isEmpty ? "" : "; --strict would fail"
    var verdicts = [Verdict(name: "regression", isPassed: !isRegression, detail: "\(what) (\(counts))\(unweighed)")]
    if isStrict {
      let lost = comparison.lost.count
      verdicts.append(
        Verdict(
          name: "strict", isPassed: lost == 0,
          detail: lost == 0
            ? "no item that was right is now wrong"
            : "\(Figures.count(lost)) item\(lost == 1 ? " was" : "s were") right and \(lost == 1 ? "is" : "are") now wrong"))
    }
    return verdicts
  }

  /// What the gate can detect with this many items, for people who rely on it; `nil` if there are enough items.
  public func warning(for total: Int) -> String? {
    guard (1..<Self.fewItems).contains(total) else { return nil }
    let least = 6  // The fewest lost items, with none won, whose p-value is below 0.05.
    let points = total < least ? "" : " (\(Figures.points(Double(least) / Double(total))) points)"
    return
      "only \(Figures.items(total)): a loss of fewer than \(least)\(points) cannot be told from noise, so the gate fails on every net loss"
      + (tolerance > 0 ? " beyond --tolerance" : "; --tolerance allows a loss, --strict allows none")
  }

  private func judge(_ floor: Floor, _ evaluation: Evaluation) -> Verdict {
    let value = floor.metric.value(in: evaluation)
    let isPassed = value.map { $0 >= floor.least - Self.rounding } ?? false
    return Verdict(
      name: floor.metric.name, isPassed: isPassed,
      detail: (floor.metric.measure.map { "\($0) is " } ?? "")
        + "\(Self.percent(value, isPassed: isPassed, floor.least)), at least \(Self.percent(floor.least)) required"
        + (isPassed ? "" : floor.metric.option.map { "; \($0) lists what is wrong there" } ?? ""))
  }

  private static func percent(_ floor: Double) -> String { Figures.percent(floor, decimals: Figures.decimals(of: floor)) }

  /// A score with as many decimals as its floor, and more where one that failed would look as if it had not.
  private static func percent(_ value: Double?, isPassed: Bool, _ floor: Double) -> String {
    guard let value else { return Figures.undefined }
    let wanted = Figures.decimals(of: floor)
    func text(_ decimals: Int) -> String { Figures.percent(value, decimals: decimals) }
    if isPassed { return text(wanted) }
    let decimals = (wanted...6).first { text($0) != Figures.percent(floor, decimals: $0) } ?? 6
    return text(decimals)
  }
}

extension Gate.Metric {
  /// The option that evaluates nothing but the items that the score is of.
  fileprivate var option: String? {
    switch self {
    case .split(let name): "--split \(name)"
    case .tag(let name): "--tag \(name)"
    case .accuracy, .macroF1, .placed, .section, .recall: nil
    }
  }

  /// The score; `nil` if it is undefined.
  public func value(in evaluation: Evaluation) -> Double? {
    switch self {
    case .accuracy: evaluation.metrics.accuracy.value
    case .macroF1: evaluation.metrics.macroF1
    case .placed: evaluation.metrics.unplaced.value.map { 1 - $0 }
    case .split(let name): evaluation.splits.first { $0.split.name == name }?.metrics.accuracy.value
    case .tag(let name): evaluation.tags.first { $0.tag == name }?.accuracy.value
    case .section(let name): evaluation.metrics.sections.first { $0.name == name }?.f1
    case .recall(let name): evaluation.metrics.sections.first { $0.name == name }?.recall
    }
  }
}
