import AisleCore
import HTTPTransport

/// Checks what a model answered: nothing of it is believed.
struct AnswerCheck: Sendable {
  private let names: [String: String]
  private let allowsNewSections: Bool
  /// The key, which a server could name a section after.
  private let key: Secret?

  init(_ prompt: Prompt, hiding key: Secret?) {
    self.key = key
    names = Dictionary((prompt.sections.map { ($0, $0) } + prompt.sections.map { (Self.folded($0), $0) })) { first, _ in first }
    allowsNewSections = prompt.allowsNewSections
  }

  /// The answers to the questions of a request, in their order.
  func answers(_ reply: Reply, to questions: [Question]) -> [ModelAnswer] {
    switch reply.outcome {
    case .refused: return questions.map { _ in .none(.refused) }
    case .truncated: return questions.map { _ in .none(.truncated) }
    case .complete: break
    }
    var given: [String: [String]] = [:]
    for item in reply.items { given[item.id, default: []].append(item.section) }
    return questions.indices.map { place in
      guard let sections = given[Question.id(place)] else { return .none(.missing) }
      guard sections.count == 1 else { return .none(.repeated) }
      return answer(sections[0])
    }
  }

  private func answer(_ section: String) -> ModelAnswer {
    if section.utf8.count <= 100, !section.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      // The name of a section may itself end like a guess.
      if let known = names[section] ?? (section.hasSuffix(Prompt.guessMark) ? nil : names[Self.folded(section)]) {
        return .section(known)
      }
      if section.hasSuffix(Prompt.guessMark), let known = names[Self.folded(String(section.dropLast()))] { return .guess(known) }
    }
    guard allowsNewSections, Self.isName(section), key?.hidden(in: section) ?? section == section else { return .none(.offList) }
    return .newSection(section)
  }

  /// Case, `&` and punctuation make no difference.
  private static func folded(_ name: String) -> String {
    let normalized = Normalizer.normalize(name)
    return normalized.isEmpty ? name : normalized
  }

  private static let smallWords: Set<String> = ["and", "of", "for", "the", "&", "or"]

  /// Whether a text can be the name of a section: one to four words in Title Case, at most 40 bytes.
  static func isName(_ text: String) -> Bool {
    guard (2...40).contains(text.utf8.count) else { return false }
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard (1...4).contains(words.count), words.first.map({ !smallWords.contains(String($0)) }) == true else { return false }
    return words.allSatisfy { word in
      if smallWords.contains(String(word)) { return true }
      guard let first = word.unicodeScalars.first, first.properties.isUppercase || first.properties.numericType != nil else {
        return false
      }
      return word.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || $0.properties.numericType != nil || "-'’/&".unicodeScalars.contains($0)
      }
    }
  }
}
