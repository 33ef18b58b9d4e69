import AisleKit
import Foundation
import Synchronization
import Testing

/// An `Aisle` is asked by many threads while one teaches it; the thread sanitizer looks on where it is switched on.
@Suite struct AisleThreadTests {
  @Test func `eight threads categorize while one corrects, and none is wrong`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "aisle-\(UUID().uuidString).db")
    defer { for suffix in ["", "-index"] { try? FileManager.default.removeItem(atPath: file.path + suffix) } }
    let aisle = try Aisle(corrections: file)
    let items = ["oat milk", "kale", "93/7", "2 lbs chicken thighs", "xyzzy", "red thing"]
    let before = items.map { aisle.categorize($0).section }
    let allowed = items.indices.map { items[$0] == "red thing" ? [before[$0], "Snacks", "Bakery"] : [before[$0]] }
    let isDone = Atomic(false)
    let wrong = Lines()
    let asked = Atomic(0)
    let threads = (0..<8).map { number in
      Thread {
        var turn = number
        while !isDone.load(ordering: .acquiring) {
          let place = turn % items.count
          let answer = aisle.categorize(items[place])
          if !allowed[place].contains(answer.section) { wrong.add("\(answer)") }
          if turn % 50 == 0 {
            let many = aisle.categorize(items + items).map(\.section)
            if many.count != 2 * items.count { wrong.add("\(many)") }
          }
          turn += 1
          asked.add(1, ordering: .relaxed)
        }
      }
    }
    for thread in threads { thread.start() }
    for turn in 0..<12 {
      let section = turn % 2 == 0 ? "Snacks" : "Bakery"
      try aisle.correct("red thing", to: section, by: "jane")
      #expect(aisle.categorize("red thing").section == section)
    }
    isDone.store(true, ordering: .releasing)
    while threads.contains(where: { !$0.isFinished }) { Thread.sleep(forTimeInterval: 0.002) }
    #expect(wrong.all == [])
    #expect(asked.load(ordering: .relaxed) > 100)
  }
}

/// Lines that any thread adds to. Not behind a `Mutex`, of which the thread sanitizer knows nothing on Linux.
private final class Lines: @unchecked Sendable {
  private let lock = NSLock()
  private var lines: [String] = []

  var all: [String] { lock.withLock { lines } }

  func add(_ line: String) { lock.withLock { lines.append(line) } }
}
