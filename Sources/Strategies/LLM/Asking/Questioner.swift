import AisleCore
import HTTPTransport

/// Asks a model about the items of one request, and checks what it answers.
struct Questioner: Sendable {
  private let key: Secret?
  private let prompt: Prompt
  private let dialect: any Dialect
  private let check: AnswerCheck
  private let client: ModelClient

  init(_ settings: ModelSettings, _ prompt: Prompt, fallback: String, _ client: ModelClient) {
    key = settings.key
    self.prompt = prompt
    self.client = client
    dialect = settings.dialect(prompt, fallback: fallback)
    check = AnswerCheck(prompt)
  }

  /// The answers, in order. What goes wrong is an abstention.
  func ask(_ questions: [Question]) async -> [ModelAnswer] {
    let call = ModelClient.Call<Reply>(
      purpose: "categorize", items: questions.count, path: dialect.path, headers: dialect.headers(key),
      body: dialect.body(questions).bytes, answerTokens: prompt.answerTokens(questions.count),
      read: { [dialect] body throws(ModelFailure) in
        let reply = try dialect.reply(body, to: questions)
        return (reply, reply.tokens)
      }, fault: { [dialect] in dialect.fault($0) })
    do {
      return check.answers(try await client.send(call), to: questions)
    } catch {
      let reason: ModelAnswer.Abstention = error as? ModelClient.Refusal == .capped ? .capped : .failed
      return questions.map { _ in .none(reason) }
    }
  }
}
