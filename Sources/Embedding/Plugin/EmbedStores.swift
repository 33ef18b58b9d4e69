import Foundation
import PackagePlugin

/// Compiles the stores of `taxonomies/` in, indexed: see the tool `embed-stores`.
@main
struct EmbedStores: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let package = context.package.directoryURL
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedStores.swift")
    return [
      .buildCommand(
        displayName: "Indexing the stores", executable: try context.tool(named: "embed-stores").url,
        arguments: [package.path, output.path], inputFiles: try files(of: package.appending(path: "taxonomies")),
        outputFiles: [output])
    ]
  }

  /// What the tool reads: no language but English is compiled in.
  private func files(of folder: URL) throws -> [URL] {
    let entries = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).sorted {
      $0.path < $1.path
    }
    return try entries.flatMap { entry in
      if entry.lastPathComponent == "languages" { return [] as [URL] }
      return entry.hasDirectoryPath ? try files(of: entry) : ["yaml", "txt"].contains(entry.pathExtension) ? [entry] : []
    }
  }
}
