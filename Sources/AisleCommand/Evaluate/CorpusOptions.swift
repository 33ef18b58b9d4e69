import AisleFiles
import ArgumentParser

/// Which labelled items are read: shared by the commands that take a corpus.
struct CorpusOptions: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Corpus files, or folders of them (default: the configuration, then the nearest `corpus` folder, here or above).",
      valueName: "path"),
    completion: .file(extensions: ["tsv"]))
  var corpus: [String] = []

  func validate() throws {
    if corpus.contains("") { throw ValidationError("--corpus is empty; name a file or a folder.") }
  }

  /// The corpus files and folders: those named, else the configuration's, else the nearest `corpus` folder upward, else none.
  ///
  /// - Throws: `FileError` when the one that was found may be another user's word.
  func found(_ configuration: Configuration?) throws -> [String] {
    if !corpus.isEmpty { return corpus }
    if let set = configuration?.corpus, !set.isEmpty { return set.map(\.value) }
    guard let folder = try UpwardSearch.nearestOwn("corpus", option: "--corpus", where: FileReader.isFolder) else { return [] }
    return [folder]
  }

  /// The corpus files and folders, at least one.
  ///
  /// - Throws: `CommandFailure` when none is named and none found; what `found` throws.
  func paths(_ configuration: Configuration?) throws -> [String] {
    let found = try found(configuration)
    if found.isEmpty {
      throw CommandFailure(
        description: """
          no `corpus` folder here or above; name labeled items with --corpus, or label your own: `aisle label list.txt --to mine.tsv`
          """)
    }
    return found
  }
}
