import AisleCatalog
import AisleFiles
import AisleReporting
import ArgumentParser

struct TrustConfig: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trust", abstract: "Allow aisle.yaml to run programs, use files elsewhere, and send items away.",
    discussion: """
      A configuration that only names a store, built-in strategies, and limits needs no trust. One that does more is obeyed only \
      after you trust it. Trust applies to its path and current content; after an edit you are asked again. The file must be your \
      own: it and its folders belong to you or root, and nobody else can write to them. Read it first; this command shows what it \
      does.

      Examples:
        aisle config trust
        aisle config trust --config ./aisle.yaml
        aisle config trust --remove

      Exit codes: 0 done; 2 there is no configuration, or it cannot be read, has errors, or is not yours; 64 usage.
      """)

  @Flag(help: "Withdraw your trust.")
  var remove = false

  @OptionGroup var stores: StoreOptions

  func validate() throws {
    if stores.trust {
      throw ValidationError("--trust applies to one run only; drop it here to trust the configuration from now on.")
    }
  }

  func run() async throws {
    let file = try stores.configurationFile()
    let loader = ConfigurationLoader()
    guard let trusted = loader.trusted else {
      throw CommandFailure(description: "no folder to record trust in; set HOME or XDG_DATA_HOME")
    }
    if remove {
      let wasThere = try trusted.remove(file.path)
      return Descriptor.standardError.tell(
        Style.visible("\(file.path): \(wasThere ? "no longer trusted" : "was not trusted")") + "\n")
    }
    do {
      let configuration = try loader.load(file.path, isNamed: file.isNamed)
      let state = configuration.reach.isEmpty ? "needs no trust: it only holds data" : "is already trusted"
      Descriptor.standardError.tell(Style.visible("\(file.path): \(state)") + "\n")
    } catch let error as UntrustedConfiguration {
      try trusted.add(error.path, error.contents)
      Descriptor.standardError.tell(TrustQuestion.description(of: error) + "Trusted, until it changes.\n")
    }
  }
}

extension StoreOptions {
  /// The file that is used as the configuration.
  ///
  /// - Throws: `CommandFailure` where there is none.
  func configurationFile() throws -> StoreChoice.ConfigurationFile {
    guard let file = choice.configurationFile else {
      throw CommandFailure(description: "no \(Configuration.name) here or above; name one with --config")
    }
    return file
  }
}
