import Synchronization

/// Asks in smaller requests where a cap leaves no room for a full one, so that a cap is used up before items go without.
final class CappedAsker: Sendable {
  private let ledger: Ledger
  private let send: @Sendable ([Question]) async -> [ModelAnswer]
  /// Whether there was no room for a single item.
  private let isExhausted = Mutex(false)

  /// - Parameter send: Makes one request; gives an answer a question, in order.
  init(_ ledger: Ledger, send: @escaping @Sendable ([Question]) async -> [ModelAnswer]) {
    self.ledger = ledger
    self.send = send
  }

  /// The answers, in order.
  func ask(_ questions: [Question]) async -> [ModelAnswer] {
    var answers: [ModelAnswer] = []
    var size = questions.count
    while answers.count < questions.count, !isExhausted.withLock({ $0 }) {
      let part = Array(questions[answers.count...].prefix(size))
      let given = await send(part)
      if part.count > 1, given.allSatisfy({ $0 == .none(.capped) }) {
        size = part.count / 2
        continue
      }
      answers += given
      if given == [.none(.capped)] { isExhausted.withLock { $0 = true } }
    }
    answers += Array(repeating: .none(.capped), count: questions.count - answers.count)
    if answers.contains(.none(.capped)), let cap = ledger.current.cap {
      ledger.remark("\(cap); the remaining items are not asked about")
    }
    return answers
  }
}
