/// How many tokens requests can take, by what earlier requests of the run took.
///
/// Two requests about as many items differ in the items' text alone. So the second takes at most what the first took, and one token for
/// each byte of its own items: that holds for any tokenizer.
struct TokenGauge: Sendable {
  private enum Knowledge {
    /// No request has ended yet.
    case none
    /// The fewest tokens that requests took, by the bytes of their frames.
    case measured([Int: Int])
    /// The server does not say what requests took: bytes count.
    case silent
    /// The server has counted the same text in two ways, so that none of its figures says what comes next: bytes count.
    case fickle
  }

  private var knowledge = Knowledge.none

  /// The request with the bound of what is sent, by what is known.
  func bounding(_ reservation: Reservation) -> Reservation {
    guard let frame = reservation.frame else { return reservation }
    let items = reservation.textBytes - frame.bytes
    switch knowledge {
    case .none: return reservation.bounded(to: frame.tokens + items, isMeasured: false)
    case .measured(let tokens):
      let known = tokens.map { $1 + max(0, frame.bytes - $0) }.min() ?? frame.tokens
      return reservation.bounded(to: known + items, isMeasured: true)
    case .silent, .fickle: return reservation
    }
  }

  /// Learns from what a request took.
  mutating func learn(_ reservation: Reservation, _ charge: Charge) {
    guard let frame = reservation.frame, !charge.isUntaken else { return }
    let taken = charge.isSentKnown ? charge.tokens.input : nil
    switch (knowledge, taken) {
    case (.fickle, _), (.measured, nil), (.silent, nil): break
    case (.none, nil): knowledge = .silent
    case (.none, let taken?), (.silent, let taken?): knowledge = .measured([frame.bytes: taken])
    case (.measured(var tokens), let taken?):
      if reservation.isMeasured, taken > reservation.input {
        knowledge = .fickle
      } else {
        tokens[frame.bytes] = min(tokens[frame.bytes] ?? .max, taken)
        knowledge = .measured(tokens)
      }
    }
  }
}
