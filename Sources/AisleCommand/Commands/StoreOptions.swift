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
        "Default: $AISLE_TAXONOMIES, the nearest `taxonomies` upward, the installed share folder, the compiled-in Kroger.",
      valueName: "folder"), completion: .directory)
  var taxonomies: String?

  func locate() throws -> StoreLocator {
    try StoreLocator.find(
      named: taxonomies, environment: Environment.all["AISLE_TAXONOMIES"], workingFolder: Environment.workingFolder,
      binary: FileReader.resolved("/proc/self/exe") ?? CommandLine.arguments.first)
  }
}

/// Completes store and section names from the files at hand.
enum NameCompletion {
  static let store = CompletionKind.custom { arguments, _, _ in (try? locator(arguments).stores) ?? [] }

  static let section = CompletionKind.custom { arguments, _, _ in
    guard let locator = try? locator(arguments) else { return [] }
    let store = arguments.first { locator.stores.contains($0) } ?? "kroger"
    return (try? locator.inspect(store).taxonomy.sections.map(\.name)) ?? []
  }

  private static func locator(_ arguments: [String]) throws -> StoreLocator {
    var options = StoreOptions()
    let joined = arguments.last { $0.hasPrefix("--taxonomies=") }.map { String($0.dropFirst("--taxonomies=".count)) }
    options.taxonomies =
      joined
      ?? arguments.firstIndex(of: "--taxonomies").flatMap {
        arguments.indices.contains($0 + 1) ? arguments[$0 + 1] : nil
      }
    return try options.locate()
  }
}
