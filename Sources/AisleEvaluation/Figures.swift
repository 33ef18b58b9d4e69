/// Formats numbers the same way everywhere; an undefined number is `n/a`.
public enum Figures {
  /// The text for an undefined number.
  public static let undefined = "n/a"

  /// A share in 0…1 as a percentage with one decimal: `98.1%`. Only 1 is written as 100.0%, and only 0 as 0.0%.
  public static func percent(_ value: Double?) -> String {
    guard let value else { return undefined }
    return percent(value, decimals: 1)
  }

  /// A share in 0…1 as a percentage with so many decimals.
  static func percent(_ value: Double, decimals: Int) -> String { fixed(guarded(value, decimals), decimals) + "%" }

  /// How many decimals, 1 to 6, a share in 0…1 has as a percentage.
  static func decimals(of value: Double) -> Int {
    (1..<6).first { abs((100 * value * power($0)).rounded() / power($0) - 100 * value) < 1e-9 } ?? 6
  }

  /// An interval of shares as percentages: `96.5–99.0%`.
  public static func percent(_ interval: ClosedRange<Double>?) -> String {
    guard let interval else { return undefined }
    return "\(fixed(100 * interval.lowerBound, 1))–\(fixed(100 * interval.upperBound, 1))%"
  }

  /// A difference of shares in percentage points, without its sign: `1.2`. A small difference gets as many decimals as it needs.
  public static func points(_ value: Double) -> String {
    let points = abs(value) * 100
    return fixed(points, points == 0 || points >= 0.095 ? 1 : points >= 0.0095 ? 2 : 3)
  }

  /// A difference of shares in percentage points with its sign: `+1.2`, `−0.3`.
  public static func signedPoints(_ value: Double?) -> String {
    guard let value else { return undefined }
    return (value > 0 ? "+" : value < 0 ? "−" : "±") + points(value)
  }

  /// An interval of differences: `−1.8 to −0.6`.
  public static func signedPoints(_ interval: ClosedRange<Double>?) -> String {
    guard let interval else { return undefined }
    return "\(signedPoints(interval.lowerBound)) to \(signedPoints(interval.upperBound))"
  }

  /// A p-value: `p = 0.031`, `p < 0.001`.
  public static func pValue(_ value: Double) -> String { value < 0.001 ? "p < 0.001" : "p = \(fixed(value, 3))" }

  /// A score in 0…1 with three decimals: `0.981`.
  public static func score(_ value: Double?) -> String { value.map { fixed($0, 3) } ?? undefined }

  /// A number of items: `1 item`, `1,234 items`.
  public static func items(_ value: Int) -> String { count(value, "item") }

  /// A number with what it counts: `1 line`, `1,234 lines`.
  public static func count(_ value: Int, _ noun: String) -> String { "\(count(value)) \(noun)\(value == 1 ? "" : "s")" }

  /// A number with thousands separators: `1,234`.
  public static func count(_ value: Int) -> String {
    let digits = Array(String(value.magnitude))
    var text = value < 0 ? "−" : ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }

  /// An amount of US dollars: `$0.0123`.
  public static func dollars(_ value: Double?) -> String {
    guard let value else { return undefined }
    return "$" + fixed(value, value == 0 || value >= 1 ? 2 : 4)
  }

  /// A time: `3.1 ms`, `1.25 s`.
  public static func time(_ seconds: Double) -> String {
    if seconds < 0.001 { return "\(fixed(seconds * 1e6, 0)) µs" }
    return seconds < 1 ? "\(fixed(seconds * 1e3, 1)) ms" : "\(fixed(seconds, 2)) s"
  }

  /// A number with a given number of decimals, rounded half away from zero.
  public static func fixed(_ value: Double, _ decimals: Int) -> String {
    let scale = power(decimals)
    guard abs(value) * scale < 1e15 else { return "\(value)" }
    let scaled = Int((abs(value) * scale).rounded())
    let sign = value < 0 && scaled > 0 ? "−" : ""
    if decimals == 0 { return sign + String(scaled) }
    let fraction = String(scaled % Int(scale))
    return "\(sign)\(scaled / Int(scale)).\(String(repeating: "0", count: decimals - fraction.count))\(fraction)"
  }

  /// A percentage that does not round to all or nothing unless it is.
  private static func guarded(_ share: Double, _ decimals: Int) -> Double {
    let least = 1 / power(decimals)
    return share > 0 && share < 1 ? min(max(100 * share, least), 100 - least) : 100 * share
  }

  /// Ten to the power of so many decimals, at most 6.
  private static func power(_ decimals: Int) -> Double {
    [1.0, 10, 100, 1000, 10_000, 100_000, 1_000_000][min(max(decimals, 0), 6)]
  }
}
