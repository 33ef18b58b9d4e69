import AisleFiles
import ArgumentParser
import HTTPTransport

/// Which server corrections are shared with.
struct ServerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The server that keeps the corrections (default: $AISLE_SERVER).",
      discussion: """
        Takes the place of a file: the command uses a copy in the data folder, which is brought up to date first, and sends its changes \
        afterward. The commands sync, pull, and push share the file itself.
        """,
      valueName: "url"))
  var server: String?

  @Option(
    help: ArgumentHelp("A file with the server's token (default: the token in $AISLE_TOKEN).", valueName: "file"),
    completion: .file())
  var tokenFile: String?

  func validate() throws {
    if let server { _ = try Self.address(server, "--server") }
    if tokenFile?.isEmpty == true { throw ValidationError("--token-file is empty; name a file with the token.") }
  }

  /// The server that is named; `nil` for none.
  ///
  /// - Throws: `CommandFailure` for an address in the environment that is none.
  static func settle(_ server: String?) throws -> HTTPURL? {
    if let server { return try address(server, "--server") }
    guard let server = Environment.all["AISLE_SERVER"], !server.isEmpty else { return nil }
    do { return try address(server, "AISLE_SERVER") } catch let error as ValidationError {
      throw CommandFailure(description: error.message)
    }
  }

  private static func address(_ text: String, _ origin: String) throws -> HTTPURL {
    do {
      // Where a household has its server, few have certificates.
      let url = try HTTPURL(text, plain: .privateNetwork)
      if text.contains("?") { throw HTTPError.badURL(text, "remove the part that begins with ?") }
      return url
    } catch {
      throw ValidationError("\(origin): \(error).")
    }
  }

  /// Reaches a server, with the token that is named.
  ///
  /// - Throws: `CommandFailure` for a token that is none; `FileError`; `HTTPError`.
  static func reach(_ url: HTTPURL, tokenFile: String?) throws -> HTTPCorrectionServer {
    try HTTPCorrectionServer(url, token: token(tokenFile))
  }

  private static func token(_ file: String?) throws -> Secret? {
    if let file { return Secret(try KeyFile.read(file)) }
    guard let token = Environment.all["AISLE_TOKEN"], !token.isEmpty else { return nil }
    guard KeyFile.isKey(token) else {
      throw CommandFailure(description: "AISLE_TOKEN is not a valid token: it contains spaces or other invalid characters")
    }
    return Secret(token)
  }
}
