import AisleCore
import FileDamage
import Foundation
import Synchronization
import Testing

@testable import FlatFiles
@testable import CorrectionMatching
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

  /// Items that were corrected, some that are near them, and one that is not.
  private static func items(_ count: Int) -> [String] {
    (0..<150).map { "zork\(letters($0 * 131 % count)) ware" } + (0..<40).map { "zork\(letters($0 * 7 % count))s wares" }
      + ["nothing of the kind", "ware", "zork"]
  }

  private func answers(_ strategy: LearnedStrategy, _ items: [String]) -> [String] {
    var batch = Batch(items, taxonomy: taxonomy)
    strategy.decide(&batch)
    return batch.decisions.map { decision in
      guard let decision else { return "" }
      let note = decision.evidence.note.map { batch.notes[Int($0)] } ?? ""
      return "\(batch.sectionName(decision.section)) \(decision.confidence) \(note)"
    }
  }

  @Test(arguments: Damage.allCases, [200, 1500])
  func `no change on the disk is overlooked, though its time says that nobody wrote to it`(damage: Damage, count: Int) throws {
    try fill(try CorrectionStore(path), count)
    let items = Self.items(count)
    let right = answers(LearnedStrategy(taxonomy, try LearnedCorrections.open(path)), items)
    #expect(right.prefix(150).allSatisfy { !$0.isEmpty })
    let sound = try Data(contentsOf: URL(fileURLWithPath: index))
    var random = SeededGenerator(seed: UInt64(count + (Damage.allCases.firstIndex(of: damage) ?? 0)))
    for round in 0..<(count == 200 ? 30 : 4) {
      try Damage.put(damage.done(to: sound, &random), into: index)
      let reports = Reports()
      let corrections = try LearnedCorrections.open(path, report: reports.take)
      #expect(answers(LearnedStrategy(taxonomy, corrections), items) == right, "round \(round)")
      // A page that no item needed may still be damaged.
      let isSound = (try? Data(contentsOf: URL(fileURLWithPath: index))) == sound
      #expect(!isSound || !reports.lines.isEmpty, "round \(round): \(reports.lines)")
      #expect(reports.lines.count <= 1 && reports.lines.allSatisfy { $0.hasPrefix("\(index): damaged; rebuilt") })
      if count == 200 { #expect(isSound, "round \(round): it is made anew") }
      if !isSound { #expect(throws: FlatFileFault.self, "round \(round)") { try IndexFile(database: path).check() } }
    }
  }

  /// What was said to people.
  private final class Reports: Sendable {
    private let all = Mutex<[String]>([])
    var lines: [String] { all.withLock { $0 } }
    func take(_ line: String) { all.withLock { $0.append(line) } }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `cut or written to while it is in use, every answer is still that of the corrections`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let count = 1500
    try fill(try CorrectionStore(path), count)
    let items = Self.items(count)
    let right = answers(LearnedStrategy(taxonomy, try LearnedCorrections.open(path)), items)
    let sound = try Data(contentsOf: URL(fileURLWithPath: index))
    for round in 0..<4 {
      let reports = Reports()
      let strategy = LearnedStrategy(taxonomy, try LearnedCorrections.open(path, report: reports.take))
      #expect(answers(strategy, Array(items[..<70])) == Array(right[..<70]))
      let place = Int.random(in: 0..<sound.count, using: &random)
      let rest = round % 2 == 0 ? Data() : Data((place..<sound.count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
      try Damage.put(sound[..<place] + rest, into: index)
      #expect(answers(strategy, items) == right, "seed \(seed), round \(round), from \(place) of \(sound.count)")
      #expect(answers(strategy, items) == right, "seed \(seed), round \(round), again")
      #expect(reports.lines.count <= 1)
      // The last page is that of the names, which are read at once; all before it is in use.
      if place < sound.count / 2 { #expect(reports.lines.count == 1, "seed \(seed), round \(round): \(place)") }
      try Damage.put(sound, into: index)
    }
  }

  @Test func `damaged with its database gone, it is told and nothing is answered from it`() throws {
    let count = 1500
    try fill(try CorrectionStore(path), count)
    _ = try LearnedCorrections.open(path)
    let reports = Reports()
    let strategy = LearnedStrategy(taxonomy, try LearnedCorrections.open(path, report: reports.take))
    let sound = try Data(contentsOf: URL(fileURLWithPath: index))
    try Damage.put(Data(count: sound.count), into: index)
    try Data("a diary".utf8).write(to: URL(fileURLWithPath: path))
    #expect(answers(strategy, Self.items(count)).allSatisfy { $0.isEmpty })
    #expect(reports.lines.count == 1 && reports.lines[0].hasSuffix("continuing without corrections"), "\(reports.lines)")
  }

  @Test func `of a database behind a symbolic link it is the one beside the database`() throws {
    try fill(try CorrectionStore(path), 50)
    _ = try LearnedCorrections.open(path)
    let link = folder.file("link.db")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(try IndexFile(database: link).check() > 0)
  }

  @Test func `what is no file in its place is not waited for, and replaced`() throws {
    try fill(try CorrectionStore(path), 50)
    try #require(mkfifo(index, 0o600) == 0)
    #expect(try section("zorkb ware") == "Bakery")
    #expect(try IndexFile(database: path).check() > 0)
    try FileManager.default.removeItem(atPath: index)
    try FileManager.default.createDirectory(atPath: index, withIntermediateDirectories: true)
    #expect(try section("zorkb ware") == "Bakery")
    try FileManager.default.removeItem(atPath: index)
    try FileManager.default.createSymbolicLink(atPath: index, withDestinationPath: "/dev/full")
    #expect(try section("zorkb ware") == "Bakery")
    #expect(try IndexFile(database: path).check() > 0)
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
