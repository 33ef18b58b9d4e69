import AisleCatalog
import AisleFiles

/// What the command line says about where stores come from; `nil` where it says nothing.
struct StoreChoice {
  var taxonomies: String?
  /// The configuration, `off` for none.
  var config: String?

  /// The configuration; `nil` where there is none.
  ///
  /// - Throws: `FileError` when one was named that cannot be read; `BrokenConfiguration` when there are errors in it.
  func configuration() throws -> Configuration? {
    guard let path = configurationPath else { return nil }
    let (configuration, findings) = try Configuration.read(path)
    if !findings.isEmpty { throw BrokenConfiguration(findings: findings) }
    return configuration
  }

  /// The file that is used as the configuration.
  var configurationPath: String? {
    if let named = config ?? Environment.all["AISLE_CONFIG"], !named.isEmpty { return named == "off" ? nil : named }
    return FileReader.nearest(Configuration.name, above: Environment.workingFolder) { FileReader.isFile($0) }
  }

  /// Finds the stores, as a configuration that has been read says.
  func locate(_ configuration: Configuration?) throws -> StoreLocator {
    try StoreLocator.find(
      named: taxonomies, environment: Environment.all["AISLE_TAXONOMIES"], configured: configuration?.taxonomies,
      workingFolder: Environment.workingFolder, binary: FileReader.resolved("/proc/self/exe") ?? CommandLine.arguments.first)
  }
}
