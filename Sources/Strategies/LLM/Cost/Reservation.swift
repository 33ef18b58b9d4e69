/// What one request can take at most, which is set aside before it is sent, and what it took by its answer.
///
/// The bounds come from bytes and from what the request itself allows. A token stands for at least one byte, so a text has no more tokens
/// than bytes; beside it APIs add words of their own, for tools above all. `TokenGauge` brings the bound of what is sent closer to the
/// truth, by what earlier requests took.
struct Reservation: Sendable, Hashable {
  /// The most tokens sent, by what is known.
  private(set) var input: Int
  /// The most tokens sent, whatever the server makes of the bytes.
  let mostInput: Int
  /// The most tokens received: what the request allows.
  let output: Int
  /// The price; `nil` where none is known.
  let price: ModelPrice?
  /// The bytes of its body, without a photo.
  let textBytes: Int
  /// What it has in common with other requests; `nil` where there are no others.
  let frame: RequestFrame?
  /// Whether `input` comes from what other requests took.
  private(set) var isMeasured = false

  /// The most tokens that an API adds to what it is sent: Anthropic's words about tools are 313 to 804 tokens
  /// (docs.anthropic.com, "Tool use", pricing).
  private static let added = 1_024
  /// How many bytes of a request a token stands for at most, on average. English is 4 to 5; names of fields, which some servers do not
  /// show the model, make the rest.
  private static let sentBytesPerToken = 16
  /// The same of what a model writes, which is all text.
  private static let writtenBytesPerToken = 8

  /// Reckons the bounds of a request.
  ///
  /// - Parameters:
  ///   - textBytes: The bytes of its body, without a photo.
  ///   - frame: What it has in common with other requests of the run.
  ///   - photoTokens: The most tokens of its photo.
  ///   - answerTokens: The most tokens of the answer, as the request says.
  init(textBytes: Int, frame: RequestFrame? = nil, photoTokens: Int = 0, answerTokens: Int, price: ModelPrice?) {
    mostInput = textBytes + photoTokens + Self.added
    input = mostInput
    output = answerTokens
    self.textBytes = textBytes
    self.frame = frame
    self.price = price
  }

  /// The same request with a closer bound of what is sent.
  func bounded(to input: Int, isMeasured: Bool) -> Reservation {
    var reservation = self
    reservation.input = min(input, mostInput)
    reservation.isMeasured = isMeasured
    return reservation
  }

  /// The same request by its bytes alone.
  var byBytes: Reservation { bounded(to: mostInput, isMeasured: false) }

  /// The most tokens.
  var tokens: Int { input + output }

  /// The most that it can cost, in US dollars; 0 where no price is known.
  var dollars: Double { dollars(sent: input) + dollars(received: output) }

  /// What it took, by its answer: what the server says, where that can be; else the most that it can be.
  ///
  /// A claim of fewer tokens than the bytes can be made of is none; one of more than was set aside counts in full.
  func charge(for claim: UsageClaim = UsageClaim()) -> Charge {
    // The fewest tokens that what is sent can be.
    let leastInput = textBytes / Self.sentBytesPerToken
    let sent = claim.sent.flatMap { $0.input >= leastInput ? $0 : nil }
    let leastOutput = claim.answerBytes / Self.writtenBytesPerToken
    let received = claim.output.flatMap { $0 >= leastOutput ? $0 : nil }
    let unsaid = isMeasured ? input : mostInput
    var charge = Charge(tokens: sent ?? TokenUsage(plainInput: unsaid), isEstimate: sent == nil || received == nil)
    charge.isSentKnown = sent != nil
    charge.tokens.output = received ?? max(output, leastOutput)
    let spent = (sent.flatMap { price?.dollars(for: $0) } ?? dollars(sent: unsaid)) + dollars(received: charge.tokens.output)
    if price != nil { charge.dollars = spent }
    charge.isExcessive =
      charge.tokens.total > TokenUsage.sum(mostInput, output) || spent > dollars(sent: mostInput) + dollars(received: output)
    return charge
  }

  private func dollars(sent count: Int) -> Double {
    price.map { Double(count) * max($0.input, $0.cacheWrite, $0.cacheRead) / 1_000_000 } ?? 0
  }

  private func dollars(received count: Int) -> Double { price.map { Double(count) * $0.output / 1_000_000 } ?? 0 }
}
