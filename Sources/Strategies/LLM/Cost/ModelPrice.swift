/// The price of a model's tokens, in US dollars per million.
public struct ModelPrice: Sendable, Hashable {
  /// Tokens sent.
  public var input: Double
  /// Tokens received.
  public var output: Double
  /// Tokens sent that the provider had cached.
  public var cacheRead: Double
  /// Tokens sent that the provider caches.
  public var cacheWrite: Double

  /// Makes a price.
  public init(input: Double, output: Double, cacheRead: Double, cacheWrite: Double) {
    self.input = input
    self.output = output
    self.cacheRead = cacheRead
    self.cacheWrite = cacheWrite
  }

  /// The cost of a number of tokens, in US dollars.
  public func dollars(for tokens: TokenUsage) -> Double {
    (Double(tokens.plainInput) * input + Double(tokens.output) * output + Double(tokens.cacheRead) * cacheRead
      + Double(tokens.cacheWrite) * cacheWrite) / 1_000_000
  }

  /// This price at a part of it.
  func times(_ part: Double) -> ModelPrice {
    ModelPrice(input: input * part, output: output * part, cacheRead: cacheRead * part, cacheWrite: cacheWrite * part)
  }

  /// An amount in US dollars with two decimals, or with two significant digits: `12.30`, `0.0051`.
  public static func text(dollars amount: Double) -> String {
    var decimals = 2
    var unit = 0.1
    while amount > 0, amount < unit, decimals < 8 {
      unit /= 10
      decimals += 1
    }
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int(min(amount * Double(scale), 1e18).rounded())
    let fraction = String(scaled % scale)
    return "\(scaled / scale).\(String(repeating: "0", count: decimals - fraction.count))\(fraction)"
  }
}

/// How many tokens a request used.
public struct TokenUsage: Sendable, Hashable {
  /// Tokens sent, except for those below.
  public var plainInput = 0
  /// Tokens sent that the provider had cached.
  public var cacheRead = 0
  /// Tokens sent that the provider caches.
  public var cacheWrite = 0
  /// Tokens received.
  public var output = 0

  /// Makes a usage.
  public init(plainInput: Int = 0, cacheRead: Int = 0, cacheWrite: Int = 0, output: Int = 0) {
    self.plainInput = plainInput
    self.cacheRead = cacheRead
    self.cacheWrite = cacheWrite
    self.output = output
  }

  /// All tokens sent.
  public var input: Int { Self.sum(plainInput, Self.sum(cacheRead, cacheWrite)) }

  /// All tokens.
  public var total: Int { Self.sum(input, output) }

  /// The sum of two usages.
  public static func + (left: TokenUsage, right: TokenUsage) -> TokenUsage {
    TokenUsage(
      plainInput: sum(left.plainInput, right.plainInput), cacheRead: sum(left.cacheRead, right.cacheRead),
      cacheWrite: sum(left.cacheWrite, right.cacheWrite), output: sum(left.output, right.output))
  }

  /// A sum that stays in range: figures come from servers.
  static func sum(_ left: Int, _ right: Int) -> Int {
    let (sum, isTooLarge) = left.addingReportingOverflow(right)
    return isTooLarge ? .max : sum
  }
}
