public import AisleCore
public import AisleFiles
import ProcessStrategy

extension StrategyKind {
  /// The kind for a program in a configuration; chains use its name.
  public static func program(_ program: Configuration.Program) -> StrategyKind {
    StrategyKind(
      id: program.name, summary: "decisions by the program \(program.command.joined(separator: " "))",
      needs: "the program \(program.command.first ?? "")", options: [timeout, required]
    ) { context, options in
      var settings = ProcessStrategy.Settings(
        name: program.name, command: program.command, timeout: .seconds(program.timeout), isRequired: program.isRequired)
      settings.environment = program.environment
      try set(&settings, options)
      return strategy(settings, in: context)
    }
  }

  /// Any program, named in the chain itself: to try one out.
  static let process = StrategyKind(
    id: "process", summary: "decisions by a program in any language, over JSON lines", needs: "a program",
    options: [
      Option("command", "the program and its arguments, separated by spaces", isRequired: true), timeout, required,
      Option("environment", "variables to pass on even if they may hold a key, separated by spaces"),
    ]
  ) { context, options in
    let words = options["command"].map { $0.split(separator: " ").map(String.init) } ?? []
    if words.isEmpty { throw ChainError("chain: process(command=): no program; write process(command=./my-strategy)") }
    var settings = ProcessStrategy.Settings(name: "process", command: words)
    settings.environment = options["environment"].map { $0.split(separator: " ").map(String.init) } ?? []
    for name in settings.environment {
      if let fault = Configuration.Program.fault(ofVariable: name) { throw ChainError("chain: process(environment=): \(fault)") }
    }
    try set(&settings, options)
    return strategy(settings, in: context)
  }

  private static let timeout = Option("timeout", "seconds to answer 64 items, including the start (default: 10)")
  private static let required = Option("required", "whether a failure ends the run (default: false)", values: ["true", "false"])

  private static func set(_ settings: inout ProcessStrategy.Settings, _ options: StrategyOptions) throws {
    if let text = options["timeout"] {
      guard let seconds = Double(text), seconds > 0, seconds <= Configuration.longestTimeout else {
        throw ChainError(
          "chain: \(settings.name)(timeout=\(text)): write a number of seconds more than 0 and at most \(Int(Configuration.longestTimeout))"
        )
      }
      settings.timeout = .seconds(seconds)
    }
    if let text = options["required"] { settings.isRequired = text == "true" }
  }

  private static func strategy(_ settings: ProcessStrategy.Settings, in context: StrategyContext) -> ProcessStrategy {
    var settings = settings
    if context.host.requiresPrograms { settings.isRequired = true }
    return ProcessStrategy(
      settings, taxonomy: context.taxonomy, interruption: context.host.interruption, remark: context.host.remark)
  }
}

extension StrategyCatalog {
  /// The catalog with the programs of a configuration.
  ///
  /// - Throws: `Finding` for a program whose name is already a strategy's or is `none`, which output uses for the fallback.
  public func adding(_ programs: [Configuration.Program]) throws(Finding) -> StrategyCatalog {
    var catalog = self
    for program in programs {
      if program.name == "none" || catalog.ids.contains(program.name) {
        throw Finding(program.location, "the name `\(program.name)` belongs to a built-in strategy; choose another")
      }
      catalog = catalog.adding([.program(program)])
    }
    return catalog
  }
}
