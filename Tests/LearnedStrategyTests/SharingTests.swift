import AisleCore
import Foundation
import GRDB
import Testing

@testable import CorrectionMatching
@testable import LearnedStrategy

struct `Corrections that machines share` {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder(inMemory: true) }

  private func open(_ name: String) throws -> CorrectionStore { try CorrectionStore(folder.file("\(name).db")) }

  private func all(_ store: CorrectionStore) throws -> Set<SharedChange> { try Set(store.changes(limit: .max).changes) }

  private func sync(_ store: CorrectionStore, _ server: FaultyServer, at time: Int = 0) async throws -> CorrectionSync.Report {
    try await CorrectionSync(store, server, clock: { time }).sync()
  }

  // MARK: What is told

  @Test func `a correction, an accept, a rename, a forget and an undo are each told once, with who and when`() throws {
    let store = try open("one")
    let start = try store.changes()
    #expect(start.changes.isEmpty && !start.hasMore && !start.isAnew)
    try store.correct(Correction("oat milk", "Snacks", shelf: "granola-bars", time: 10))
    try store.propose([Suggestion("kale", "Snacks", "Produce", time: 11)])
    try store.decide([1], .accept, by: "ann", time: 12)
    let first = try store.changes(after: start.next)
    #expect(first.changes.map(\.item) == ["oat milk", "kale"] && first.changes.map(\.time) == [10, 12])
    #expect(first.changes[0].shelf == "granola-bars" && first.changes[1].origin.accepter == "ann")
    #expect(try store.changes(after: first.next).changes == [])
    _ = try store.renameSection(store: "kroger", from: "Snacks", to: "Bites", time: 20)
    _ = try store.forget(items: ["kale"], .init(), by: "bob", time: 21)
    let second = try store.changes(after: first.next)
    #expect(second.changes.map(\.section) == ["Bites", nil] && second.changes.map(\.time) == [20, 21])
    #expect(second.changes[0].origin.time == 10 && second.changes[1].origin == Origin(proposer: "bob", time: 21))
    #expect(try store.undo(by: "cy", time: 22) == "forget kale")
    let third = try store.changes(after: second.next)
    #expect(third.changes.map(\.section) == ["Produce"] && third.changes.map(\.time) == [22])
    #expect(third.changes[0].origin == Origin(proposer: "model", accepter: "ann", time: 12))
    #expect(try store.changes(limit: 1).hasMore)
  }

  @Test func `who took up that a server has no file yet, and then fills it, has nothing more to take up`() throws {
    let (store, server) = (try open("one"), try open("server"))
    try store.correct(Correction("kale", "Snacks"))
    _ = try store.take(.empty(after: nil), from: "s", time: 1)
    let told = try store.changesToPush(to: "s", limit: 9)
    let merge = try server.merge(told.changes, time: 2)
    try store.notePushed(told.end, to: "s", ChangeReceipt(outcome: merge.outcome, before: merge.before, next: merge.next))
    #expect(try store.sharing(with: "s") == SharingState(pulled: merge.next, pushed: told.end))
    let all = try server.changes(after: ChangePage.empty(after: nil).next)
    #expect(all.changes.count == 1 && !all.isAnew)
  }

  @Test func `a change made with a slow clock is still later than what it changes`() throws {
    let store = try open("one")
    try store.correct(Correction("kale", "Snacks", time: 1000))
    try store.correct(Correction("kale", "Produce", time: 5))
    #expect(try store.changes().changes.map(\.time) == [1001])
    #expect(try store.corrections().map(\.origin.time) == [5])
    _ = try store.undo(time: 1)
    #expect(try store.changes().changes.map(\.time) == [1002])
    #expect(try store.changes().changes.map(\.section) == ["Snacks"])
  }

  @Test func `long changes come in pages that a server can take`() throws {
    let store = try open("one")
    let text = String(repeating: "\u{1}", count: 1000)
    let many = (0..<400).map {
      Correction(
        "\(text) x\(String($0, radix: 5).map { "abcde".dropFirst($0.wholeNumberValue ?? 0).prefix(1) }.joined())", "Snacks")
    }
    _ = try store.take(many, winner: .taken, time: 1)
    var (cursor, count, pages): (String?, Int, Int) = (nil, 0, 0)
    while true {
      let page = try store.changes(after: cursor)
      #expect(SharedChangeJSON.body(page).count < 1 << 20)
      (cursor, count, pages) = (page.next, count + page.changes.count, pages + 1)
      if !page.hasMore { break }
    }
    #expect(count == 400 && pages > 2)
  }

  // MARK: Cursors

  @Test func `a cursor of another file, of a restored one, or of none begins anew instead of passing changes over`() throws {
    let store = try open("one")
    for time in 1...5 { try store.correct(Correction("kale", "Snacks", time: time)) }
    let backup = try Data(contentsOf: URL(filePath: store.path))
    let kept = try store.changes().next
    for time in 6...9 { try store.correct(Correction("leek", "Snacks", time: time)) }
    let lost = try store.changes().next
    try backup.write(to: URL(filePath: store.path))
    let restored = try open("one")
    #expect(try !restored.changes(after: kept).isAnew)
    #expect(try restored.changes(after: lost).isAnew)
    for time in 6...20 { try restored.correct(Correction("milk", "Snacks", time: time)) }
    let page = try restored.changes(after: lost)
    #expect(page.isAnew && page.changes.map(\.item) == ["kale", "milk"])
    #expect(try restored.changes(after: kept).changes.map(\.item) == ["milk"])
    let other = try open("two")
    try other.correct(Correction("oats", "Snacks"))
    for cursor in [kept, "", "x", "3-", "-1-1", "99999999999999999999-1", "0-1"] {
      let page = try other.changes(after: cursor)
      #expect(page.isAnew && page.changes.map(\.item) == ["oats"], "\(cursor)")
    }
  }

  @Test func `what an older version taught is told first, and a reader of its file is told to let it be updated`() throws {
    let store = try open("one")
    let before = [Correction("kale", "Produce", time: 5), Correction("leek", "Produce", time: 4)]
    for correction in before { try store.correct(correction) }
    try store.write { database in
      for table in ["shared", "change_mark", "overruled", "server"] { try database.execute(sql: "DROP TABLE \(table)") }
      try database.execute(sql: "PRAGMA user_version = 4")
    }
    let reader = try CorrectionStore(store.path, access: .reading)
    #expect(try reader.corrections() == before)
    let error = #expect(throws: CorrectionStoreError.self) { try reader.changes() }
    #expect(error?.description.contains("brings it up to date") ?? false)
    let page = try open("one").changes()
    #expect(page.changes == before.map { SharedChange($0) } && !page.next.isEmpty)
    #expect(try open("one").problems() == [])
  }

  // MARK: Merging

  @Test func `the later one wins whatever the order, what lost is kept, and a merge is undone by its number`() throws {
    let store = try open("one")
    try store.correct(Correction("kale", "Produce", by: "ann", time: 10))
    let older = SharedChange(Correction("Kale", "Bakery", by: "bob", time: 9))
    let newer = SharedChange(Correction("KALE", "Snacks", by: "cy", model: "m", time: 11))
    let lost = try store.merge([older], from: "there", time: 20)
    #expect(lost.outcome.unchanged == 1 && lost.action == nil && lost.conflicts.map(\.kept.section) == ["Produce"])
    let won = try store.merge([newer, older, newer], from: "there", time: 21)
    #expect(won.outcome.replaced == 1 && won.outcome.unchanged == 2)
    #expect(try store.corrections() == [newer.correction])
    #expect(try store.overruled().map(\.section) == ["Bakery", "Produce"])
    _ = try store.merge([newer, older], time: 22)
    #expect(try store.overruled().count == 2)
    let error = #expect(throws: CorrectionStoreError.self) { try store.undo(time: 23) }
    #expect(error?.reason.contains("a later action changed the same entries") ?? false)
    #expect(try store.undo(won.action, time: 24) == "merge 3 changes from there")
    #expect(try store.corrections().map(\.section) == ["Produce"])
    #expect(try store.changes().changes.map(\.time) == [24])
    #expect(try store.undo(time: 25) == "correct kale -> Produce")
  }

  @Test func `a forgotten item stays forgotten when an older correction comes, and comes back with a newer one`() throws {
    let store = try open("one")
    let gone = SharedChange(store: "kroger", item: "kale", section: nil, origin: Origin(proposer: "ann", time: 10))
    #expect(try store.merge([gone], time: 0).outcome.unchanged == 1)
    #expect(try store.merge([SharedChange(Correction("kale", "Snacks", time: 9))], time: 0).outcome.added == 0)
    #expect(try store.correctionCount() == 0)
    #expect(try store.merge([SharedChange(Correction("kale", "Snacks", time: 11))], time: 0).outcome.added == 1)
    #expect(try store.merge([gone], time: 0).outcome.replaced == 0)
    #expect(try store.correctionCount() == 1)
  }

  static let unfit: [(SharedChange, String)] = [
    (SharedChange(Correction("…", "Snacks")), "no letter or digit"), (SharedChange(Correction("a", "")), "section's name"),
    (SharedChange(store: "a/b", item: "a", section: nil, origin: Origin(proposer: "x", time: 0)), "store id"),
    (SharedChange(store: "a", item: "a", section: nil, origin: Origin(proposer: "", time: 0)), "proposer's name"),
    (SharedChange(Correction("a", "Snacks"), time: .max), "years 0 to 9999"),
  ]

  @Test(arguments: unfit.indices)
  func `what cannot be kept is refused, and nothing beside it taken`(row: Int) throws {
    let store = try open("one")
    let error = #expect(throws: CorrectionStoreError.self) {
      try store.merge([SharedChange(Correction("kale", "Snacks")), Self.unfit[row].0], time: 0)
    }
    #expect(error?.description.contains(Self.unfit[row].1) ?? false && error?.kind == .invalid)
    #expect(try store.changes().changes.isEmpty)
  }

  // MARK: Servers

  @Test func `a sync with nothing to do is one request, and what a server told is not told to it again`() async throws {
    let (home, phone) = (try open("home"), try open("phone"))
    let server = FaultyServer("home", home)
    try home.correct(Correction("kale", "Produce"))
    try phone.correct(Correction("leek", "Produce"))
    let first = try await sync(phone, server)
    #expect(first.pulled == 1 && first.here.added == 1 && first.pushed == 2)
    #expect(first.there.added == 1 && first.there.unchanged == 1)
    var before = server.requests
    let nothing = try await sync(phone, server)
    #expect(nothing == .init() && server.requests == before + 1)
    try home.correct(Correction("oats", "Snacks"))
    before = server.requests
    let taken = try await sync(phone, server)
    #expect(taken.pulled == 1 && taken.pushed == 0 && server.requests == before + 1)
    #expect(try all(home) == all(phone))
  }

  @Test(arguments: [false, true])
  func `a server that was restored from a backup gets back what it lost`(isPushOnly: Bool) async throws {
    let phone = try open("phone")
    var home = try open("home")
    try home.correct(Correction("oats", "Snacks"))
    try phone.correct(Correction("kale", "Produce"))
    _ = try await sync(phone, FaultyServer("home", home))
    let backup = try Data(contentsOf: URL(filePath: home.path))
    try phone.correct(Correction("leek", "Produce"))
    _ = try await sync(phone, FaultyServer("home", home))
    if isPushOnly { _ = try await sync(phone, FaultyServer("home", home)) }
    try backup.write(to: URL(filePath: home.path))
    home = try open("home")
    try home.correct(Correction("milk", "Snacks"))
    let report =
      try await isPushOnly
      ? CorrectionSync(phone, FaultyServer("home", home), clock: { 0 }).push() : sync(phone, FaultyServer("home", home))
    #expect(report.isAnew)
    _ = try await sync(phone, FaultyServer("home", home))
    #expect(try all(home) == all(phone) && home.corrections().map(\.item) == ["kale", "leek", "milk", "oats"])
  }
}
