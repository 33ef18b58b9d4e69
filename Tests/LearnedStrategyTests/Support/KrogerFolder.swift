import AisleCore
import AisleFiles
import Foundation
import LearnedStrategy

/// The Kroger taxonomy as the files beside the sources have it, read once.
enum KrogerFolder {
  static var taxonomy: Taxonomy { get throws { try loaded.get() } }

  private static let loaded = Result { try read() }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "taxonomies")

  private static func read() throws -> Taxonomy {
    let (taxonomy, findings) = try TaxonomyFolder(path: folder.path).load("kroger")
    if let first = findings.first { throw first }
    return taxonomy
  }
}

extension Correction {
  /// A correction for Kroger, made at a time that is written down here.
  init(
    _ item: String, _ section: String, store: String = "kroger", shelf: String? = nil, by proposer: String = "jane",
    model: String? = nil, time: Int = 1_790_000_000_000
  ) {
    self.init(
      store: store, item: item, section: section, shelf: shelf, origin: Origin(proposer: proposer, model: model, time: time))
  }
}

extension Suggestion {
  /// A suggestion for Kroger.
  init(
    _ item: String, _ from: String, _ to: String, by proposer: String = "model", list: String? = nil,
    time: Int = 1_790_000_000_000
  ) {
    self.init(store: "kroger", item: item, from: from, to: to, list: list, origin: Origin(proposer: proposer, time: time))
  }
}

extension LearnedStrategy {
  /// What the strategy says of an item: its section, the rule, the confidence and the note; `nil` where it abstains.
  func answer(_ item: String, in taxonomy: Taxonomy) -> (section: String, rule: String, confidence: Float, note: String)? {
    var batch = Batch([item], taxonomy: taxonomy)
    decide(&batch)
    guard let decision = batch.decisions[0] else { return nil }
    return (
      batch.sectionName(decision.section), decision.evidence.rule.flatMap { metadata.rule(at: $0)?.name } ?? "",
      decision.confidence, decision.evidence.note.map { batch.notes[Int($0)] } ?? ""
    )
  }
}

/// A folder of its own for one test; it goes with the last reference.
final class ScratchFolder: Sendable {
  let path: String

  /// Makes a folder; in memory, where the system has a place for that, when thousands of writes would wait for a disk.
  init(inMemory isInMemory: Bool = false) throws {
    let memory = URL(filePath: "/dev/shm")
    let isThere = isInMemory && FileManager.default.isWritableFile(atPath: memory.path)
    path = (isThere ? memory : FileManager.default.temporaryDirectory).appending(path: "aisle-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in it.
  func file(_ name: String) -> String { "\(path)/\(name)" }
}
