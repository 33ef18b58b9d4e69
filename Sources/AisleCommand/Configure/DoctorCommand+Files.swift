import AisleCatalog
import AisleCore
import AisleFiles
import FlatFiles
import LearnedStrategy
import ModelStrategy

extension DoctorCommand {
  /// What is known of the indexes that are kept of stores and of the corrections, whether they are used now or not.
  func indexes(_ settled: SettledChain) -> [(State, String, String)] {
    storeIndexes() + (settled.corrections.value.map(correctionIndex) ?? [])
  }

  private func storeIndexes() -> [(State, String, String)] {
    let name = "cache"
    guard let cache = StoreCache.standard else { return [(.off, name, "none; stores are indexed on every run")] }
    let files = cache.check()
    let sizes = files.compactMap { try? $0.size.get() }
    let faults = files.compactMap { Self.fault(name, $0.path, $0.size, whoMakesIt: "the next run that needs it") }
    if !faults.isEmpty { return faults }
    if sizes.isEmpty { return [(.off, name, "\(cache.folder), no indexed stores yet")] }
    return [(.ok, name, "\(cache.folder), \(counted(sizes.count, "indexed store")), \(Self.size(sizes.reduce(0, +)))")]
  }

  private func correctionIndex(_ database: String) -> [(State, String, String)] {
    let name = "index"
    let file = IndexFile(database: database)
    let size = Result { () throws(FlatFileFault) in try file.check() }
    if let fault = Self.fault(name, file.path, size, whoMakesIt: "the next run that uses corrections") { return [fault] }
    return (try? size.get()).map { [(.ok, name, "\(file.path), \(Self.size($0))")] } ?? []
  }

  /// What is wrong with an index, if anything is.
  private static func fault(
    _ name: String, _ path: String, _ size: Result<Int, FlatFileFault>, whoMakesIt maker: String
  ) -> (State, String, String)? {
    guard case .failure(let fault) = size else { return nil }
    switch fault {
    case .missing, .foreign: return nil
    case .damaged: return (.wrong, name, "\(path): damaged; \(maker) rebuilds it")
    case .unusable(let reason): return (.wrong, name, "\(path): \(reason); remove it, and \(maker) rebuilds it")
    }
  }

  /// What is known of the model that was trained for the stores, where there is one.
  func trainedModel(_ settled: SettledChain) -> [(State, String, String)] {
    let name = "model"
    let link = settled.chain.value.links.first { $0.strategy == name }
    let locator = settled.locator
    let standard = locator.modelPath(in: locator.languages(of: settled.store.value).first)
    guard let path = link?.options.first(where: { $0.name == "file" })?.value ?? standard else { return [] }
    do {
      return [(.ok, name, "\(path), \(try ShelfModel.read(path).model.shelves.count) shelves")]
    } catch {
      return [(.wrong, name, "\(error)")]
    }
  }

  private static func size(_ bytes: Int) -> String {
    bytes < 1 << 20 ? "\((bytes + 1023) >> 10) KiB" : "\((bytes + 1 << 19) >> 20) MiB"
  }
}
