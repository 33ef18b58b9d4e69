import AisleCatalog
import AisleCore
import AisleFiles
import ArgumentParser
import LearnedStrategy

/// Where the corrections are: shared by all commands that use them.
struct CorrectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The corrections file; `off` for none.",
      discussion: "Default: $AISLE_DB, then the configuration, then aisle/aisle.db in $XDG_DATA_HOME or ~/.local/share.",
      valueName: "file"), completion: .file())
  var db: String?

  @OptionGroup var server: ServerOptions

  func validate() throws {
    if db?.isEmpty == true { throw ValidationError("--db is empty; name a file, or `off` for none.") }
  }

  /// The file, and what named it; the value is `nil` where there are to be no corrections.
  func settle(_ configuration: Configuration?) -> Settled<String?> { Self.settle(db, server.server, configuration) }

  /// The file, and what named it, where the options say `db` and `server`.
  static func settle(_ db: String?, _ server: String?, _ configuration: Configuration?) -> Settled<String?> {
    if let url = try? ServerReplica.server(db, server), let path = ServerReplica.path(url) {
      return Settled(value: path, origin: server == nil ? "$AISLE_SERVER" : "--server")
    }
    return file(db, configuration)
  }

  /// The file, and what named it, where no server takes its place.
  static func file(_ db: String?, _ configuration: Configuration?) -> Settled<String?> {
    func named(_ name: String) -> String? { name == "off" ? nil : name }
    let environment = Environment.all
    if let db { return Settled(value: named(db), origin: "--db") }
    if let file = environment["AISLE_DB"], !file.isEmpty { return Settled(value: named(file), origin: "$AISLE_DB") }
    if let setting = configuration?.corrections {
      return Settled(value: named(setting.value), origin: setting.location.description)
    }
    return Settled(value: DataFolder.standard.map { $0 + "/aisle.db" }, origin: "default")
  }
}

extension CorrectionOptions {
  /// That a file is needed, and there is to be none.
  static var noFile: CommandFailure {
    CommandFailure(description: "no corrections file; name one with --db or AISLE_DB")
  }
}

/// What the commands about corrections have in common: the file, and the stores that its sections belong to.
struct CorrectionStoreOptions: ParsableArguments {
  @OptionGroup var corrections: CorrectionOptions

  @OptionGroup var stores: StoreOptions

  /// The file with the corrections.
  ///
  /// - Throws: `CommandFailure` where there are to be none.
  func path() throws -> String {
    if let path = corrections.settle(try stores.configuration()).value { return path }
    throw CorrectionOptions.noFile
  }

  /// Opens the corrections.
  ///
  /// - Throws: `CorrectionStoreError`, `CommandFailure`.
  func open(_ access: CorrectionStore.Access) throws -> CorrectionStore { try CorrectionStore(path(), access: access) }

  /// Opens the corrections to read them; `nil` where there are none yet.
  func openIfThere() throws -> CorrectionStore? {
    do { return try open(.reading) } catch let error as CorrectionStoreError where error.kind == .missing { return nil }
  }

  /// A store's sections; `nil` for a store that is not known here, or has errors.
  func taxonomy(_ store: String) -> Taxonomy? { try? stores.locate().open(store).taxonomy }
}
