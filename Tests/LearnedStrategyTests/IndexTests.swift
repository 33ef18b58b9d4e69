import AisleCore
import Foundation
import Testing

@testable import LearnedStrategy

struct `The index of corrections` {
  private let folder: ScratchFolder
  private let path: String
  private let taxonomy: Taxonomy

  init() throws {
    folder = try ScratchFolder()
    path = folder.file("aisle.db")
    var builder = TaxonomyBuilder(store: "kroger", name: "Kroger")
    for name in ["Produce", "Bakery", "Snacks", "Other"] { _ = builder.addSection(Section(name: name, color: .gray)) }
    taxonomy = builder.build()
  }

  private var index: String { path + "-index" }

  private func section(_ item: String) throws -> String? {
    LearnedStrategy(taxonomy, try LearnedCorrections.open(path)).answer(item, in: taxonomy)?.section
  }

  /// Corrections of invented goods, enough that the index is kept when a few change.
  private func fill(_ store: CorrectionStore, _ count: Int) throws {
    let sections = ["Snacks", "Bakery", "Produce"]
    _ = try store.take(
      (0..<count).map { Correction("zork\(Self.letters($0)) ware", sections[$0 % 3], time: $0) }, winner: .taken, time: 1)
  }

  private static func letters(_ number: Int) -> String {
    String(decoding: String(number).utf8.map { $0 - 0x30 + 0x61 }, as: UTF8.self)
  }

  @Test func `is made on the first reading, and used as long as nothing changed`() throws {
    let store = try CorrectionStore(path)
    try fill(store, 50)
    #expect(!FileManager.default.fileExists(atPath: index))
    #expect(try section("zorkb ware") == "Bakery")
    let made = try Data(contentsOf: URL(fileURLWithPath: index))
    #expect(try section("zorkc ware") == "Produce")
    #expect(try Data(contentsOf: URL(fileURLWithPath: index)) == made)
    let loaded = try #require(try LearnedCorrections.open(path))
    #expect(loaded.layers.count == 1 && loaded.count == 50)
  }

  @Test(arguments: [50, 6_000])
  func `follows every change at once, whatever it was`(count: Int) throws {
    let store = try CorrectionStore(path)
    try fill(store, count)
    #expect(try section("zorkb ware") == "Bakery")
    try store.correct(Correction("zorkb ware", "Snacks", time: 5))
    #expect(try section("zorkb ware") == "Snacks")
    #expect(try section("zorkbs ware") == "Snacks", "near items follow too")
    _ = try store.forget(items: ["zorkc ware"], .init(), time: 6)
    #expect(try LearnedStrategy(taxonomy, LearnedCorrections.open(path)).answer("zorkc ware", in: taxonomy)?.rule != "same")
    try store.correct(Correction("brand new", "Bakery", time: 7))
    #expect(try section("brand new") == "Bakery")
    _ = try store.undo(time: 8)
    _ = try store.undo(time: 9)
    _ = try store.undo(time: 10)
    #expect(try section("brand new") == nil)
    #expect(try section("zorkc ware") == "Produce")
    #expect(try section("zorkb ware") == "Bakery")
    #expect(try section("zorkd ware") == "Snacks")
  }

  @Test func `gives with many corrections and few changes what one made anew gives`() throws {
    let store = try CorrectionStore(path)
    try fill(store, 6_000)
    _ = try LearnedCorrections.open(path)
    for number in stride(from: 0, to: 6_000, by: 100) {
      try store.correct(Correction("zork\(Self.letters(number)) ware", "Other", time: 10_000 + number))
    }
    let layered = try #require(try LearnedCorrections.open(path))
    #expect(layered.layers.count == 2)
    try FileManager.default.removeItem(atPath: index)
    let fresh = try #require(try LearnedCorrections.open(path))
    #expect(fresh.layers.count == 1)
    let items =
      (0..<6_000).map { "zork\(Self.letters($0)) ware" } + [
        "zork", "zorkbbb wares", "a zorkbb ware", "ware zorkbb", "zorkxbb ware",
      ]
    var batches = [Batch(items, taxonomy: taxonomy), Batch(items, taxonomy: taxonomy)]
    LearnedStrategy(taxonomy, layered).decide(&batches[0])
    LearnedStrategy(taxonomy, fresh).decide(&batches[1])
    for place in items.indices {
      #expect(batches[0].decisions[place]?.section == batches[1].decisions[place]?.section, "\(items[place])")
      #expect(batches[0].decisions[place]?.confidence == batches[1].decisions[place]?.confidence, "\(items[place])")
    }
  }

  @Test func `is not believed when another database took the place of its own`() throws {
    try fill(try CorrectionStore(path), 6_000)
    #expect(try section("zorkb ware") == "Bakery")
    let other = try CorrectionStore(folder.file("other.db"))
    for number in 0..<3 {
      _ = try other.take([Correction("other \(Self.letters(number))", "Bakery")], winner: .taken, time: number)
    }
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: other.path, toPath: path)
    #expect(try section("zorkb ware") == nil)
    #expect(try section("other b") == "Bakery")
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `damaged anywhere, it is made anew or answers as before`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    try fill(try CorrectionStore(path), 200)
    #expect(try section("zorkb ware") == "Bakery")
    let sound = try Data(contentsOf: URL(fileURLWithPath: index))
    for _ in 0..<60 {
      var bytes = sound
      switch random.next() % 3 {
      case 0: bytes[Int(random.next() % UInt64(bytes.count))] ^= UInt8(truncatingIfNeeded: random.next() % 255 + 1)
      case 1: bytes = bytes.prefix(Int(random.next() % UInt64(bytes.count)))
      default:
        let start = Int(random.next() % UInt64(bytes.count - 64))
        for place in start..<start + 64 { bytes[place] = UInt8(truncatingIfNeeded: random.next()) }
      }
      try bytes.write(to: URL(fileURLWithPath: index))
      #expect(try section("zorkb ware") == "Bakery", "seed \(seed)")
      #expect(try section("zorkcc ware") == "Bakery", "seed \(seed)")
      #expect(try section("nothing of the kind") == nil, "seed \(seed)")
    }
  }

  @Test(arguments: [(seed: 1, count: 200), (2, 200), (3, 40_000), (4, 40_000)])
  func `damaged on the disk without a trace, it never crashes and never names what is not there`(seed: Int, count: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    try fill(try CorrectionStore(path), count)
    #expect(try section("zorkb ware") == "Bakery")
    let sound = try Data(contentsOf: URL(fileURLWithPath: index))
    var status = stat()
    try #require(stat(index, &status) == 0)
    let items = (0..<300).map { "zork\(Self.letters($0 * 131 % count)) ware" }
    for _ in 0..<12 {
      var bytes = sound
      for _ in 0..<200 {
        // Behind the header, which has a checksum of its own.
        bytes[1024 + Int(random.next() % UInt64(bytes.count - 1024))] = UInt8(truncatingIfNeeded: random.next())
      }
      try bytes.write(to: URL(fileURLWithPath: index))
      try #require(utimensat(AT_FDCWD, index, [status.st_mtim, status.st_mtim], 0) == 0)
      try #require(chmod(index, 0o600) == 0)
      #expect(IndexFile(database: path).load() != nil, "it is believed")
      let strategy = LearnedStrategy(taxonomy, try LearnedCorrections.open(path))
      var batch = Batch(items, taxonomy: taxonomy)
      strategy.decide(&batch)
      let wrong = items.indices.filter { place in
        guard let decision = batch.decisions[place] else { return false }
        let expected = ["Snacks", "Bakery", "Produce"][place * 131 % count % 3]
        return decision.evidence.rule.flatMap { strategy.metadata.rule(at: $0)?.name } == "same"
          && batch.sectionName(decision.section) != expected
      }
      #expect(wrong.isEmpty, "seed \(seed): \(wrong.map { items[$0] })")
    }
  }

  // MARK: Damaged databases

  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func `a damaged database is an error that names it, or harmless; never a crash, and never changed`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    do {
      let store = try CorrectionStore(path)
      try fill(store, 400)
      try store.propose((0..<40).map { Suggestion("zork\(Self.letters($0)) ware", "Snacks", "Other", time: 9_000) })
    }
    let sound = try Data(contentsOf: URL(fileURLWithPath: path))
    var errors = 0
    for _ in 0..<60 {
      var bytes = sound
      switch random.next() % 3 {
      case 0: bytes[Int(random.next() % UInt64(bytes.count))] ^= UInt8(truncatingIfNeeded: random.next() % 255 + 1)
      case 1: bytes = bytes.prefix(1 + Int(random.next() % UInt64(bytes.count - 1)))
      default:
        let page = Int(random.next() % UInt64(bytes.count / 4096)) * 4096
        for place in page..<page + 48 { bytes[place] = UInt8(truncatingIfNeeded: random.next()) }
      }
      try? FileManager.default.removeItem(atPath: index)
      try bytes.write(to: URL(fileURLWithPath: path))
      for attempt in [
        { _ = try LearnedCorrections.open(path) }, { _ = try CorrectionStore(path, access: .reading).corrections() },
        { _ = try CorrectionStore(path, access: .reading).suggestions(nil) },
        { _ = try CorrectionStore(path, access: .reading).problems() },
      ] {
        do { try attempt() } catch let error as CorrectionStoreError {
          errors += 1
          #expect(error.description.hasPrefix(path + ": "), "seed \(seed)")
          #expect([.damaged, .foreign, .newer, .system].contains(error.kind), "seed \(seed): \(error)")
        }
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes, "seed \(seed)")
    }
    #expect(errors > 0)
  }
}
