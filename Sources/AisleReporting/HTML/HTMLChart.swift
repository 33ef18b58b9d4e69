import AisleEvaluation

/// Small drawings of figures, as SVG. The figures themselves always stand beside them in a table.
enum HTMLChart {
  /// A bar for a share in 0…1; nothing where it is not defined.
  static func bar(_ share: Double?, hue: String?) -> Markup {
    guard let share else { return "" }
    return """
      <svg class="bar \(hue ?? "")" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">\
      <rect class="track" width="100" height="4"/><rect class="fill" width="\(number(100 * share))" height="4"/></svg>
      """
  }

  /// A share with its interval on a scale of 0 to 1.
  ///
  /// - Parameter mark: A share to compare with.
  static func interval(_ share: Proportion, mark: Double?) -> Markup {
    guard let value = share.value, let interval = share.interval else { return "" }
    let line: Markup = mark.map { "<rect class=\"mark\" x=\"\(number(100 * $0 - 0.25))\" width=\"0.5\" height=\"12\"/>" } ?? ""
    let (low, high) = (100 * interval.lowerBound, 100 * interval.upperBound)
    return """
      <svg class="interval" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">\
      <rect class="track" y="5" width="100" height="2"/>\
      <rect class="range" x="\(number(low))" y="3" width="\(number(high - low))" height="6"/>\(line)\
      <rect class="point" x="\(number(min(max(100 * value - 0.4, 0), 99.2)))" width="0.8" height="12"/></svg>
      """
  }

  /// Right answers over confidence, with intervals, and how many answers have each confidence.
  static func calibration(_ calibration: Calibration) -> Markup {
    let bins = calibration.bins.filter { $0.count > 0 }
    let most = Double(bins.map(\.count).max() ?? 1)
    let points = bins.map { bin in
      let x = across(bin.confidence ?? 0)
      let interval = bin.accuracy.interval ?? 0...0
      return """
        <path class="whisker" d="M\(number(x)) \(number(down(interval.lowerBound)))V\(number(down(interval.upperBound)))"/>\
        <circle class="dot" cx="\(number(x))" cy="\(number(down(bin.accuracy.value ?? 0)))" \
        r="\(number(3 + 4 * (Double(bin.count) / most).squareRoot()))"/>

        """ as Markup
    }
    let bars = bins.map { bin in
      let height = 40 * Double(bin.count) / most
      return """
        <rect class="fill" x="\(number(across(bin.range.lowerBound) + 1))" y="\(number(310 - height))" width="24" \
        height="\(number(height))"/>

        """ as Markup
    }
    let lines = stride(from: 0.0, through: 1, by: 0.25).map { share in
      """
      <path class="grid" d="M40 \(number(down(share)))H300M\(number(across(share))) 10V250"/>\
      <text x="34" y="\(number(down(share) + 4))" text-anchor="end">\(Figures.fixed(100 * share, 0))</text>\
      <text x="\(number(across(share)))" y="326" text-anchor="middle">\(Figures.fixed(share, 2))</text>

      """ as Markup
    }
    return """
      <svg class="plot" viewBox="0 0 316 348" role="img" aria-labelledby="plot-title plot-text">
      <title id="plot-title">Calibration plot</title>
      <desc id="plot-text">\(description(bins))</desc>
      \(lines)<path class="ideal" d="M40 250L300 10"/>
      \(points)\(bars)<text x="170" y="344" text-anchor="middle">confidence</text>
      <text x="-130" y="10" text-anchor="middle" transform="rotate(-90)">right, %</text>
      </svg>

      """
  }

  private static func description(_ bins: [Calibration.Bin]) -> String {
    let points = bins.map { bin in
      "of \(Figures.count(bin.count)) with a mean confidence of \(Figures.percent(bin.confidence)), "
        + "\(Figures.percent(bin.accuracy.value)) are right"
    }
    return points.joined(separator: "; ") + ". The table has these figures too."
  }

  private static func across(_ share: Double) -> Double { 40 + 260 * share }
  private static func down(_ share: Double) -> Double { 250 - 240 * share }

  /// A coordinate: never negative but for rounding.
  private static func number(_ value: Double) -> String { Figures.fixed(max(value, 0), 2) }
}
