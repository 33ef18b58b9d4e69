import AisleCore
import AisleFiles
import AisleReporting
import ArgumentParser
import LearnedStrategy

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// `aisle serve`: starts the program beside this one that serves.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Answer apps over HTTP, with a review page.",
    discussion: """
      Opens a page for lists, suggestions, and corrections, and an API for apps, on this machine. Other machines are let in with --host \
      and tokens. docs/server.md describes the API; the server has it at /openapi.json.

      Examples:
        aisle serve
        aisle serve --port 8080 --store aldi
        aisle serve token add kitchen --can teach
        aisle serve --host 0.0.0.0

      Exit codes: 0 ended by Ctrl-C or SIGTERM; 2 it cannot listen, or a file is missing or wrong; 64 usage.
      """, subcommands: [TokenCommand.self])

  @OptionGroup var options: ServeOptions

  /// The program that serves; it takes the same options.
  private static let program = "aisle-serve"

  @MainActor
  func run() async throws {
    let own = FileReader.resolved("/proc/self/exe") ?? CommandLine.arguments.first.flatMap { FileReader.resolved($0) }
    let folder = own.flatMap { path in path.lastIndex(of: "/").map { String(path[..<$0]) } }
    let places = folder.map { ["\($0)/\(Self.program)", "\($0)/../libexec/aisle/\(Self.program)"] } ?? []
    guard let program = places.first(where: { access($0, X_OK) == 0 }) else {
      throw CommandFailure(
        description: "the server is a separate program, \(Self.program), which is not installed with \(own ?? "aisle"); "
          + "`tools/install --server` installs it, and `tools/run serve` builds and starts it")
    }
    let arguments = [program] + CommandLine.arguments.drop { $0 != "serve" }.dropFirst()
    var pointers = arguments.map { strdup($0) } + [nil]
    execv(program, &pointers)
    throw CommandFailure(description: "\(program): cannot be started (\(FileError.cause(errno)))")
  }
}

/// `aisle serve token`: who gets in.
struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Make, list, and revoke the tokens that let apps and people in.",
    discussion: """
      Examples:
        aisle serve token add kitchen --can teach
        aisle serve token list
        aisle serve token revoke kitchen
      """,
    subcommands: [AddToken.self, ListTokens.self, RevokeToken.self])
}

struct AddToken: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Make a token, and print it once.",
    discussion: """
      Only a digest of the token is kept. Send it as `Authorization: Bearer TOKEN`. A running server knows it within a second.

      Examples:
        aisle serve token add kitchen
        aisle serve token add jane --can teach

      Exit codes: 0 done; 2 the name is taken, or the file cannot be written; 64 usage.
      """)

  @Argument(help: "Who holds it: corrections are made under that name.")
  var name: String

  @Option(help: ArgumentHelp("read, teach (also corrects), or check (also asks a language model).", valueName: "level"))
  var can = Permission.read

  @OptionGroup var options: TokenOptions

  func validate() throws {
    guard TokenFile.isValid(name: name) else {
      throw ValidationError("A token's name has 1 to 64 letters, digits, and -_.@ only.")
    }
  }

  func run() throws {
    guard let file = options.file else { throw CommandFailure(description: "no home folder; name a file with --tokens") }
    let token = try file.add(name, can, date: Timestamp.text(Timestamp.now))
    try TextTable.write([[token]])
    Descriptor.standardError.tell("\(name) may \(can.rawValue); this is shown only once\n")
  }
}

struct ListTokens: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List who has a token, what for, and since when.",
    discussion: """
      Examples:
        aisle serve token list

      Exit codes: 0 done; 2 the file cannot be read; 64 usage.
      """)

  @OptionGroup var options: TokenOptions

  func run() throws {
    guard let tokens = try options.file?.tokens(), !tokens.isEmpty else {
      return Descriptor.standardError.tell("no tokens; `aisle serve token add NAME` makes one\n")
    }
    try TextTable.write(tokens.map { [$0.name, $0.permission.rawValue, $0.date] })
  }
}

struct RevokeToken: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Revoke a token.",
    discussion: """
      A running server refuses it within a second.

      Examples:
        aisle serve token revoke kitchen

      Exit codes: 0 done; 2 there is no such token, or the file cannot be written; 64 usage.
      """)

  @Argument(help: "Who holds it.")
  var name: String

  @OptionGroup var options: TokenOptions

  func run() throws {
    guard let file = options.file else { throw CommandFailure(description: "no home folder; name a file with --tokens") }
    let names = try file.tokens().map(\.name)
    guard try file.revoke(name) else {
      throw CommandFailure(description: "no token for `\(name)`\(DidYouMean.hint(name, among: names))")
    }
  }
}
