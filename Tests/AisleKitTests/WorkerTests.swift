import AisleCore
import AisleKit
import Foundation
import Testing

/// A chain that keeps its memory between batches of one item.
@Suite struct WorkerTests {
  @Test func `a worker decides and notes what its chain does, whatever it decided before`() throws {
    let opened = try OpenedStore.open("kroger")
    let chain = LocalChain(opened.links { _ in }, policy: UsualChain.policy, of: opened.taxonomy)
    let worker = LocalChain.Worker(chain)
    let corpus = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../corpus/catalog.tsv")
    let lines = try String(contentsOf: corpus, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
    var items = lines.prefix(1500).compactMap { $0.split(separator: "\t").first.map(String.init) }
    items += ["", "qwrtzx", "\0", String(repeating: "long oat milk ", count: 500), "chikcen thigs", "93/7"]
    var kept = Batch(taxonomy: opened.taxonomy)
    var noted = 0
    for var item in items {
      var batch = Batch([item], taxonomy: opened.taxonomy)
      chain.decide(&batch)
      item.withUTF8 { kept.setItem($0) }
      worker.decide(&kept)
      try #require(kept.decisions == batch.decisions, "\(item)")
      #expect(kept.notes == batch.notes && kept.bytes(0) == batch.bytes(0), "\(item)")
      noted += kept.notes.count
    }
    #expect(noted > 0)
  }
}
