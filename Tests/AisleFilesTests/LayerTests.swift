import AisleCore
import AisleFiles
import Foundation
import Testing

/// Folders that lie on each other.
struct `A layer of lines for shelves` {
  private static let shelves = ["fruit", "candy"]

  /// What a folder does to each word of a shelf: adds it, or takes it away.
  private typealias Layer = [String: [String: Bool]]

  /// One folder that does what two do on top of each other: the upper one has the last word.
  private static func merged(_ lower: Layer, _ upper: Layer) -> Layer {
    lower.merging(upper) { $0.merging($1) { $1 } }
  }

  private static func random(_ generator: inout Words) -> Layer {
    var layer: Layer = [:]
    for shelf in shelves {
      for word in 0..<6 where generator.next(3) > 0 { layer[shelf, default: [:]]["\(shelf) \(word)"] = generator.next(2) == 0 }
    }
    return layer
  }

  /// A small generator of its own, so that a seed says which case failed.
  private struct Words {
    var state: UInt64

    mutating func next(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
  }

  /// The keywords of the store under layers, the lowest first, each with its shelf.
  private static func keywords(_ layers: [Layer]) throws -> Set<String> {
    let root = FileManager.default.temporaryDirectory.appending(path: "aisle-layers-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    func write(_ text: String, _ name: String) throws {
      let file = root.appending(path: name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let sections = shelves.map { "  - {name: \($0), shelves: [\($0)]}\n" }.joined()
    try write("store: shop\nname: Shop\nfallback: Other\nsections:\n\(sections)  - {name: Other}\n", "0/shop.yaml")
    for shelf in shelves { try write((0..<3).map { "\(shelf) \($0)\n" }.joined(), "0/shelves/\(shelf).txt") }
    var folders = [TaxonomyFolder(path: root.appending(path: "0").path)]
    for (place, layer) in zip(1..., layers) {
      for (shelf, words) in layer.isEmpty ? [shelves[0]: [:]] : layer {
        let lines = words.sorted { $0.key < $1.key }.map { ($1 ? "" : "-") + $0 + "\n" }
        try write("# Of this layer.\n" + lines.joined(), "\(place)/shelves/\(shelf).txt")
      }
      folders.insert(TaxonomyFolder(path: root.appending(path: "\(place)").path, below: folders), at: 0)
    }
    let (taxonomy, findings) = try folders[0].load("shop")
    #expect(findings.allSatisfy { $0.message.hasPrefix("note") || $0.message.contains("removes nothing") }, "\(findings)")
    return Set(taxonomy.keywords.map { "\($0.shelf.map { taxonomy[$0].name } ?? ""): \($0.text)" })
  }

  @Test(arguments: 1...40)
  func `on another is as one layer that does what both do, wherever the three are divided`(seed: UInt64) throws {
    var generator = Words(state: seed)
    let (a, b, c) = (Self.random(&generator), Self.random(&generator), Self.random(&generator))
    let apart = try Self.keywords([a, b, c])
    #expect(try Self.keywords([Self.merged(a, b), c]) == apart, "seed \(seed)")
    #expect(try Self.keywords([a, Self.merged(b, c)]) == apart, "seed \(seed)")
    #expect(try Self.keywords([Self.merged(Self.merged(a, b), c)]) == apart, "seed \(seed)")
    #expect(Self.merged(Self.merged(a, b), c) == Self.merged(a, Self.merged(b, c)))
    #expect(try Self.keywords([[:], a, [:], b, c]) == apart, "a layer that changes nothing")
  }
}
