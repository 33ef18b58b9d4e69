import AisleCore
import Foundation
import Synchronization
import Testing

@testable import CorrectionMatching
@testable import LearnedStrategy

/// Machines with clocks of their own that teach, forget, undo and accept, and share at random, each exchange cut anywhere.
struct `Machines that share corrections` {
  private static let items = ["kale", "leek", "oats", "milk", "figs"]
  private static let sections = ["Snacks", "Produce", "Bakery"]

  /// One machine, and the actions that it can undo by number.
  private struct Machine {
    let store: CorrectionStore
    let skew: Int
    var actions: [Int] = []
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `all know the same in the end, and that is the last that was done to each item`(seed: UInt64) async throws {
    let folder = try ScratchFolder(inMemory: true)
    var random = SeededGenerator(seed: seed)
    func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    var machines = try (0..<4).map { number in
      Machine(store: try CorrectionStore(folder.file("\(number).db")), skew: below(200) - 100)
    }
    // The last that was done to each item, on whatever machine.
    var last: [String: SharedChange] = [:]
    func note(_ store: CorrectionStore) throws {
      for change in try store.changes(limit: .max).changes {
        let key = "\(change.store) \(change.item)"
        if last[key].map({ change.wins(over: $0) }) ?? true { last[key] = change }
      }
    }
    for step in 0..<150 {
      let place = below(machines.count)
      let (store, time) = (machines[place].store, 10_000 + step * 10 + machines[place].skew)
      let correction = Correction(
        Self.items[below(5)], Self.sections[below(3)], store: ["kroger", "corner"][below(2)], by: "m\(place)", time: time)
      switch below(9) {
      case 0, 1: try store.correct(correction)
      case 2: _ = try store.forget(items: [correction.item], .init(), by: "m\(place)", time: time)
      case 3:
        try store.propose([Suggestion(correction.item, "Other", correction.section, time: time)])
        if let id = try store.suggestions().first?.id { try store.decide([id], .accept, by: "m\(place)", time: time) }
      case 4:
        let number =
          machines[place].actions.isEmpty || below(2) == 0 ? nil : machines[place].actions[below(machines[place].actions.count)]
        // What was changed since cannot be undone.
        do { _ = try store.undo(number, by: "m\(place)", time: time) } catch { #expect(error.kind == .invalid) }
      case 5: _ = try store.renameSection(store: "kroger", from: "Snacks", to: "Bakery", time: time)
      default:
        // With the first, which is the server, or with any other one.
        let partner = below(3) == 0 ? below(machines.count) : 0
        if partner == place { continue }
        let odds = Mutex(SeededGenerator(seed: random.next()))
        let server = FaultyServer("m\(partner)", machines[partner].store, pageSize: 1 + below(4)) {
          switch odds.withLock({ $0.next() % 6 }) {
          case 0: .unreachable
          case 1: .lostAnswer
          default: .none
          }
        }
        let sync = CorrectionSync(store, server, clock: { time })
        let report =
          switch below(3) {
          case 0: try? await sync.push()
          case 1: try? await sync.pull()
          default: try? await sync.sync()
          }
        machines[place].actions += report?.actions ?? []
      }
      try note(store)
    }
    // The server hears all, then tells all.
    for _ in 0..<2 {
      for machine in machines.dropFirst() {
        _ = try await CorrectionSync(machine.store, FaultyServer("m0", machines[0].store, pageSize: 3), clock: { 0 }).sync()
      }
    }
    #expect(!last.isEmpty)
    for machine in machines {
      #expect(try Set(machine.store.changes(limit: .max).changes) == Set(last.values), "seed \(seed)")
      #expect(try Set(machine.store.corrections()) == Set(last.values.compactMap(\.correction)), "seed \(seed)")
      #expect(try machine.store.problems() == [])
    }
  }

  @Test func `the winner is the same on both sides for every two changes, and exactly one wins unless they are the same`() throws
  {
    var changes: [SharedChange] = []
    for section in [nil, "A", "B", "e\u{301}", "\u{E9}"] as [String?] {
      for shelf in [nil, "a"] as [String?] {
        for model in [nil, "m"] as [String?] {
          for time in [1, 2] {
            changes.append(
              SharedChange(
                store: "s", item: "x", section: section, shelf: section == nil ? nil : shelf,
                origin: Origin(proposer: "p", model: section == nil ? nil : model, time: 1), time: time))
          }
        }
      }
    }
    for one in changes {
      for other in changes {
        let isSame = one.isSame(as: other)
        #expect(one.wins(over: other) != other.wins(over: one) || isSame)
        #expect(!isSame || !one.wins(over: other))
      }
    }
  }
}
