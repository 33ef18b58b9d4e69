import AisleCatalog
import AisleCore
import AisleFiles
import ArgumentParser

/// Where stores come from: shared by all commands that need one.
struct StoreOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Folder with the stores' files.",
      discussion:
        """
        Default: $AISLE_TAXONOMIES, what the configuration says, the nearest `taxonomies` upward, the installed share folder, the \
        compiled-in Kroger.
        """,
      valueName: "folder"), completion: .directory)
  var taxonomies: String?

  @Option(
    help: ArgumentHelp(
      "The configuration; `off` for none (default: $AISLE_CONFIG, the nearest aisle.yaml upward).", valueName: "file"),
    completion: .file(extensions: ["yaml"]))
  var config: String?

  /// The values, without the argument parser's wrappers.
  var choice: StoreChoice { StoreChoice(taxonomies: taxonomies, config: config) }

  /// The configuration; `nil` where there is none.
  ///
  /// - Throws: `FileError` when one was named that cannot be read; `BrokenConfiguration` when there are errors in it.
  func configuration() throws -> Configuration? { try choice.configuration() }

  /// The file that is used as the configuration.
  var configurationPath: String? { choice.configurationPath }

  /// Finds the stores.
  func locate() throws -> StoreLocator { try locate(configuration()) }

  /// Finds the stores, as a configuration that has been read says.
  func locate(_ configuration: Configuration?) throws -> StoreLocator { try choice.locate(configuration) }
}

/// A configuration with errors.
struct BrokenConfiguration: Error, CustomStringConvertible {
  let findings: [Finding]

  /// The first error, and how to see the others.
  var description: String {
    let rest = findings.count - 1
    return "\(findings[0])" + (rest > 0 ? " (and \(rest) more: `aisle config check`)" : "")
  }
}

/// Completes store and section names from the files at hand.
enum NameCompletion {
  static let store = CompletionKind.custom { arguments, _, _ in (try? locator(arguments).stores) ?? [] }

  static let storeOrTemplate = CompletionKind.custom { arguments, _, _ in
    [NewStore.template] + ((try? locator(arguments).stores) ?? [])
  }

  static let section = CompletionKind.custom { arguments, _, _ in
    guard let locator = try? locator(arguments) else { return [] }
    let store = arguments.first { locator.stores.contains($0) } ?? "kroger"
    return (try? locator.inspect(store).taxonomy.sections.map(\.name)) ?? []
  }

  private static func locator(_ arguments: [String]) throws -> StoreLocator {
    var options = StoreOptions()
    options.taxonomies = value(of: "--taxonomies", in: arguments)
    options.config = value(of: "--config", in: arguments)
    return try options.locate()
  }

  private static func value(of option: String, in arguments: [String]) -> String? {
    if let joined = arguments.last(where: { $0.hasPrefix("\(option)=") }) { return String(joined.dropFirst(option.count + 1)) }
    return arguments.firstIndex(of: option).flatMap { arguments.indices.contains($0 + 1) ? arguments[$0 + 1] : nil }
  }
}
