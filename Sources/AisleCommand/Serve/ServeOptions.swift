package import AisleCatalog
public import AisleFiles
public import ArgumentParser

/// How a server is run: what `aisle serve` takes, and hands to the program that serves.
package struct ServeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The address to listen on. Any but this machine's own needs tokens.", valueName: "address"))
  package var host = "127.0.0.1"

  @Option(help: ArgumentHelp("The port; 0 for any that is free.", valueName: "number"))
  package var port = 8400

  @Option(
    help: ArgumentHelp("A name that the server is called by, besides its address. Repeatable.", valueName: "host"))
  package var name: [String] = []

  @OptionGroup var chain: ChainOptions

  @OptionGroup var model: ModelOptions

  @OptionGroup package var tokens: TokenOptions

  @Option(
    help: ArgumentHelp("Also take JSON Web Tokens signed with the secret in this file (HS256).", valueName: "file"),
    completion: .file())
  package var jwtSecretFile: String?

  @Option(
    help: ArgumentHelp("Also take JSON Web Tokens signed with a key of this JSON Web Key Set.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  package var jwks: String?

  @Option(help: ArgumentHelp("The issuer that JSON Web Tokens must name.", valueName: "text"))
  package var jwtIssuer: String?

  @Option(
    help: ArgumentHelp("What JSON Web Tokens let their holders do: read, teach, or check.", valueName: "level"))
  package var jwtCan = Permission.teach

  @Option(help: ArgumentHelp("How many requests per second each token may send; a burst may be twice that.", valueName: "count"))
  package var rate = 100

  @Option(help: ArgumentHelp("How many requests may be in progress; others are told to try again later.", valueName: "count"))
  package var concurrency = 256

  @Option(
    help: ArgumentHelp("Speak TLS with these certificates, in PEM; needs --tls-key.", valueName: "file"), completion: .file())
  package var tlsCertificate: String?

  @Option(help: ArgumentHelp("The private key of the first certificate, in PEM.", valueName: "file"), completion: .file())
  package var tlsKey: String?

  @Option(
    help: ArgumentHelp("The json report of an evaluation, to show on the page.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  package var report: String?

  /// Makes the options; the argument parser does.
  package init() {}

  package mutating func validate() throws {
    guard (0...65535).contains(port) else { throw ValidationError("--port must be 0 to 65535.") }
    guard (1...1_000_000).contains(rate) else { throw ValidationError("--rate must be 1 to 1,000,000.") }
    guard (1...100_000).contains(concurrency) else { throw ValidationError("--concurrency must be 1 to 100,000.") }
    guard (tlsCertificate == nil) == (tlsKey == nil) else {
      throw ValidationError("--tls-certificate and --tls-key go together.")
    }
    guard jwtSecretFile == nil || jwks == nil else { throw ValidationError("Use either --jwt-secret-file or --jwks.") }
    guard jwtIssuer == nil || jwtSecretFile != nil || jwks != nil else {
      throw ValidationError("--jwt-issuer needs --jwt-secret-file or --jwks.")
    }
  }

  /// What is asked, and how.
  ///
  /// - Throws: `FileError`, `BrokenConfiguration`, `ChainError`.
  @MainActor
  package func settle() throws -> SettledChain { try chain.settle(model: model.given) }
}

extension Permission: ExpressibleByArgument {}

/// The file with the tokens.
package struct TokenOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file with the tokens (default: tokens.txt in ~/.local/share/aisle).", valueName: "file"), completion: .file())
  package var tokens: String?

  /// Makes the options; the argument parser does.
  package init() {}

  /// The file; `nil` without a home folder.
  package var file: TokenFile? { tokens.map { TokenFile($0) } ?? .standard }
}
