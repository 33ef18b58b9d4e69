import AisleCatalog
import AisleCore
import AisleFiles
public import ArgumentParser
public import LLMStrategy

extension ModelChoice: ExpressibleByArgument {}
extension ModelSettings.CacheUse: ExpressibleByArgument {}
extension Effort: ExpressibleByArgument {}

/// The options that say which language model is asked about what is left, and how much it may cost.
struct ModelFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Ask a language model about undecided items: anthropic, openai, proxy, or off.",
      discussion: """
        openai also covers Ollama, llama.cpp, and vLLM, at their --llm-url. Default: $AISLE_LLM, then the configuration, then off. \
        The key is read from $AISLE_LLM_KEY, or from $ANTHROPIC_API_KEY or $OPENAI_API_KEY.
        """, valueName: "api"))
  var llm: ModelChoice?

  @Option(help: ArgumentHelp("The model (default: the API's small model).", valueName: "name"))
  var llmModel: String?

  @Option(
    name: .customLong("llm-url"),
    help: ArgumentHelp("The server's address (default: $AISLE_LLM_URL, then the API's own address).", valueName: "url"))
  var llmURL: String?

  @Option(
    help: ArgumentHelp("A file with the key, readable only by you (default: $AISLE_LLM_KEY_FILE).", valueName: "file"),
    completion: .file())
  var llmKeyFile: String?

  @Option(help: ArgumentHelp("The most items in a request, 1 to 200 (default: 40).", valueName: "count"))
  var llmBatch: Int?

  @Option(help: ArgumentHelp("The most requests at once, 1 to 64 (default: 4).", valueName: "count"))
  var llmParallel: Int?

  @Option(
    help: ArgumentHelp(
      "How much a reasoning model reasons: none, minimal, low, medium, high, xhigh, or max.",
      discussion: "Reasoning tokens cost as much as answer tokens. Default: what `aisle llm prices` says of the model.",
      valueName: "how"))
  var llmEffort: Effort?

  @Option(help: ArgumentHelp("The time limit for a request (default: 60).", valueName: "seconds"))
  var llmTimeout: Double?

  @Option(
    help: ArgumentHelp(
      "Kept answers from earlier runs: use, refresh, only, or off (default: use).",
      discussion: "refresh asks again; only uses kept answers and makes no requests, so a run costs nothing and repeats exactly.",
      valueName: "how"))
  var llmCache: ModelSettings.CacheUse?

  @Option(
    help: ArgumentHelp("A file with lines that override those of `aisle llm prices`.", valueName: "file"), completion: .file()
  )
  var llmPrices: String?

  @Flag(help: "Let the model propose sections that the store does not have.")
  var newSections = false

  @Option(help: ArgumentHelp("Send at most this many requests; the remaining items stay undecided.", valueName: "count"))
  var maxRequests: Int?

  @Option(help: ArgumentHelp("Use at most this many tokens.", valueName: "count"))
  var maxTokens: Int?

  @Option(help: ArgumentHelp("Spend at most this much.", valueName: "dollars"))
  var maxCost: Double?

  func validate() throws {
    func check<Number: Comparable>(_ value: Number?, _ range: ClosedRange<Number>, _ option: String, _ rule: String) throws {
      if let value, !range.contains(value) { throw ValidationError("\(option) must be \(rule), not \(value).") }
    }
    try check(llmBatch, 1...200, "--llm-batch", "1 to 200")
    try check(llmParallel, 1...64, "--llm-parallel", "1 to 64")
    try check(llmTimeout, 1...Configuration.longestTimeout, "--llm-timeout", "1 to 3600 seconds")
    try check(maxRequests, 0...Int.max, "--max-requests", "0 or more")
    try check(maxTokens, 0...Int.max, "--max-tokens", "0 or more")
    try check(maxCost, 0...1_000_000, "--max-cost", "0 or more")
  }

  /// Puts together what the command line, the environment and the configuration say.
  ///
  /// - Parameter options: What the command line says; `nil` of commands that do not take these options.
  /// - Throws: `FileError` for a file of prices; `Finding` for a line of it; `CommandFailure` for a variable.
  @MainActor
  static func settle(_ options: ModelFlags?, _ configuration: Configuration?) throws -> SettledModel {
    let environment = Environment.all
    let file = configuration?.model
    func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    var setup = AisleCommand.modelSetup
    setup.url = options?.llmURL ?? variable("AISLE_LLM_URL")
    if setup.url == nil, let url = file?.url {
      setup.url = url.value
      setup.untrustedURLOrigin = url.location.description
    }
    setup.keyFile = options?.llmKeyFile ?? variable("AISLE_LLM_KEY_FILE")
    setup.isKeyFileFromEnvironment = options?.llmKeyFile == nil
    setup.batchSize = options?.llmBatch ?? file?.batch?.value ?? setup.batchSize
    setup.concurrency = options?.llmParallel ?? file?.parallel?.value ?? setup.concurrency
    setup.timeout = options?.llmTimeout ?? file?.timeout?.value
    setup.allowsNewSections = options?.newSections == true || file?.newSections?.value == true
    setup.caps = .init(
      requests: options?.maxRequests ?? file?.maxRequests?.value, tokens: options?.maxTokens ?? file?.maxTokens?.value,
      dollars: options?.maxCost ?? file?.maxCost?.value)
    setup.cacheUse = options?.llmCache ?? file?.cache.flatMap { .init(rawValue: $0.value) } ?? .use
    setup.effort = options?.llmEffort ?? file?.effort.flatMap { .init(rawValue: $0.value) }
    setup.ownModels = try ownModels(options?.llmPrices ?? file?.prices?.value, file?.models ?? [])
    return SettledModel(
      choice: try choice(options?.llm, variable("AISLE_LLM"), file?.provider),
      name: options?.llmModel ?? variable("AISLE_LLM_MODEL") ?? file?.model?.value, setup: setup)
  }

  private static func choice(
    _ option: ModelChoice?, _ variable: String?, _ setting: Configuration.Setting<String>?
  ) throws -> Settled<ModelChoice>? {
    if let option { return Settled(value: option, origin: "--llm") }
    if let variable {
      if let choice = ModelChoice(rawValue: variable) { return Settled(value: choice, origin: "$AISLE_LLM") }
      let known = ModelChoice.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandFailure(description: "AISLE_LLM is `\(variable)`; use one of \(known)")
    }
    guard let setting, let choice = ModelChoice(rawValue: setting.value) else { return nil }
    return Settled(value: choice, origin: setting.location.description)
  }

  /// What the lines of a file, and those of the configuration over them, say of models; `nil` where there are none.
  private static func ownModels(_ path: String?, _ lines: [Configuration.Setting<String>]) throws -> ModelList? {
    var models: ModelList?
    func add(_ text: String, _ place: (Int) -> SourceLocation) throws {
      let (list, faults) = ModelList.read(text)
      if let fault = faults.first { throw Finding(place(fault.line), fault.message) }
      models = models?.overridden(by: list) ?? list
    }
    if let path {
      let text = String(decoding: try FileReader.read(path), as: UTF8.self)
      try add(text) { SourceLocation(path: path, line: $0, column: 1) }
    }
    for line in lines { try add(line.value) { _ in line.location } }
    return models
  }
}
