import AisleCatalog
import AisleCore
import AisleFiles

/// What the command line says about where stores come from; `nil` where it says nothing.
struct StoreChoice {
  var taxonomies: String?
  /// The ids of the languages, separated by commas.
  var language: String?
  /// The configuration, `off` for none.
  var config: String?
  /// Whether the configuration is obeyed this once, whoever it belongs to.
  var isVouchedFor = false
  /// Whether whoever sits at a terminal may be asked to trust the configuration.
  var mayAsk = true

  /// A file that is used as the configuration.
  struct ConfigurationFile {
    let path: String
    /// Whether a person named it; else it was found.
    let isNamed: Bool
  }

  /// The configuration; `nil` where there is none. Where it must be trusted first, whoever sits at a terminal is asked.
  ///
  /// - Throws: what `ConfigurationLoader.load` throws.
  func configuration() throws -> Configuration? {
    guard let file = configurationFile else { return nil }
    var loader = ConfigurationLoader()
    loader.isVouchedFor = isVouchedFor
    do { return try loader.load(file.path, isNamed: file.isNamed) } catch let error as UntrustedConfiguration {
      guard mayAsk, let trusted = loader.trusted, try TrustQuestion.ask(error) else { throw error }
      try trusted.add(error.path, error.contents)
      return try loader.load(file.path, isNamed: file.isNamed)
    }
  }

  /// The file that is used as the configuration.
  var configurationFile: ConfigurationFile? {
    if let named = config ?? Environment.all["AISLE_CONFIG"], !named.isEmpty {
      return named == "off" ? nil : ConfigurationFile(path: named, isNamed: true)
    }
    return UpwardSearch.nearest(Configuration.name, where: FileReader.isFile).map { ConfigurationFile(path: $0, isNamed: false) }
  }

  /// The languages that the items are in, and where they are named; `nil` for what the store's file says.
  private func languages(_ configuration: Configuration?) -> (ids: [String], place: String)? {
    let variable = Environment.all["AISLE_LANGUAGE"].flatMap { $0.isEmpty ? nil : $0 }
    if let written = language ?? variable {
      return (Self.ids(written), language == nil ? "AISLE_LANGUAGE" : "--language")
    }
    return configuration?.languages.map { ($0.value, $0.location.description) }
  }

  /// The ids in what is written for `--language`.
  static func ids(_ written: String) -> [String] { written.split { $0 == "," || $0 == " " }.map { $0.lowercased() } }

  /// Finds the stores, as a configuration that has been read says.
  func locate(_ configuration: Configuration?) throws -> StoreLocator {
    var locator = try StoreLocator.find(
      named: taxonomies, environment: Environment.all["AISLE_TAXONOMIES"], configured: configuration?.taxonomies,
      settings: DataFolder.settings, binary: FileReader.resolved("/proc/self/exe") ?? CommandLine.arguments.first)
    locator.report = SettledChain.warn
    let languages = languages(configuration)
    locator = try locator.speaking(languages?.ids, namedBy: languages?.place)
    if mayAsk, languages?.ids == [LanguageChoice.auto], locator.languages.known == [Language.english] { Self.warnOfEnglish }
    return locator
  }

  /// Says once that no language is there to be detected.
  private static let warnOfEnglish: Void = SettledChain.warn(
    "language `auto` has only English to choose from; the files of other languages \(LanguageChoice.whereabouts)")
}
