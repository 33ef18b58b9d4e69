import AisleCore
import AisleFiles
import ModelStrategy

extension StrategyKind {
  /// The model trained on the shelves: the file that the chain names, else the one beside the stores, else the compiled-in one.
  static let model = StrategyKind(
    id: "model", summary: "how much an item's words and their parts resemble each shelf, as learned by `aisle train`",
    options: [Option("file", "the model's file (default: the file beside the stores, then the compiled-in model)")]
  ) { context, options in
    guard let path = options["file"] ?? context.shelfModel else { return ModelStrategy(context.taxonomy) }
    let text = FlatTable(ContiguousArray(try FileReader.read(path)))
    do throws(ShelfModel.Fault) {
      return ModelStrategy(context.taxonomy, model: try ShelfModel(text))
    } catch {
      throw FileError(path: path, reason: "line \(error.line): \(error)")
    }
  }
}
