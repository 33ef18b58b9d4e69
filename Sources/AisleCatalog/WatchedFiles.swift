import AisleCore
import AisleFiles

/// The files that an evaluation is made of.
package struct WatchedFiles {
  private let folders: [String]
  private let files: [String]
  package let description: String

  /// - Parameter languages: The ids of the languages that the stores are read in.
  package init(locator: StoreLocator, corpus: [String], languages: [String]) {
    var folders = corpus.filter(FileReader.isFolder)
    files = corpus.filter { !FileReader.isFolder($0) }
    description = ([locator.description] + corpus).joined(separator: ", ")
    if case .folder(let folder) = locator.source {
      folders += ([folder] + folder.below).flatMap { [$0.path, $0.path + "/shelves", $0.path + "/patterns"] }
      folders += LanguageChoice.read(languages).compactMap(folder.languages.folder).flatMap { [$0, $0 + "/shelves"] }
    }
    self.folders = folders
  }

  /// A number that changes when a file changes, comes or goes.
  package var stamp: UInt64 { FileStamp.of(all) }

  /// The files that are written by hand and read, without what else is in the folders.
  package var inputs: [String] { all.filter { path in [".tsv", ".txt", ".yaml"].contains { path.hasSuffix($0) } } + files }

  private var all: [String] {
    folders.flatMap { folder in (FileReader.list(folder) ?? []).map { "\(folder)/\($0)" } } + files
  }
}
