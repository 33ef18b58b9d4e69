package import AisleCatalog
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

extension AisleCommand {
  /// Runs the program that serves, by the command line of `aisle serve`, and ends the process with its exit code.
  ///
  /// - Parameter body: Serves until it is told to end. It gets the options, what is asked, and where a line for people goes.
  @MainActor
  package static func serve(
    _ body: @MainActor (ServeOptions, SettledChain, @escaping @Sendable (String) -> Void) async throws -> Void
  ) async {
    Descriptor.fillStandardStreams()
    do {
      var asked = try parseAsRoot(["serve"] + CommandLine.arguments.dropFirst())
      guard let command = asked as? ServeCommand else { return try asked.run() }
      try await body(command.options, command.options.settle()) {
        Descriptor.standardError.tell(Style.visible("aisle: \($0)") + "\n")
      }
    } catch let error where isParsers(error) {
      exit(withError: error)
    } catch {
      Descriptor.standardError.tell(
        Style.visible("aisle: \((error as? CorrectionStoreError)?.advised ?? message(for: error))") + "\n")
      endServer(2)
    }
  }
}

/// `exit(3)`, by a name that the command's own does not hide.
private func endServer(_ code: Int32) -> Never { exit(code) }

extension ServeOptions {
  /// Says where a server listens, what it answers, and how it is ended.
  package func tell(_ port: Int, _ store: String, _ corrections: String) {
    let home = Environment.all["HOME"].map { $0 + "/" }
    let file = home.flatMap { corrections.hasPrefix($0) ? "~/" + corrections.dropFirst($0.count) : nil } ?? corrections
    let address = host.contains(":") ? "[\(host)]" : host
    Descriptor.standardError.tell(
      Style.visible(
        "aisle: on \(tlsKey == nil ? "http" : "https")://\(address):\(port) · \(store) · corrections in \(file) · Ctrl-C ends it")
        + "\n")
  }
}
