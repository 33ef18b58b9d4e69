import AisleCore
import HTTPTransport
import Synchronization

/// Asks a model about items, and checks what it answers. What a request loses is asked again in smaller ones.
final class Questioner: Sendable {
  /// How many requests in a row may lose all their items before it is taken for the server's way rather than an item's fault. To find one bad
  /// item among 200 takes 9.
  private static let mostLost = 12

  private struct State {
    /// How the API is spoken: as it should be, until the server refuses the form of answers.
    var dialect: any Dialect
    /// Whether the server has answered, so that it is known which form it takes.
    var isKnown = false
    /// Whether the server loses whatever it is asked.
    var isHopeless = false
  }

  private let price: ModelPrice?
  private let prompt: Prompt
  private let check: AnswerCheck
  private let client: ModelClient
  private let host: String
  private let remark: @Sendable (String) -> Void
  private let state: Mutex<State>

  init(_ settings: ModelSettings, _ prompt: Prompt, fallback: String, _ client: ModelClient, _ ledger: Ledger) {
    price = settings.price
    host = settings.url.host
    self.prompt = prompt
    self.client = client
    remark = { ledger.remark($0) }
    state = Mutex(State(dialect: settings.dialect(fallback: fallback)))
    check = AnswerCheck(prompt, hiding: settings.key)
  }

  /// How many requests may be under way at once: one until it is known which form of answers the server takes.
  var room: Int { state.withLock { $0.isKnown } ? client.room : min(1, client.room) }

  /// The answers, in order. What goes wrong is an abstention.
  func ask(_ questions: [Question]) async -> [ModelAnswer] {
    var lost = state.withLock { $0.isHopeless } ? Self.mostLost : 0
    let answers = await ask(questions, isAgain: false, &lost)
    state.withLock { state in
      state.isKnown = true
      if answers.contains(where: { !$0.isLost }) {
        state.isHopeless = false
      } else if lost >= Self.mostLost {
        state.isHopeless = true
      }
    }
    return answers
  }

  /// Asks, and asks again about what is lost: in halves where that is all, else about it alone. Every request is smaller than the one before,
  /// so that n questions take at most 2n - 1.
  ///
  /// - Parameter lost: How many requests in a row have lost all their items.
  private func ask(_ questions: [Question], isAgain: Bool, _ lost: inout Int) async -> [ModelAnswer] {
    var answers = await askOnce(questions, isAgain: isAgain)
    let places = answers.indices.filter { answers[$0].isLost }
    guard let first = places.first else {
      lost = 0
      return answers
    }
    lost = places.count < questions.count ? 0 : lost + 1
    guard questions.count > 1, lost < Self.mostLost else { return answers }
    if case .none(let reason) = answers[first] { tell(reason) }
    let middle = places.count < questions.count ? 0 : places.count / 2
    for part in [places[..<middle], places[middle...]] where !part.isEmpty && lost < Self.mostLost {
      let again = await ask(part.map { questions[$0] }, isAgain: true, &lost)
      for (place, answer) in zip(part, again) { answers[place] = answer }
    }
    return answers
  }

  private func tell(_ reason: ModelAnswer.Abstention) {
    switch reason {
    case .refused: remark("\(host) refused a request; its items are asked about again in smaller ones")
    case .truncated: remark("\(host) cut an answer short; its items are asked about again in smaller requests")
    default: remark("\(host) left out or repeated items in an answer; they are asked about again")
    }
  }

  /// Makes one request, and the same in another form where the server refuses the form.
  private func askOnce(_ questions: [Question], isAgain: Bool) async -> [ModelAnswer] {
    var dialect = state.withLock { $0.dialect }
    var isAgain = isAgain
    while true {
      do {
        return check.answers(try await client.send(call(questions, dialect, isAgain: isAgain)), to: questions)
      } catch ModelClient.Refusal.otherForm {
        guard let other = dialect.alternative else { return questions.map { _ in .none(.failed) } }
        dialect = state.withLock { state in
          // Another request may have come further.
          if state.dialect.form.rawValue < other.form.rawValue { state.dialect = other }
          return state.dialect
        }
        isAgain = true
      } catch ModelClient.Refusal.filtered {
        return questions.map { _ in .none(.refused) }
      } catch ModelClient.Refusal.tooLarge {
        return questions.map { _ in .none(.truncated) }
      } catch ModelClient.Refusal.capped {
        return questions.map { _ in .none(.capped) }
      } catch {
        return questions.map { _ in .none(.failed) }
      }
    }
  }

  private func call(_ questions: [Question], _ dialect: any Dialect, isAgain: Bool) -> ModelClient.Call<Reply> {
    let body = dialect.body(prompt.inquiry(questions)).bytes
    return ModelClient.Call(
      purpose: prompt.task.rawValue, items: questions.count, isAgain: isAgain, path: dialect.path,
      headers: { dialect.headers($0) },
      body: body,
      reservation: Reservation(
        textBytes: body.count, frame: dialect.frame(prompt, questions.count), answerTokens: prompt.answerTokens(questions.count),
        price: price),
      sizeRemedy: questions.count > 1 ? "ask about fewer items at a time: --llm-batch \(questions.count / 2)" : "",
      read: { body throws(ModelFailure) in
        let reply = try Reply(dialect.ending(body, tool: Prompt.toolName))
        return (reply, reply.claim)
      }, fault: { dialect.fault($0) }, isOfForm: { dialect.alternative != nil && dialect.form.isRefused(by: $0) })
  }
}
