import Foundation
import Synchronization

@testable import CorrectionMatching
@testable import LearnedStrategy

/// A store that others share corrections with, as if over a network: its answers may be lost, or it may not be reached.
final class FaultyServer: CorrectionServer {
  let name: String
  private let store: CorrectionStore
  private let pageSize: Int
  private let fault: @Sendable () -> Fault
  private let asked = Mutex(0)

  enum Fault { case none, unreachable, lostAnswer }
  struct Failed: Error {}

  init(_ name: String, _ store: CorrectionStore, pageSize: Int = 1000, fault: @escaping @Sendable () -> Fault = { .none }) {
    self.name = name
    self.store = store
    self.pageSize = pageSize
    self.fault = fault
  }

  /// How often it was asked or told something.
  var requests: Int { asked.withLock { $0 } }

  func changes(after cursor: String?, limit: Int) async throws -> ChangePage {
    try answer { store in
      let page = try store.changes(after: cursor, limit: min(limit, pageSize))
      return try SharedChangeJSON.readPage(SharedChangeJSON.body(page))
    }
  }

  func send(_ changes: [SharedChange]) async throws -> ChangeReceipt {
    try answer { store in
      let sent = try SharedChangeJSON.readBody(SharedChangeJSON.body(changes))
      return try SharedChangeJSON.readReceipt(SharedChangeJSON.body(store.merge(sent, time: 0)))
    }
  }

  private func answer<Answer>(_ body: (CorrectionStore) throws -> Answer) throws -> Answer {
    asked.withLock { $0 += 1 }
    let fault = fault()
    if fault == .unreachable { throw Failed() }
    let answer = try body(store)
    if fault == .lostAnswer { throw Failed() }
    return answer
  }
}
