import AisleCore
import AisleFiles
import ModelStrategy

extension StrategyKind {
  /// The model trained on the shelves: the file that the chain names, else the one beside the stores, else the compiled-in one.
  static let model = StrategyKind(
    id: "model", summary: "what words and their parts have in common with the goods of each shelf, as `aisle train` found",
    options: [Option("file", "the model's file; default: the one beside the stores, else the one compiled in")]
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
