import AisleCatalog
import AisleCore
import AisleFiles
import AisleReporting
import ArgumentParser

struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Check the configuration.",
    discussion: """
      Examples:
        aisle config check
      """,
    subcommands: [CheckConfig.self], defaultSubcommand: CheckConfig.self)
}

struct CheckConfig: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Report every error in aisle.yaml.",
    discussion: """
      Each error is a line `path:line:column: message` on standard output: unknown fields, strategies and options, wrong values, a \
      store or folder that is not there.

      Examples:
        aisle config check
        aisle config check --config ./aisle.yaml

      Exit codes: 0 no errors; 1 errors found; 2 there is no configuration, or it cannot be read; 64 usage.
      """)

  @OptionGroup var stores: StoreOptions

  @MainActor
  func run() async throws {
    guard let path = stores.configurationPath else {
      throw CommandFailure(description: "no \(Configuration.name) here or above; name one with --config")
    }
    var (configuration, findings) = try Configuration.read(path)
    findings += check(configuration)
    var text = findings.sorted { ($0.location, $0.message) < ($1.location, $1.message) }
      .map { Style.visible($0.description) + "\n" }.joined()
    try text.withUTF8 { try Descriptor.standardOutput.write(UnsafeRawBufferPointer($0)) }
    let count = findings.isEmpty ? "no errors" : "\(findings.count) error\(findings.count == 1 ? "" : "s")"
    Descriptor.standardError.tell("\(path): \(count)\n")
    if !findings.isEmpty { throw ExitCode(1) }
  }

  /// What the file's own form does not show: names of things that are not there.
  @MainActor
  private func check(_ configuration: Configuration) -> [Finding] {
    var findings: [Finding] = []
    var catalog = AisleCommand.catalog
    for program in configuration.programs {
      do {
        catalog = try catalog.adding([program])
      } catch {
        findings.append(error)
      }
    }
    if let chain = configuration.chain {
      do {
        try catalog.check(ChainSpecification(chain.value))
      } catch {
        findings.append(Finding(chain.location, "\(error)"))
      }
    }
    var locator: StoreLocator?
    do {
      locator = try stores.locate(configuration)
    } catch let error as FileError {
      findings.append(Finding(configuration.taxonomies?.location ?? SourceLocation(path: configuration.path), "\(error)"))
    } catch {
      findings.append(Finding(SourceLocation(path: configuration.path), "\(error)"))
    }
    if let store = configuration.store, let known = locator?.stores, !known.contains(store.value) {
      let hint = DidYouMean.hint(store.value, among: known)
      findings.append(
        Finding(store.location, "no store `\(store.value)`\(hint.isEmpty ? "; there is \(known.joined(separator: ", "))" : hint)")
      )
    }
    return findings
  }
}
