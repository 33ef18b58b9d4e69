import AisleCore

/// What an answer says that its request took. Servers err, leave it out and lie: `Reservation.charge` decides what of it counts.
struct UsageClaim: Sendable {
  /// Tokens sent; `nil` where the answer has no sound figure. Its `output` is 0.
  var sent: TokenUsage?
  /// Tokens received; `nil` where the answer has no sound figure.
  var output: Int?
  /// The bytes of what the model wrote, without what the API puts around it.
  var answerBytes = 0

  /// The most that is taken for a figure; a larger claim counts as this, so that sums of claims stay in range.
  static let most = 1_000_000_000_000

  /// A figure of an answer: a whole number from 0 on; `nil` for all else.
  static func figure(_ value: JSONValue?) -> Int? {
    guard case .number(let number) = value, number >= 0 else { return nil }
    if number >= Double(most) { return most }
    return value?.count
  }
}

/// What a request took, as it counts.
struct Charge: Sendable, Hashable {
  /// The tokens.
  var tokens = TokenUsage()
  /// What they cost in US dollars; `nil` where no price is known.
  var dollars: Double?
  /// Whether the server did not say, or not believably, so that the most that it can be is counted.
  var isEstimate = false
  /// Whether it is more than the request can have taken by the most that was set aside for it.
  var isExcessive = false
  /// Whether the server said, believably, what was sent.
  var isSentKnown = false
  /// Whether the server did not take the request.
  var isUntaken = false

  /// What a request costs that the server did not take.
  static func nothing(_ price: ModelPrice?) -> Charge { Charge(dollars: price.map { _ in 0 }, isUntaken: true) }
}
