package import AisleCore
package import LearnedStrategy
import LLMStrategy

/// A kept answer of a language model as a line of JSON.
package enum AnswerLine {
  private static let fields = [
    "task", "provider", "model", "prompt", "sections", "item", "present", "section", "proposed", "may-propose", "time",
  ]

  package static func read(_ line: JSONFields) throws(JSONFault) -> KeptAnswer {
    try line.allow(fields)
    let written = try line.text("time")
    guard let time = Timestamp.milliseconds(written) else {
      throw JSONFault(message: "field `time`: `\(written)` must have the form 2026-11-21T16:03:42Z or 2026-11-21T16:03:42.125Z")
    }
    let (task, provider, sections) = (try line.text("task"), try line.text("provider"), try line.text("sections"))
    if ModelTask(rawValue: task) == nil { throw JSONFault(message: "no task `\(task)`; use categorize or check") }
    if ModelProvider(rawValue: provider) == nil {
      throw JSONFault(
        message: "no provider `\(provider)`; use one of \(ModelProvider.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    guard sections.utf8.count == 16, sections.allSatisfy(\.isHexDigit) else {
      throw JSONFault(message: "field `sections` must have 16 hexadecimal digits")
    }
    guard let prompt = try line.optionalNumber("prompt"), let version = Int(exactly: prompt), (1...1_000_000).contains(version)
    else { throw JSONFault(message: "field `prompt` must be a version number, 1 or more") }
    let (section, proposed) = (try line.optionalText("section"), try line.optionalText("proposed"))
    if section != nil, proposed != nil { throw JSONFault(message: "fields `section` and `proposed` cannot both be present") }
    let mayPropose = try line.optionalText("may-propose") ?? "no"
    guard ["yes", "no"].contains(mayPropose) else { throw JSONFault(message: "field `may-propose` must be yes or no") }
    let item = try line.text("item")
    if Normalizer.normalize(item) != item, !Normalizer.normalize(item).isEmpty {
      throw JSONFault(message: "item `\(item)` is not in normalized form; write `\(Normalizer.normalize(item))`")
    }
    return KeptAnswer(
      source: .init(
        task: task, provider: provider, model: try line.optionalText("model") ?? "", prompt: version, sections: sections,
        allowsNewSections: mayPropose == "yes"),
      question: .init(item, present: try line.optionalText("present") ?? ""), section: section ?? proposed,
      isNew: proposed != nil,
      time: time)
  }

  package static func write(_ answer: KeptAnswer, to writer: JSONLineWriter) {
    let source = answer.source
    writer.add([
      ("task", .text(source.task)), ("provider", .text(source.provider)),
      ("model", source.model.isEmpty ? nil : .text(source.model)), ("prompt", .whole(source.prompt)),
      ("sections", .text(source.sections)), ("may-propose", source.allowsNewSections ? .text("yes") : nil),
      ("item", .text(answer.question.item)), ("present", answer.question.present.isEmpty ? nil : .text(answer.question.present)),
      (answer.isNew ? "proposed" : "section", answer.section.map { .text($0) }), ("time", .text(Timestamp.text(answer.time))),
    ])
  }
}
