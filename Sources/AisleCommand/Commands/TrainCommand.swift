import AisleCatalog
import AisleCore
import AisleFiles
import ArgumentParser
import LearnedStrategy
import ModelStrategy

struct TrainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train", abstract: "Train the model that decides what no keyword does.",
    discussion: """
      Learns from the keywords of all shelves, from the part of the corpus that is for tuning, and from your corrections where they \
      name a shelf. The same input and seed give the same model, byte for byte. The model goes beside the stores, where every store \
      in that folder uses it in place of the compiled-in one.

      Examples:
        aisle train
        aisle train --db off --output /tmp/shelves.model
        aisle eval --chain 'keyword>=0.85,regex>=0.8,model(file=/tmp/shelves.model)'

      Exit codes: 0 saved; 2 bad data, or the file cannot be written; 64 usage.
      """)

  @Option(
    help: ArgumentHelp("The store whose sections confidences are fitted for (default: kroger).", valueName: "id"),
    completion: NameCompletion.store)
  var store = StoreLocator.standard

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Corpus files, or folders of them (default: the nearest `corpus` upward).", valueName: "path"),
    completion: .file(extensions: ["tsv"]))
  var corpus: [String] = []

  @Option(
    help: ArgumentHelp("The model (default: \(StoreLocator.modelName) beside the stores; `-` for standard output).", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(help: ArgumentHelp("The seed of the training.", valueName: "number"))
  var seed: UInt64 = 1

  @OptionGroup var options: CorrectionStoreOptions

  @MainActor
  func run() async throws {
    let locator = try options.stores.locate()
    let path = try output ?? standardPath(locator)
    let (taxonomy, _) = try locator.open(store)
    var set = TrainingSet(taxonomy, seed: seed)
    let named = try set.add(namedGoods())
    let corrections = try set.add(correctedGoods())
    Descriptor.standardError.tell(
      "aisle: training on \(set.keywordCount) keywords, \(named) items of the corpus, \(corrections) corrections\n")
    let model = ModelTrainer(shelves: set.shelves, examples: set.examples, seed: seed).train(sections: set.sections)
    if path == "-" {
      try model.withUnsafeBytes { try Descriptor.standardOutput.write($0) }
    } else {
      try FileWriter.replace(path, with: model)
      Descriptor.standardError.tell("\(path): \(model.count / 1024) KiB, \(set.shelves.count) shelves\n")
    }
  }

  private func standardPath(_ locator: StoreLocator) throws -> String {
    guard case .folder(let folder) = locator.source else {
      throw CommandFailure(description: "the stores are compiled in, so the model has no place beside them; name it with --output")
    }
    return "\(folder.path)/\(StoreLocator.modelName)"
  }

  /// The items of the corpus that are for tuning, with the shelf that is their first label.
  private func namedGoods() throws -> [(item: String, shelf: String)] {
    let nearest = FileReader.nearest("corpus", above: Environment.workingFolder).map { [$0] } ?? []
    let paths = corpus.isEmpty ? nearest : corpus
    let (read, faults) = try CorpusReader.read(paths)
    if !faults.isEmpty { throw BrokenCorpus(findings: faults) }
    return read.entries.compactMap { entry in
      guard entry.split == .tune, let label = read.labels[Int(entry.labels)].first else { return nil }
      return (read.item(entry), label)
    }
  }

  private func correctedGoods() throws -> [(item: String, shelf: String)] {
    guard options.corrections.settle(try options.stores.configuration()).value != nil, let kept = try options.openIfThere() else {
      return []
    }
    return try kept.corrections().compactMap { correction in correction.shelf.map { (correction.item, $0) } }
  }
}
