import Foundation
import PackagePlugin

/// Compiles data in: into AisleKit the stores of `taxonomies/`, indexed, and into AisleServer the files of its page. See the tool
/// `embed-data`. `AISLE_EMBED_DATA` names one that was built before, so that a build in another configuration need not build it anew.
@main
struct EmbedData: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let built = ProcessInfo.processInfo.environment["AISLE_EMBED_DATA"].map { URL(filePath: $0) }
    let tool = try built ?? context.tool(named: "embed-data").url
    // What the package builds is looked at anyway.
    let changing = built.map { [$0] } ?? []
    let package = context.package.directoryURL
    func output(_ name: String) -> URL { context.pluginWorkDirectoryURL.appending(path: name) }
    if target.name == "AisleServer" {
      let (output, page) = (output("PageFiles.swift"), target.directoryURL.appending(path: "Page"))
      let files = try entries(of: page) + changing
      return [
        .buildCommand(
          displayName: "Embedding the page", executable: tool, arguments: ["page", page.path, output.path], inputFiles: files,
          outputFiles: [output])
      ]
    }
    let stores = output("EmbeddedStores.swift")
    return [
      .buildCommand(
        displayName: "Indexing the stores", executable: tool, arguments: ["stores", package.path, stores.path],
        inputFiles: try files(of: package.appending(path: "taxonomies")) + changing, outputFiles: [stores])
    ]
  }

  /// What the tool reads: no language but English is compiled in.
  private func files(of folder: URL) throws -> [URL] {
    try entries(of: folder).flatMap { entry in
      if entry.lastPathComponent == "languages" { return [] as [URL] }
      return entry.hasDirectoryPath ? try files(of: entry) : ["yaml", "txt"].contains(entry.pathExtension) ? [entry] : []
    }
  }

  private func entries(of folder: URL) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).sorted { $0.path < $1.path }
  }
}
