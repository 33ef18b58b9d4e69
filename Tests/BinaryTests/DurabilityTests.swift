import AisleCore
import Foundation
import LearnedStrategy
import Testing

/// Corrections that were acknowledged are kept, whatever happens to the processes that wrote them.
///
/// By default in a size that takes seconds; AISLE_TEST_KILLS=1000 and AISLE_TEST_ACCEPTS=1000 for the sizes of the specification.
@Suite(.serialized) struct DurabilityTests {
  private let folder: ScratchFolder
  private let store: CorrectionStore

  init() throws {
    folder = try ScratchFolder()
    try folder.makeFolder("data/aisle")
    store = try CorrectionStore("\(folder.path)/data/aisle/aisle.db")
  }

  private static func size(_ variable: String, default standard: Int) -> Int {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? standard
  }

  private func propose(_ count: Int, _ prefix: String, store id: String = "kroger") throws {
    try store.propose(
      (0..<count).map {
        Suggestion(
          store: id, item: "\(prefix) \($0)", from: "Other", to: "Produce",
          origin: Origin(proposer: "llm", time: 1_790_000_000_000))
      })
  }

  private func review(_ arguments: [String] = []) throws -> RunningAisle {
    try RunningAisle(["suggestions", "review", "--color", "never"] + arguments, in: folder, input: .terminal)
  }

  @Test("Killed at random points while it accepts, it loses no accept that it acknowledged, and the file stays sound")
  func kills() throws {
    let kills = Self.size("AISLE_TEST_KILLS", default: 25)
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    var random = SeededGenerator(seed: seed)
    var (acknowledged, hotJournals) = (0, 0)
    for kill in 0..<kills {
      if try store.suggestions().count < 300 { try propose(1_500, "item \(kill) of") }
      let process = try review()
      process.feed([Data(repeating: UInt8(ascii: "a"), count: 300)], thenEnds: false)
      if kill % 10 != 0 { try process.waitForOutput { $0.contains(UInt8(ascii: ">")) } }
      usleep(UInt32(random.next() % 30_000))
      process.signal(SIGKILL)
      let finished = try process.finish(endingInput: false)
      #expect(finished.ending == .killed(by: SIGKILL))
      acknowledged += finished.text.components(separatedBy: "accepted: Produce\n").count - 1
      if FileManager.default.fileExists(atPath: store.path + "-journal") { hotJournals += 1 }
      // A reader comes first: it takes back what was half written, and answers from what stands.
      #expect(try LearnedCorrections.open(store.path)?.count ?? 0 >= acknowledged, "seed \(seed), kill \(kill)")
      if kill % 20 == 0 {
        let answer = try aisle("categorize", input: "kale\n", in: folder)
        #expect(answer.text == "kale\tProduce\n" && answer.diagnostics == "", "seed \(seed), kill \(kill): \(answer.diagnostics)")
      }
      let kept = try store.correctionCount()
      #expect(kept >= acknowledged, "seed \(seed), kill \(kill)")
      #expect(try store.suggestions(.accepted).count == kept, "seed \(seed), kill \(kill)")
      if kill % 20 == 0 || kill == kills - 1 { #expect(try store.problems() == [], "seed \(seed), kill \(kill)") }
    }
    #expect(acknowledged > 0)
    print(
      "\(kills) kills, \(acknowledged) accepts acknowledged, \(hotJournals) of the kills in the middle of a write (seed \(seed))")
  }

  @Test("Eight processes that accept at once each wait for their turn: every accept is there, and nobody hears of a lock")
  func eightProcesses() throws {
    let each = Self.size("AISLE_TEST_ACCEPTS", default: 40)
    for number in 1...8 { try propose(each, "item", store: "store-\(number)") }
    let processes = try (1...8).map { try review(["--store", "store-\($0)"]) }
    for process in processes { process.feed([Data(repeating: UInt8(ascii: "a"), count: each)], thenEnds: false) }
    let deadline = Date(timeIntervalSinceNow: RunningAisle.patience + 0.5 * Double(each))
    for process in processes {
      while process.isRunning, Date() < deadline { usleep(20_000) }
      let finished = try process.finish(endingInput: false)
      #expect(finished.ending == .exited(0))
      #expect(finished.diagnostics == "")
      #expect(finished.text.contains("\n\(each) accepted, 0 dismissed, "))
    }
    #expect(try store.correctionCount() == 8 * each)
    #expect(try store.suggestions().isEmpty)
    #expect(try store.problems() == [])
  }

  @Test("Eight processes that make the first correction at once all make it")
  func eightBeginnings() throws {
    let processes = try (1...8).map { try RunningAisle(["correct", "item \($0)", "Produce", "--db", "new/deep.db"], in: folder) }
    for process in processes {
      let finished = try process.finish()
      #expect(finished.ending == .exited(0), "\(finished.diagnostics)")
    }
    #expect(try aisle("corrections", "--db", "new/deep.db", in: folder).text.split(separator: "\n").count == 8)
  }
}
