/// What a model's tokens cost, in US dollars a million.
public struct ModelPrice: Sendable, Hashable {
  /// Tokens sent.
  public var input: Double
  /// Tokens received.
  public var output: Double
  /// Tokens sent that the provider had kept.
  public var cacheRead: Double
  /// Tokens sent that the provider keeps.
  public var cacheWrite: Double

  /// Makes a price.
  public init(input: Double, output: Double, cacheRead: Double, cacheWrite: Double) {
    self.input = input
    self.output = output
    self.cacheRead = cacheRead
    self.cacheWrite = cacheWrite
  }

  /// What a number of tokens costs, in US dollars.
  public func dollars(for tokens: TokenUsage) -> Double {
    (Double(tokens.plainInput) * input + Double(tokens.output) * output + Double(tokens.cacheRead) * cacheRead
      + Double(tokens.cacheWrite) * cacheWrite) / 1_000_000
  }
}

/// How many tokens a request took.
public struct TokenUsage: Sendable, Hashable {
  /// Tokens sent, but for those below.
  public var plainInput = 0
  /// Tokens sent that the provider had kept.
  public var cacheRead = 0
  /// Tokens sent that the provider keeps.
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
  public var input: Int { plainInput + cacheRead + cacheWrite }

  /// All tokens.
  public var total: Int { input + output }

  static func + (left: TokenUsage, right: TokenUsage) -> TokenUsage {
    TokenUsage(
      plainInput: left.plainInput + right.plainInput, cacheRead: left.cacheRead + right.cacheRead,
      cacheWrite: left.cacheWrite + right.cacheWrite, output: left.output + right.output)
  }
}
