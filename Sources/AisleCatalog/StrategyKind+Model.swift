import AisleFiles
import ModelStrategy

extension StrategyKind {
  /// The model trained on the shelves: the file that the chain names, else the one beside the stores, else the compiled-in one.
  static let model = StrategyKind(
    id: "model", summary: "what words and their parts have in common with the goods of each shelf, learned by `aisle train`",
    options: [Option("file", "the model's file; default: the one beside the stores, else the one compiled in")]
  ) { context, options in
    guard let path = options["file"] ?? context.shelfModel else { return ModelStrategy(context.taxonomy) }
    let text = ModelFile(try FileReader.read(path))
    do throws(ShelfModel.Fault) {
      return ModelStrategy(context.taxonomy, model: try ShelfModel(text.text))
    } catch {
      throw FileError(path: path, reason: "line \(error.line): \(error)")
    }
  }
}

/// A model's bytes in memory, for as long as it is used.
private final class ModelFile: Sendable {
  private nonisolated(unsafe) let bytes: UnsafeMutableBufferPointer<UInt8>

  init(_ contents: [UInt8]) {
    bytes = .allocate(capacity: max(contents.count, 1))
    _ = bytes.initialize(from: contents)
    count = contents.count
  }

  private let count: Int

  deinit { bytes.deallocate() }

  var text: ModelText { ModelText(UnsafePointer(bytes.baseAddress.unsafelyUnwrapped), count: count, owner: self) }
}
