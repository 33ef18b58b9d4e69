package import AisleCore
package import AisleFiles
package import ModelStrategy

extension StrategyKind {
  /// The model trained on the shelves: the file that the chain names, else the one beside the stores, else the compiled-in one.
  static let model = StrategyKind(
    id: "model", summary: "how much an item's words and their parts resemble each shelf, as learned by `aisle train`",
    options: [Option("file", "the model's file (default: the file beside the stores, then the compiled-in model)")]
  ) { context, options in
    ModelStrategy(context.taxonomy, model: try context.trainedModel(options["file"])?.model)
  }
}

extension StrategyContext {
  /// The model trained for the store, and its text; `nil` where there is none.
  ///
  /// - Parameter file: The file that somebody names.
  /// - Throws: What `ShelfModel.read` throws.
  package func trainedModel(_ file: String? = nil) throws(FileError) -> (model: ShelfModel, text: FlatTable<UInt8>)? {
    guard let path = file ?? shelfModel else { return nil }
    return try ShelfModel.read(path)
  }
}

extension ShelfModel {
  /// The model in a file, and its text.
  ///
  /// - Throws: `FileError` for a file that cannot be read, or holds no model of this version.
  package static func read(_ path: String) throws(FileError) -> (model: ShelfModel, text: FlatTable<UInt8>) {
    let text = FlatTable(ContiguousArray(try FileReader.read(path)))
    do throws(Fault) {
      return (try ShelfModel(text), text)
    } catch {
      throw FileError(path: path, reason: "line \(error.line): \(error)")
    }
  }
}
