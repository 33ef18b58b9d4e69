import AisleCore
import Foundation
import LearnedStrategy
import Testing

/// Accepts that were acknowledged are there after a loss of power, wherever it strikes: what a process did to its files is recorded,
/// and the disk is laid out anew as every loss could have left it.
///
/// By default at the moments that matter most; AISLE_TEST_POWER_LOSSES=all for each moment and each kind of loss, which takes minutes.
@Suite(.serialized) struct PowerLossTests {
  private static let count = 200

  @Test(
    "After a loss of power at any moment of 200 accepts, all that were acknowledged are there, and nothing is half there",
    .enabled(if: RecordedWrites.compiler != nil, "there is no C compiler to record what is written with"))
  func accepts() throws {
    defer { try? FileManager.default.removeItem(atPath: memory) }
    let events = try record()
    let said = events.indices.filter { if case .say = events[$0] { true } else { false } }
    try #require(said.count > Self.count)
    let isEverything = ProcessInfo.processInfo.environment["AISLE_TEST_POWER_LOSSES"] == "all"
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    var random = SeededGenerator(seed: seed)
    let target = "\(memory)/after"
    let detailed = Set(said.shuffled(using: &random).prefix(3).flatMap { max(0, $0 - 45)...min(events.count - 1, $0 + 2) })
    var disk = ForgetfulDisk(root: root)
    var (proposed, accepted, losses) = (false, 0, 0)
    for (place, event) in events.enumerated() {
      disk.apply(event)
      var isSaid = false
      if case .say(let text) = event {
        isSaid = true
        if text.contains("\(Self.count) new") { proposed = true }
        accepted += text.components(separatedBy: "accepted: Produce\n").count - 1
      }
      let kinds: [ForgetfulDisk.Loss] =
        isEverything || detailed.contains(place)
        ? ForgetfulDisk.Loss.allCases : isSaid ? [.all] : random.next() % 100 == 0 ? [.some] : []
      for loss in kinds {
        losses += 1
        let folder = "\(target)/\(losses)"
        try disk.write(after: loss, to: folder, &random)
        let moment = "seed \(seed): after event \(place) (\(event.words)), loss of \(loss)"
        try #require(try isWhole(folder + "/aisle/aisle.db", proposed, accepted, moment), "\(moment)")
        try FileManager.default.removeItem(atPath: folder)
      }
    }
    #expect(proposed && accepted == Self.count)
    print("\(losses) losses of power in \(events.count) events: every one of \(accepted) accepts was kept (seed \(seed))")
  }

  @Test(
    "After a loss of power at any moment while a database of the second version gets its checksums, it is of one or the other, and whole",
    .enabled(if: RecordedWrites.compiler != nil, "there is no C compiler to record what is written with"))
  func update() throws {
    defer { try? FileManager.default.removeItem(atPath: memory) }
    let fixture = try Data(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/version-2.db"))
    let path = "\(root)/aisle.db"
    try fixture.write(to: URL(filePath: path))
    let before = try CorrectionStore(path, access: .reading).corrections()
    let log = "\(folder.path)/log"
    let environment = try RecordedWrites.environment(recording: root, to: log, in: folder)
    let corrected = try aisle("correct", "spinach", "Snacks", "--db", path, in: folder, environment: environment)
    try #require(corrected.ending == .exited(0), "\(corrected.diagnostics)")
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    var random = SeededGenerator(seed: seed)
    var disk = ForgetfulDisk(root: root)
    disk.put(path, fixture)
    var (losses, isSaid) = (0, false)
    for (place, event) in try RecordedWrites.read(log).enumerated() {
      disk.apply(event)
      if case .say = event { isSaid = true }
      for loss in [ForgetfulDisk.Loss.all, .some] {
        losses += 1
        let target = "\(memory)/\(losses)"
        try disk.write(after: loss, to: target, &random)
        let moment = "seed \(seed): after event \(place) (\(event.words)), loss of \(loss)"
        // As it is found, and once it was opened for writing, which brings it up to date where that is left to do.
        for access in [CorrectionStore.Access.reading, .writing] {
          let store = try CorrectionStore("\(target)/aisle.db", access: access)
          let corrections = try store.corrections()
          #expect(corrections == before || corrections.contains { $0.item == "spinach" }, "\(moment)")
          #expect(corrections.count >= before.count + (isSaid ? 1 : 0), "\(moment)")
          try #require(try store.problems() == [], "\(moment)")
        }
        try FileManager.default.removeItem(atPath: target)
      }
    }
    print("\(losses) losses of power while a database was brought up to date (seed \(seed))")
  }

  /// Whether a database has what was acknowledged, and at most one accept more, wholly.
  private func isWhole(_ path: String, _ proposed: Bool, _ accepted: Int, _ moment: String) throws -> Bool {
    guard FileManager.default.fileExists(atPath: path) else { return !proposed }
    guard let store = try open(path) else { return !proposed }
    let (corrections, problems, all) = (try store.correctionCount(), try store.problems(), try store.suggestions(nil))
    let decided = all.count { $0.suggestion.state == .accepted }
    #expect(problems == [], "\(moment)")
    #expect([accepted, accepted + 1].contains(corrections), "\(moment): \(corrections) corrections, \(accepted) acknowledged")
    #expect(decided == corrections, "\(moment)")
    #expect(all.count == Self.count || !proposed && all.isEmpty, "\(moment)")
    return problems == [] && corrections >= accepted
  }

  /// Opens a database; `nil` where nothing is in it yet.
  private func open(_ path: String) throws -> CorrectionStore? {
    do { return try CorrectionStore(path, access: .reading) } catch  where error.kind == .missing { return nil }
  }

  private let folder: ScratchFolder
  /// Where the files are, and what each loss leaves of them: what counts is in which order a disk is asked, not how long it takes.
  private let memory: String
  private let root: String

  init() throws {
    folder = try ScratchFolder()
    memory = try ScratchFolder.inMemory()
    root = "\(memory)/data"
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
  }

  private func record() throws -> [RecordedWrites.Event] {
    let log = "\(folder.path)/log"
    var environment = try RecordedWrites.environment(recording: root, to: log, in: folder)
    environment["XDG_DATA_HOME"] = root
    let lines = (0..<Self.count).map {
      #"{"store":"kroger","item":"item \#($0)","from":"Other","to":"Produce","by":"llm","time":"2026-11-21T16:03:42Z"}"#
    }
    try folder.write(lines.joined(separator: "\n"), to: "suggestions.jsonl")
    let imported = try aisle("suggestions", "import", "suggestions.jsonl", in: folder, environment: environment)
    try #require(imported.ending == .exited(0), "\(imported.diagnostics)")
    let review = try RunningAisle(
      ["suggestions", "review", "--color", "never"], in: folder, environment: environment, input: .terminal)
    review.feed([Data(repeating: UInt8(ascii: "a"), count: Self.count)], thenEnds: false)
    let finished = try review.finish(endingInput: false)
    try #require(finished.text.contains("\(Self.count) accepted, 0 dismissed, 0 pending"), "\(finished.diagnostics)")
    return try RecordedWrites.read(log)
  }
}

extension RecordedWrites.Event {
  /// What it is, without what was written.
  fileprivate var words: String {
    func last(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
    return switch self {
    case .create(let path): "creating \(last(path))"
    case .makeFolder(let path): "making \(last(path))"
    case .remove(let path): "removing \(last(path))"
    case .rename(let path, _): "renaming \(last(path))"
    case .write(let path, let place, let bytes): "writing \(last(path)), \(bytes.count) bytes at \(place)"
    case .truncate(let path, _): "truncating \(last(path))"
    case .synchronize(let path): "synchronizing \(last(path))"
    case .say: "saying so"
    }
  }
}
