package import LearnedStrategy
package import LLMStrategy

extension AnswerContext {
  /// Who answers: the model, or the API where the server chooses one.
  package var name: String { model.isEmpty ? provider.rawValue : model }
}

extension KeptAnswer.Source {
  /// Who answered: the model, or the API where the server chose one.
  package var name: String { model.isEmpty ? provider : model }
}
