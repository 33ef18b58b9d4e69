import AisleCore
import HTTPTransport
import Synchronization

/// Asks a model about the items of one request, and checks what it answers.
final class Questioner: Sendable {
  private let key: Secret?
  private let price: ModelPrice?
  private let prompt: Prompt
  private let check: AnswerCheck
  private let client: ModelClient
  /// How the API is spoken: as it should be, until the server shows that it does not know that form.
  private let dialect: Mutex<any Dialect>

  init(_ settings: ModelSettings, _ prompt: Prompt, fallback: String, _ client: ModelClient) {
    key = settings.key
    price = settings.price
    self.prompt = prompt
    self.client = client
    dialect = Mutex(settings.dialect(prompt, fallback: fallback))
    check = AnswerCheck(prompt, hiding: settings.key)
  }

  /// The answers, in order. What goes wrong is an abstention.
  func ask(_ questions: [Question]) async -> [ModelAnswer] {
    do {
      let dialect = dialect.withLock { $0 }
      do {
        return check.answers(try await client.send(call(questions, dialect)), to: questions)
      } catch ModelClient.Refusal.otherForm {
        guard let other = dialect.alternative else { throw ModelClient.Refusal.failed }
        self.dialect.withLock { $0 = other }
        return check.answers(try await client.send(call(questions, other)), to: questions)
      }
    } catch {
      let isCapped = if case ModelClient.Refusal.capped? = error as? ModelClient.Refusal { true } else { false }
      return questions.map { _ in .none(isCapped ? .capped : .failed) }
    }
  }

  private func call(_ questions: [Question], _ dialect: any Dialect) -> ModelClient.Call<Reply> {
    let hasAlternative = dialect.alternative != nil
    let body = dialect.body(questions).bytes
    return ModelClient.Call(
      purpose: prompt.task.rawValue, items: questions.count, path: dialect.path, headers: dialect.headers(key),
      body: body,
      reservation: Reservation(
        textBytes: body.count, frame: dialect.frame(questions.count), answerTokens: prompt.answerTokens(questions.count),
        price: price),
      sizeRemedy: questions.count > 1 ? "ask about fewer items at a time: --llm-batch \(questions.count / 2)" : "",
      read: { body throws(ModelFailure) in
        let reply = try dialect.reply(body, to: questions)
        return (reply, reply.claim)
      }, fault: { dialect.fault($0) }, isOfForm: { hasAlternative && OpenAIDialect.isOfForm($0) })
  }
}
