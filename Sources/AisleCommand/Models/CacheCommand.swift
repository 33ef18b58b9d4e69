import AisleCatalog
import AisleCore
import AisleReporting
import ArgumentParser
import LearnedStrategy
import LLMStrategy

struct CacheCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache", abstract: "Manage kept answers of language models, so that nothing is asked twice.",
    discussion: """
      Answers are kept by API, model, prompt version, sections, and item, in the corrections file.

      Examples:
        aisle llm cache list
        aisle llm cache prune --older-than 90
        aisle llm cache export > answers.jsonl
        aisle llm cache import answers.jsonl
      """, subcommands: [ListAnswers.self, PruneAnswers.self, ExportAnswers.self, ImportAnswers.self],
    defaultSubcommand: ListAnswers.self)
}

struct ListAnswers: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the kept answers.",
    discussion: """
      Prints one line per group of answers: the API, the model, the task, the prompt version, the fingerprint of the sections, \
      whether the model could propose new sections, the number of answers, and the times of the first and last one. With --items, \
      prints one line per answer: the item, its section before, the answer, the model, and the time. In a pipe, columns are \
      separated by tabs.

      Examples:
        aisle llm cache list
        aisle llm cache list --items

      Exit codes: 0 done; 2 the file cannot be read; 64 usage.
      """)

  @Flag(help: "List each answer.")
  var items = false

  @OptionGroup var options: CorrectionStoreOptions

  @MainActor
  func run() async throws {
    let store = try options.openIfThere()
    if items {
      try store?.forEachAnswerGroup { answers in
        try TextTable.write(
          answers.map { answer in
            [
              answer.question.item, answer.question.present, answer.section ?? "", answer.source.name,
              Timestamp.text(answer.time),
            ].map(Style.visible)
          })
      }
      return
    }
    let summaries = try store?.answerSummaries() ?? []
    try TextTable.write(
      summaries.map { summary in
        let source = summary.source
        return [
          source.provider, source.model, source.task, "prompt \(source.prompt)", source.sections,
          source.allowsNewSections ? "new sections" : "", "\(summary.count)", Timestamp.text(summary.oldest),
          Timestamp.text(summary.newest),
        ].map(Style.visible)
      })
    if summaries.isEmpty { Descriptor.standardError.tell("no answers\n") }
  }
}

struct PruneAnswers: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune", abstract: "Forget kept answers; getting them again costs money.",
    discussion: """
      Without options, forgets the answers that this version of aisle cannot use because its prompt differs. With several options, \
      forgets only the answers that match all of them.

      Examples:
        aisle llm cache prune
        aisle llm cache prune --older-than 90
        aisle llm cache prune --model claude-haiku-4-5-20251001
        aisle llm cache prune --all

      Exit codes: 0 done; 2 the file cannot be written; 64 usage.
      """)

  @Option(help: ArgumentHelp("Only answers that are at least this many days old.", valueName: "days"))
  var olderThan: Int?

  @Option(help: ArgumentHelp("Only answers of this model.", valueName: "name"))
  var model: String?

  @Flag(help: "Forget all answers.")
  var all = false

  @OptionGroup var options: CorrectionStoreOptions

  func validate() throws {
    if let olderThan, !(0...36_500).contains(olderThan) {
      throw ValidationError("--older-than must be 0 to 36500 days, not \(olderThan).")
    }
    if all, olderThan != nil || model != nil { throw ValidationError("--all cannot be combined with --older-than or --model.") }
  }

  @MainActor
  func run() async throws {
    var selection = CorrectionStore.AnswerSelection(model: model)
    selection.before = olderThan.map { Timestamp.now - $0 * 86_400_000 }
    if !all, olderThan == nil, model == nil { selection.exceptPrompt = AnswerContext.currentPromptVersion }
    let count = try options.openIfThere() == nil ? 0 : try options.open(.writing).forgetAnswers(selection)
    Descriptor.standardError.tell("forgot \(counted(count, "answer"))\n")
  }
}

struct ExportAnswers: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the kept answers as JSON lines.",
    discussion: """
      `aisle llm cache import` restores them without loss. With them and --llm-cache only, an evaluation repeats exactly, without \
      a network or a key.

      Examples:
        aisle llm cache export > answers.jsonl

      Exit codes: 0 done; 2 the file cannot be read; 64 usage.
      """)

  @OptionGroup var options: CorrectionStoreOptions

  @MainActor
  func run() async throws {
    try options.openIfThere()?.forEachAnswerGroup { answers in
      let writer = JSONLineWriter()
      for answer in answers { AnswerLine.write(answer, to: writer) }
      try writer.write()
    }
  }
}

struct ImportAnswers: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import answers from JSON lines.",
    discussion: """
      Each line is an object as `aisle llm cache export` writes it. If two lines answer the same question, the newer answer is \
      kept. Either all lines are imported or none.

      Examples:
        aisle llm cache import answers.jsonl
        ssh ci cat answers.jsonl | aisle llm cache import -

      Exit codes: 0 done; 2 a line is wrong, or the file cannot be written; 64 usage.
      """)

  @Argument(help: "The file; `-` is standard input.", completion: .file(extensions: ["jsonl"]))
  var file: String

  @OptionGroup var options: CorrectionStoreOptions

  @MainActor
  func run() async throws {
    let answers = try JSONLines.read(file, AnswerLine.read)
    let outcome = try options.open(.writing).take(answers)
    Descriptor.standardError.tell("answers: \(outcome.summary)\n")
  }
}
