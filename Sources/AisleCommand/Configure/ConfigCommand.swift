import AisleCatalog
import AisleCore
import AisleEvaluation
import AisleFiles
import AisleReporting
import ArgumentParser

struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Check the configuration, or trust it.",
    discussion: """
      Examples:
        aisle config check
        aisle config trust
      """,
    subcommands: [CheckConfig.self, TrustConfig.self], defaultSubcommand: CheckConfig.self)
}

struct CheckConfig: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Report every error in aisle.yaml.",
    discussion: """
      Prints each error as `path:line:column: message` on standard output: unknown fields, strategies, and options, wrong values, \
      and stores or folders that do not exist. Standard error says whether aisle would obey the file.

      Examples:
        aisle config check
        aisle config check --config ./aisle.yaml

      Exit codes: 0 no errors; 1 errors found; 2 no configuration found, or it cannot be read; 64 usage.
      """)

  @OptionGroup var stores: StoreOptions

  @MainActor
  func run() async throws {
    let file = try stores.configurationFile()
    let path = file.path
    var (configuration, findings) = try Configuration.read(path)
    findings += check(configuration)
    var text = findings.sorted { ($0.location, $0.message) < ($1.location, $1.message) }
      .map { Style.visible($0.description) + "\n" }.joined()
    try text.withUTF8 { try Descriptor.standardOutput.write(UnsafeRawBufferPointer($0)) }
    let count = countedOrNone(findings.count, "error")
    Descriptor.standardError.tell(Style.visible("\(path): \(count)\(try caveat(file))") + "\n")
    if !findings.isEmpty { throw ExitCode(1) }
  }

  /// Why the configuration would not be obeyed though it may be without errors; empty where it would be.
  private func caveat(_ file: StoreChoice.ConfigurationFile) throws -> String {
    do {
      _ = try ConfigurationLoader().load(file.path, isNamed: file.isNamed)
      return ""
    } catch is BrokenConfiguration { return "" } catch let error as UntrustedConfiguration {
      return "; not trusted yet, because it \(error.reach[0]); run `aisle config trust`"
    } catch let error as ForeignConfiguration {
      return "; not obeyed, because \(error.fault)"
    }
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
        var settled = Settled(value: try ChainSpecification(chain.value), origin: chain.location.description)
        settled.add(try ModelFlags.settle(nil, configuration))
        try catalog.check(settled.value)
      } catch {
        findings.append(Finding(chain.location, "\(error)"))
      }
    }
    for floor in configuration.evaluation?.floors ?? [] {
      do throws(Gate.FloorFault) { _ = try Gate.Floor(floor.value) } catch {
        findings.append(Finding(floor.location, "fail-under \(error)"))
      }
    }
    findings += Reports.faults(of: configuration.evaluation?.reports ?? [])
    for path in configuration.corpus where FileReader.resolved(path.value) == nil {
      findings.append(Finding(path.location, "no file or folder \(path.value)"))
    }
    var locator: StoreLocator?
    do {
      locator = try stores.locate(configuration)
    } catch let error as FileError {
      if let named = configuration.languages?.location, error.path == named.description {
        findings.append(Finding(named, error.reason))
      } else {
        findings.append(Finding(configuration.taxonomies?.location ?? SourceLocation(path: configuration.path), "\(error)"))
      }
    } catch {
      findings.append(Finding(SourceLocation(path: configuration.path), "\(error)"))
    }
    if let store = configuration.store, let known = locator?.stores, !known.contains(store.value.lowercased()) {
      let hint = DidYouMean.hint(store.value, among: known)
      findings.append(
        Finding(
          store.location, "no store `\(store.value)`\(hint.isEmpty ? "; use one of \(known.joined(separator: ", "))" : hint)")
      )
    }
    return findings
  }
}
