public import AisleCatalog
import AisleCore
import AisleEvaluation
import AisleFiles
import AisleReporting
import AisleTuning
public import ArgumentParser
import FlatFiles
import LearnedStrategy
import LLMStrategy
import ProcessStrategy

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The `aisle` command.
public struct AisleCommand: AsyncParsableCommand {
  /// The version of the tool.
  package static let version = Version.number

  /// What the command is and which subcommands it has.
  public static let configuration = CommandConfiguration(
    commandName: "aisle", abstract: "Find the store section for each grocery item.",
    discussion: """
      Reads items, one per line, and writes each with its section. Answers come from keyword files that you can read and \
      edit; `--explain` names the keyword behind an answer, with its file and line.

      Examples:
        printf 'oat milk\\nkale\\n' | aisle categorize
        aisle categorize --format list groceries.txt
        aisle stores show kroger
        aisle eval

      Environment: AISLE_STORE, AISLE_CHAIN, and AISLE_CONFIG name the store, the chain, and the configuration; AISLE_LANGUAGE \
      names the languages of the items, AISLE_TAXONOMIES \
      names the folder of store files, AISLE_DB the corrections file, and AISLE_CACHE the folder of indexed stores (`off` for \
      none). AISLE_SERVER names a server whose corrections are used in place of a file, and AISLE_TOKEN is its token. AISLE_LLM, AISLE_LLM_MODEL, AISLE_LLM_URL, and AISLE_LLM_KEY set the language model, its address, and its key; \
      AISLE_LLM_KEY_FILE names a file with the key. NO_COLOR turns colors off.
      """,
    version: version,
    subcommands: [
      CategorizeCommand.self, StoresCommand.self, LanguagesCommand.self, EvalCommand.self, BlessCommand.self, CompareCommand.self,
      CorpusCommand.self,
      LabelCommand.self, StrategiesCommand.self, ChainCommand.self, ConfigCommand.self, TuneCommand.self, TrainCommand.self,
      CorrectCommand.self, CheckCommand.self, SuggestionsCommand.self, CorrectionsCommand.self, ReadCommand.self,
      ServeCommand.self, LLMCommand.self,
      DoctorCommand.self,
    ])

  /// Makes the command; the argument parser does.
  public init() {}

  /// Without a subcommand there is nothing to do: the help, as a mistake in the command line.
  public func run() async throws {
    Descriptor.standardError.tell(Self.helpMessage() + "\n")
    throw ExitCode(64)
  }

  /// The strategies that chains can name.
  @MainActor static private(set) var catalog = StrategyCatalog.builtIn

  /// How language models are asked where nothing else is said.
  @MainActor static let modelSetup = {
    var setup = ModelSetup()
    setup.cache = modelRecord
    setup.log = modelRecord
    return setup
  }()

  /// Keeps what models answered, and hears of every request to one.
  static let modelRecord = ModelRecord()

  /// Runs the command line and ends the process with its exit code.
  ///
  /// - Parameter strategies: Kinds of strategies that chains can name besides the built-in ones.
  @MainActor
  public static func start(adding strategies: [StrategyKind] = []) async {
    catalog = catalog.adding(strategies.map(\.namingFailures))
    Descriptor.fillStandardStreams()
    Interruption.listen()
    FaultGuard.install()
    do {
      try MemoryProbe.check()
      let arguments = CommandLine.arguments.dropFirst()
      var replica: ServerReplica?
      do {
        if let categorization = Categorization(withoutOptions: arguments) {
          replica = try await ServerReplica(nil)
          try await categorization.run()
        } else {
          try checkCommand(arguments)
          var command = try parsed()
          if let user = command as? any CorrectionsUser { replica = try await ServerReplica(user.usedCorrections) }
          if var command = command as? any AsyncParsableCommand {
            try await command.run()
          } else {
            try command.run()
          }
        }
      } catch let code as ExitCode {
        // Something was not as it should be, and the rest was done.
        try await replica?.push()
        throw code
      }
      try await replica?.push()
      modelRecord.flushTellingFaults()
    } catch let error as Interruption {
      endProcess(error.exitCode)
    } catch is CancellationError where Interruption.isRequested {
      endProcess(Interruption().exitCode)
    } catch let error as StreamError where error.isBrokenPipe {
      endProcess(0)
    } catch let error as UnknownCommand {
      Descriptor.standardError.tell(Style.visible("aisle: \(error.message)") + "\n")
      Descriptor.standardError.tell(
        "Usage: \(error.parent) <subcommand>\n  See '\(error.parent) --help' for more information.\n")
      endProcess(64)
    } catch let error where isParsers(error) {
      endProcess(show(error))
    } catch {
      let style = color.style(for: .standardError, environment: Environment.all)
      Diagnostics(style: style).error((error as? CorrectionStoreError)?.advised ?? message(for: error))
      endProcess(2)
    }
  }

  /// The command that the arguments ask for.
  ///
  /// That of most runs is looked at first and by itself, which takes less time than looking at all of them. Where it is not as it
  /// should be, or help is wanted, all of them are, since they know its whole name.
  private static func parsed() throws -> any ParsableCommand {
    let arguments = JSONShorthand.spelledOut(Array(CommandLine.arguments.dropFirst()))
    guard arguments.first == CategorizeCommand.configuration.commandName else {
      return try parseAsRoot(TuneTryCommand.shielded(arguments))
    }
    return try (try? CategorizeCommand.parse(Array(arguments.dropFirst()))) ?? parseAsRoot(arguments)
  }

  /// Refuses a command that is not there, with the one meant: the argument parser would speak of an unexpected argument and, after
  /// `help`, show the help of the command above it.
  private static func checkCommand(_ arguments: ArraySlice<String>) throws {
    let isHelp = arguments.first == "help"
    var command: any ParsableCommand.Type = self
    var path = ["aisle"]
    for word in isHelp ? arguments.dropFirst() : arguments {
      let commands = command.configuration.subcommands
      if !isHelp, commands.isEmpty || word.hasPrefix("-") || word == "help" { return }
      if word.hasPrefix("-") { continue }
      let named = commands.first { $0.configuration.commandName == word || $0.configuration.aliases.contains(word) }
      if let named {
        command = named
        path.append(word)
      } else if word != "help" {
        let known = commands.filter { $0.configuration.shouldDisplay }.compactMap { $0.configuration.commandName }
        let list = known.isEmpty ? "" : " (commands: \(known.joined(separator: ", ")))"
        let hint = DidYouMean.hint(word, among: known)
        let item = command == self && hint.isEmpty ? "; `aisle categorize --item` takes the text of an item" : ""
        throw UnknownCommand(message: "no command `\(word)`\(hint)\(item)\(list)", parent: path.joined(separator: " "))
      }
    }
  }

  /// Prints what the argument parser has to say, help on standard output, and gives the exit code.
  private static func show(_ error: any Error) -> Int32 {
    let code = exitCode(for: error).rawValue
    var message = fullMessage(for: error)
    if message.isEmpty { return code }
    message = code == 0 ? ParserMessage.help(message) : ParserMessage.mistake(message)
    if code != 0 {
      // It quotes what was typed.
      message = message.split(separator: "\n", omittingEmptySubsequences: false).map { Style.visible(String($0)) }.joined(
        separator: "\n")
    }
    message += "\n"
    do {
      try message.withUTF8 { try (code == 0 ? Descriptor.standardOutput : .standardError).write(UnsafeRawBufferPointer($0)) }
    } catch let error as StreamError {
      if error.isBrokenPipe { return code }
      Descriptor.standardError.tell("aisle: \(error)\n")
      return 2
    } catch {
      return (error as? Interruption)?.exitCode ?? 2
    }
    return code
  }

  /// The choice of color on the command line, for errors that come before or after a command knows it.
  private static var color: ColorChoice {
    let arguments = CommandLine.arguments
    let written = arguments.firstIndex(of: "--color").flatMap { arguments.indices.contains($0 + 1) ? arguments[$0 + 1] : nil }
    let joined = arguments.first { $0.hasPrefix("--color=") }?.dropFirst("--color=".count)
    return ColorChoice(rawValue: joined.map(String.init) ?? written ?? "") ?? .auto
  }

  /// Whether the argument parser knows what to do about an error: a mistake in the command line, help, or a bare exit code.
  static func isParsers(_ error: any Error) -> Bool { error is ExitCode || exitCode(for: error) != .failure }
}

/// A command that there is not.
private struct UnknownCommand: Error {
  let message: String
  /// The command that it would belong to, as it is typed.
  let parent: String
}

private func endProcess(_ code: Int32) -> Never {
  AisleCommand.modelRecord.flushTellingFaults()
  exit(code)
}
