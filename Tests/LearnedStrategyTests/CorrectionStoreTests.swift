import AisleCore
import Foundation
import GRDB
import Testing

@testable import CorrectionMatching
@testable import LearnedStrategy

struct `The store of corrections` {
  private let folder: ScratchFolder
  private let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder.file("deep/down/aisle.db")
  }

  private func open() throws -> CorrectionStore { try CorrectionStore(path) }

  @Test func `is made by the first change, with its folder, for the user alone; reading makes nothing`() throws {
    #expect(try LearnedCorrections.open(path) == nil)
    #expect(throws: CorrectionStoreError.self) { try CorrectionStore(path, access: .reading) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    try open().correct(Correction("oat milk", "Snacks"))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try FileManager.default.attributesOfItem(atPath: folder.file("deep"))[.posixPermissions] as? Int == 0o700)
  }

  @Test func `keeps a correction as it was written, and one an item and store`() throws {
    let store = try open()
    let first = Correction("Crème brûlée ☕️ \"x\"", "Snacks", shelf: "granola-bars", by: "jané", model: "m", time: 123)
    #expect(try store.correct(first) == nil)
    #expect(try store.corrections() == [first])
    let second = Correction("creme  BRULEE x", "Bakery", time: 124)
    #expect(try store.correct(second) == first)
    #expect(try store.corrections() == [second])
    try store.correct(Correction("creme brulee x", "Front", store: "corner"))
    #expect(try store.correctionCount() == 2)
  }

  @Test func `gives the newest first, page by page, of one store, and those that are meant`() throws {
    let store = try open()
    for number in 0..<25 {
      try store.correct(Correction("item \(number)", "Snacks", store: number % 5 == 0 ? "corner" : "kroger", time: number / 2))
    }
    var (found, last): ([Correction], CorrectionStore.Place?) = ([], nil)
    while let page = try Optional(store.newest(4, after: last)), let end = page.last {
      #expect(page.count == 4 || found.count == 24)
      found += page
      last = CorrectionStore.Place(time: end.origin.time, store: end.store, item: end.item)
      // What is added meanwhile is newer, and moves nothing.
      try store.correct(Correction("new \(found.count)", "Snacks", time: 1000))
    }
    let expected = try store.corrections().filter { $0.origin.time < 1000 }.sorted {
      ($1.origin.time, $0.store, $0.item) < ($0.origin.time, $1.store, $1.item)
    }
    #expect(found == expected)
    #expect(try store.newest(99, of: "corner").map(\.item) == ["item 20", "item 15", "item 10", "item 5", "item 0"])
    #expect(try store.newest(2) { $0.item.hasSuffix("3") }.map(\.item) == ["item 23", "item 13"])
  }

  static let unfit: [(Correction, String)] = [
    (Correction("…", "Snacks"), "no letter or digit"), (Correction("", "Snacks"), "no letter or digit"),
    (Correction("a\0b", "Snacks"), "NUL"), (Correction(String(repeating: "a", count: 1025), "Snacks"), "1025 bytes"),
    (Correction("a", ""), "section's name"), (Correction("a", "S\n"), "section's name"),
    (Correction("a", "Snacks", store: "../x"), "store id"), (Correction("a", "Snacks", shelf: "A B"), "shelf"),
    (Correction("a", "Snacks", by: ""), "proposer's name"), (Correction("a", "Snacks", model: "\u{1B}"), "model's name"),
    (Correction("a", "Snacks", time: .max), "years 0 to 9999"),
  ]

  @Test(arguments: unfit.indices)
  func `refuses what cannot be kept, and says why`(row: Int) throws {
    let (correction, reason) = Self.unfit[row]
    let store = try open()
    let error = #expect(throws: CorrectionStoreError.self) { try store.correct(correction) }
    #expect(error?.description.contains(reason) ?? false, "\(String(describing: error))")
    #expect(try store.correctionCount() == 0)
  }

  @Test func `is safe as its notes say: rollback journal, full synchronisation, checks on`() throws {
    let store = try open()
    try store.correct(Correction("oat milk", "Snacks"))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(bytes[18] == 1 && bytes[19] == 1, "no write-ahead log")
    #expect(bytes[68..<72].elementsEqual("AISL".utf8))
    for (setting, value) in [
      ("journal_mode", "delete"), ("synchronous", "3"), ("trusted_schema", "0"), ("cell_size_check", "1"), ("foreign_keys", "1"),
      ("busy_timeout", "5000"), ("user_version", "5"),
    ] {
      #expect(try store.setting(setting) == [value], "\(setting)")
    }
  }

  @Test func `a file of the third version is read as it is, and the first change brings it up to date without a loss`() throws {
    let store = try open()
    try store.propose([Suggestion("kale", "Snacks", "Produce")])
    try store.correct(Correction("oat milk", "Snacks"))
    let before = try store.corrections()
    try store.write { database in
      let later = ["acceptance", "former_acceptance", "shared", "change_mark", "overruled", "server"]
      for statement in later.map({ "DROP TABLE \($0)" }) + ["PRAGMA user_version = 3"] {
        try database.execute(sql: statement)
      }
    }
    let reader = try CorrectionStore(path, access: .reading)
    #expect(try reader.corrections() == before && reader.setting("user_version") == ["3"])
    let updated = try open()
    #expect(try updated.setting("user_version") == ["5"] && updated.problems().isEmpty)
    try updated.decide([1], .accept, by: "jane", time: 9)
    #expect(try updated.corrections().map(\.origin.accepter) == ["jane", nil])
    #expect(try updated.corrections().contains(before[0]))
    _ = try updated.undo(time: 10)
    #expect(try updated.corrections() == before)
  }

  @Test func `a strategy that runs is a snapshot; one that is made anew knows what was taught, and who taught it`() async throws {
    let store = try open()
    let taxonomy = try KrogerFolder.taxonomy
    func categorizer() throws -> Categorizer {
      let learned = LearnedStrategy(taxonomy, try LearnedCorrections.open(path))
      return try Categorizer(taxonomy: taxonomy, chain: Chain([Chain.Link(learned)]))
    }
    let before = try categorizer()
    try store.correct(Correction("oat milk", "Snacks", by: "jane"))
    #expect(try await before.categorize("oat milk").strategy == nil)
    let item = try await categorizer().categorize("2 oat milks")
    #expect(item.section.name == "Snacks" && item.strategy == "learned")
    #expect(item.note?.hasPrefix("oat milk, by jane on 20") == true, "\(item)")
  }

  // MARK: Forgetting and undoing

  @Test func `forgets by item, store, proposer and model, together`() throws {
    let store = try open()
    let all = [
      Correction("oat milk", "Snacks"), Correction("kale", "Bakery", by: "llm", model: "a"),
      Correction("leek", "Bakery", by: "llm", model: "b"), Correction("kale", "Front", store: "corner"),
    ]
    for (selection, items, left) in [
      (CorrectionStore.Selection(), ["OAT MILK"], ["kale", "kale", "leek"]),
      (.init(model: "a"), [], ["kale", "oat milk", "leek"]),
      (.init(proposer: "llm"), [], ["kale", "oat milk"]), (.init(store: "kroger"), ["kale"], ["kale", "leek", "oat milk"]),
      (.init(store: "corner"), [], ["kale", "leek", "oat milk"]), (.init(), [], []), (.init(model: "c"), [], nil),
    ] as [(CorrectionStore.Selection, [String], [String]?)] {
      _ = try store.take(all, winner: .taken, time: 1)
      let count = try store.forget(items: items, selection, time: 2).count
      let items = try store.corrections().map(\.item).sorted()
      #expect(items == (left ?? all.map(\.item)).sorted())
      #expect(count == all.count - items.count)
      if count > 0 { #expect(try store.undo(time: 3) != nil) }
      #expect(Set(try store.corrections()) == Set(all))
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `undoing everything, in turn, ends where it began`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try open()
    var states: [Set<Correction>] = [[]]
    var suggested: [Set<Suggestion>] = [[]]
    let items = (0..<6).map { "item \("abcdef".dropFirst($0).prefix(1))x" }
    let sections = ["Snacks", "Bakery", "Produce"]
    try store.propose(items.map { Suggestion($0, "Other", "Snacks") })
    suggested = [Set(try store.suggestions(nil).map(\.suggestion))]
    func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }
    for step in 0..<60 {
      let before = try store.corrections()
      let pending = try store.suggestions().map(\.id)
      switch random.next() % 5 {
      case 0: try store.correct(Correction(pick(items), pick(sections), time: step))
      case 1: if try store.forget(items: [pick(items)], .init(), time: step).count == 0 { continue }
      case 2:
        if pending.isEmpty { continue }
        try store.decide([pick(pending)], random.next() % 2 == 0 ? .accept : .dismiss, time: step)
      case 3:
        _ = try store.take([Correction(pick(items), pick(sections), time: step)] + before.prefix(2), winner: .newer, time: step)
      default:
        let renamed = try store.renameSection(store: "kroger", from: pick(sections), to: pick(sections), time: step)
        if renamed == (0, 0) { continue }
      }
      states.append(Set(try store.corrections()))
      suggested.append(Set(try store.suggestions(nil).map(\.suggestion)))
    }
    while states.count > 1 {
      #expect(try store.undo(time: 1000) != nil)
      states.removeLast()
      suggested.removeLast()
      #expect(Set(try store.corrections()) == states.last, "seed \(seed), \(states.count) steps from the beginning")
      #expect(Set(try store.suggestions(nil).map(\.suggestion)) == suggested.last, "seed \(seed)")
    }
    #expect(try store.undo(time: 1000) == nil)
    #expect(try store.problems() == [])
  }

  @Test func `what changes nothing is no action, so that the one before is undone`() throws {
    let store = try open()
    let newer = Correction("kale", "Snacks", time: 5)
    try store.correct(newer)
    for (taken, winner) in [
      ([], .newer), ([newer], .newer), ([newer], .taken), ([Correction("kale", "Bakery", time: 4)], .newer),
    ]
      as [([Correction], CorrectionStore.Winner)]
    {
      #expect(try store.take(taken, winner: winner, time: 6).outcome.unchanged == taken.count)
    }
    #expect(try store.renameSection(store: "kroger", from: "Bakery", to: "Deli", time: 7) == (0, 0))
    #expect(try store.undo(time: 8) == "correct kale -> Snacks")
    #expect(try store.corrections() == [])
  }

  @Test func `an action is undone by its number unless what it changed was changed again`() throws {
    let store = try open()
    try store.propose([Suggestion("kale", "Snacks", "Produce"), Suggestion("leek", "Snacks", "Produce")])
    let first = try store.decide([1], .accept, time: 10)
    let second = try store.decide([2], .accept, time: 11)
    #expect(try store.undo(first.action, time: 12) == "accept suggestion 1")
    #expect(try store.corrections().map(\.item) == ["leek"])
    try store.correct(Correction("leek", "Bakery", time: 13))
    let error = #expect(throws: CorrectionStoreError.self) { try store.undo(second.action, time: 14) }
    #expect(error?.description.contains("cannot be undone: a later action changed the same entries") ?? false)
    #expect(try store.corrections().map(\.section) == ["Bakery"])
  }

  @Test func `a forget is not undone once the item was taught again, unless that is undone first`() throws {
    let store = try open()
    try store.correct(Correction("kale", "Snacks", by: "a", time: 1))
    let forgotten = try #require(try store.forget(items: ["kale"], .init(), time: 2).action)
    let newer = Correction("kale", "Bakery", by: "b", time: 3)
    let taught = try store.teach(newer).action
    let error = #expect(throws: CorrectionStoreError.self) { try store.undo(forgotten, time: 4) }
    #expect(error?.description == "`forget kale` cannot be undone: a later action changed the same entries")
    #expect(try store.corrections() == [newer])
    #expect(try store.undo(taught, time: 5) == "correct kale -> Bakery" && store.undo(forgotten, time: 6) == "forget kale")
    #expect(try store.corrections().map(\.section) == ["Snacks"])
  }

  // MARK: Merging

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `merging gives the same whoever merges with whom`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func some() -> [Correction] {
      (0..<40).map { _ in
        Correction(
          "item \(["a", "b", "c", "d", "e"][Int(random.next() % 5)])", ["Snacks", "Bakery"][Int(random.next() % 2)],
          store: ["kroger", "corner"][Int(random.next() % 2)], by: ["jane", "joe"][Int(random.next() % 2)],
          time: Int(random.next() % 4))
      }
    }
    let (left, right) = (some(), some())
    func merged(_ parts: [[Correction]], _ name: String) throws -> [Correction] {
      let store = try CorrectionStore(folder.file(name))
      for part in parts { _ = try store.take(part, winner: .newer, time: 1) }
      return try store.corrections()
    }
    let one = try merged([left, right], "one.db")
    #expect(one == (try merged([right, left], "two.db")), "seed \(seed)")
    #expect(one == (try merged([right, left, right, left], "three.db")), "seed \(seed)")
    #expect(one == (try merged([(left + right).reversed()], "four.db")), "seed \(seed)")
  }

  @Test func `the newer stands, conflicts are reported, and one that is unfit lets nothing in`() throws {
    let store = try open()
    let mine = [
      Correction("kale", "Snacks", time: 10), Correction("leek", "Snacks", time: 10), Correction("oats", "Snacks", time: 10),
    ]
    _ = try store.take(mine, winner: .newer, time: 11)
    let theirs = [
      Correction("Kale", "Bakery", time: 12), Correction("leek", "Bakery", time: 9), Correction("oats", "Snacks", time: 12),
      Correction("rye", "Bakery", time: 1),
    ]
    let (outcome, conflicts) = try store.take(theirs, winner: .newer, time: 13)
    #expect((outcome.added, outcome.replaced, outcome.unchanged) == (1, 2, 1))
    #expect(conflicts.map(\.kept.section) == ["Bakery", "Snacks"])
    #expect(conflicts.map(\.dropped.section) == ["Snacks", "Bakery"])
    #expect(try store.corrections().map(\.section) == ["Bakery", "Snacks", "Snacks", "Bakery"])
    #expect(throws: CorrectionStoreError.self) {
      try store.take([Correction("new", "Snacks"), Correction("", "Snacks")], winner: .taken, time: 14)
    }
    #expect(try store.correctionCount() == 4)
  }

  // MARK: Files of others

  @Test(arguments: [-8_000_000_000, 0, 4_000_000_000, 8_000_000_000] as [Double])
  func `a file of a strange time is not taken for one that was just written`(time: Double) throws {
    // On a file system that keeps such times.
    let folder = try ScratchFolder(inMemory: true)
    let path = folder.file("aisle.db")
    try Data().write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: path)
    #expect(!FileMark(path).isFresh)
  }

  @Test func `a path names a file, whatever SQLite makes of such names; an empty one names none`() throws {
    let path = "file:aisle-\(UUID().uuidString).db?mode=memory"
    defer { for name in [path, path + "-index"] { try? FileManager.default.removeItem(atPath: name) } }
    try CorrectionStore(path).correct(Correction("oat milk", "Snacks"))
    #expect(try CorrectionStore(path, access: .reading).correctionCount() == 1)
    #expect(try LearnedCorrections.open(path)?.count == 1)
    for attempt in [
      { _ = try CorrectionStore("") }, { _ = try CorrectionStore("", access: .reading) }, { _ = try LearnedCorrections.open("") },
    ] {
      let error = #expect(throws: CorrectionStoreError.self) { try attempt() }
      #expect(error?.description == "(an empty path): name the corrections file")
    }
  }

  @Test(arguments: [1, 2])
  func `a lock that does not go away is an error that says how long it was waited for`(patience: Int) throws {
    try open().correct(Correction("oat milk", "Snacks"))
    let store = try open()
    let holder = try DatabaseQueue(path: path)
    try holder.writeWithoutTransaction { database in
      try database.execute(sql: "BEGIN EXCLUSIVE")
      for attempt in [
        { _ = try CorrectionStore(path, access: .reading, patience: patience) },
        { _ = try CorrectionStore(path, access: .writing, patience: patience) },
      ] {
        let start = ContinuousClock.now
        let error = #expect(throws: CorrectionStoreError.self) { try attempt() }
        let waited = (ContinuousClock.now - start).components.seconds
        #expect(error?.kind == .busy)
        let said = error?.reason.firstMatch(of: /for (\d+) s/).flatMap { Int64($0.1) }
        #expect(said.map { (Int64(patience)...waited).contains($0) } == true, "\(String(describing: error)), in fact \(waited) s")
      }
      try database.execute(sql: "ROLLBACK")
    }
    #expect(try store.correctionCount() == 1)
  }

  @Test func `who reads one file waits for nobody who is at another, and without patience not for one at the same either`() throws
  {
    let (one, other) = (try CorrectionStore(folder.file("one.db")), try CorrectionStore(folder.file("other.db")))
    for store in [one, other] { try store.correct(Correction("oat milk", "Snacks", time: 1)) }
    func count(_ name: String) throws -> Int? {
      try LearnedCorrections.open(folder.file(name), patience: 0, report: { _ in })?.count
    }
    try one.read { _ throws in
      let error = #expect(throws: CorrectionStoreError.self) { try count("one.db") }
      #expect(error?.kind == .busy)
      #expect(try count("other.db") == 1)
    }
    #expect(try count("one.db") == 1)
  }

  @Test func `a newer file, and a stranger's, are refused and left as they are`() throws {
    try open().correct(Correction("oat milk", "Snacks"))
    var newer = try Data(contentsOf: URL(fileURLWithPath: path))
    newer[63] = 99
    var stranger = newer
    stranger[63] = 1
    stranger[68] = 0
    for (bytes, reason, kind) in [
      (newer, "newer aisle (format 99", .newer), (stranger, "another program's database", .foreign),
      (Data("hello, this is a diary".utf8), "is not a corrections file", .foreign),
    ] as [(Data, String, CorrectionStoreError.Kind)] {
      let file = folder.file("other.db")
      try bytes.write(to: URL(fileURLWithPath: file))
      for attempt in [
        { _ = try CorrectionStore(file) }, { _ = try CorrectionStore(file, access: .reading) },
        { _ = try LearnedCorrections.open(file) },
      ] {
        let error = #expect(throws: CorrectionStoreError.self) { try attempt() }
        #expect(error?.kind == kind)
        #expect(error?.description.hasPrefix(file) ?? false)
        #expect(error?.description.contains(reason) ?? false, "\(String(describing: error))")
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == bytes)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["deep", "other.db"])
    }
  }
}
