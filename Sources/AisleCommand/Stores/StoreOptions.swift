import AisleCatalog
import AisleCore
import AisleFiles
import ArgumentParser

/// Where stores come from: shared by all commands that need one.
struct StoreOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The folder with the store files.",
      discussion:
        """
        Default, in this order: $AISLE_TAXONOMIES, the configuration, the nearest `taxonomies` folder here or above, `taxonomies` \
        in ~/.config/aisle, the installed share folder, the compiled-in stores.
        """,
      valueName: "folder"), completion: .directory)
  var taxonomies: String?

  @Option(
    help: ArgumentHelp(
      "The languages of the items, in order of priority, or auto.",
      discussion:
        """
        Default, in this order: $AISLE_LANGUAGE, the configuration, the store's file, en. With auto, the language of each list is \
        detected from its words.
        """,
      valueName: "id[,id]"), completion: NameCompletion.language)
  var language: String?

  @Option(
    help: ArgumentHelp(
      "The configuration; `off` for none (default: $AISLE_CONFIG, then the nearest aisle.yaml, here or above).", valueName: "file"
    ),
    completion: .file(extensions: ["yaml"]))
  var config: String?

  @Flag(help: "Obey the configuration for this run, whoever owns it and whatever it does.")
  var trust = false

  /// The values, without the argument parser's wrappers.
  var choice: StoreChoice { StoreChoice(taxonomies: taxonomies, language: language, config: config, isVouchedFor: trust) }

  /// The configuration; `nil` where there is none.
  ///
  /// - Throws: what `ConfigurationLoader.load` throws.
  func configuration() throws -> Configuration? { try choice.configuration() }

  /// Finds the stores.
  func locate() throws -> StoreLocator { try locate(configuration()) }

  /// Finds the stores, as a configuration that has been read says.
  func locate(_ configuration: Configuration?) throws -> StoreLocator { try choice.locate(configuration) }

  /// Opens the store that `--store`, the environment, or the configuration names.
  func open(_ store: String?) throws -> (taxonomy: Taxonomy, locator: StoreLocator) {
    let configuration = try configuration()
    let locator = try locate(configuration)
    return (try locator.open(ChainChoice.store(store, configuration).value).taxonomy, locator)
  }
}

/// Completes store and section names from the files at hand.
enum NameCompletion {
  static let store = CompletionKind.custom { arguments, _, _ in (try? locator(arguments).stores) ?? [] }

  static let language = CompletionKind.custom { arguments, _, _ in (try? locator(arguments).languages.known) ?? [] }

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
    options.language = value(of: "--language", in: arguments)
    options.config = value(of: "--config", in: arguments)
    options.trust = arguments.contains("--trust")
    // Nobody can be asked anything in the middle of a command line.
    var choice = options.choice
    choice.mayAsk = false
    return try choice.locate(choice.configuration())
  }

  private static func value(of option: String, in arguments: [String]) -> String? {
    if let joined = arguments.last(where: { $0.hasPrefix("\(option)=") }) { return String(joined.dropFirst(option.count + 1)) }
    return arguments.firstIndex(of: option).flatMap { arguments.indices.contains($0 + 1) ? arguments[$0 + 1] : nil }
  }
}
