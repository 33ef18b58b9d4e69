/// A server that keeps corrections, as a client sees it.
package protocol CorrectionServer: Sendable {
  /// Its name in the corrections file; the same server always has the same.
  var name: String { get }

  /// The changes after a place.
  func changes(after cursor: String?, limit: Int) async throws -> ChangePage

  /// Tells it changes. When this returns, they are on the server's disk.
  func send(_ changes: [SharedChange]) async throws -> ChangeReceipt
}

/// Shares the corrections of a file with a server, page by page.
///
/// It can end anywhere: how far it came stands in the file, written in one transaction with what it stands for. What a server took up
/// without its answer coming through is told again, which changes nothing.
package struct CorrectionSync: Sendable {
  private let store: CorrectionStore
  private let server: any CorrectionServer
  private let clock: @Sendable () -> Int
  private let progress: @Sendable (Report) -> Void

  /// So many changes are asked for and told at once.
  package static let pageSize = 1000

  /// Shares corrections with a server.
  ///
  /// - Parameters:
  ///   - clock: The time, in milliseconds since 1970 in UTC.
  ///   - progress: Is told after each page what was done until then.
  package init(
    _ store: CorrectionStore, _ server: any CorrectionServer, clock: @escaping @Sendable () -> Int,
    progress: @escaping @Sendable (Report) -> Void = { _ in }
  ) {
    self.store = store
    self.server = server
    self.clock = clock
    self.progress = progress
  }

  /// What was done.
  package struct Report: Sendable, Hashable {
    /// How many changes came from the server, and what they did here.
    package internal(set) var pulled = 0
    package internal(set) var here = CorrectionStore.Outcome()
    /// How many changes were told to the server, and what they did there.
    package internal(set) var pushed = 0
    package internal(set) var there = CorrectionStore.Outcome()
    /// Where the two had an item in different sections.
    package internal(set) var conflicts: [CorrectionStore.MergeConflict] = []
    /// The numbers by which what changed here can be undone.
    package internal(set) var actions: [Int] = []
    /// Whether the server was found to have lost, or never had, what this file had told a server of its name.
    package internal(set) var isAnew = false
  }

  /// Takes up the server's changes, then tells it those of the file.
  package func sync() async throws -> Report {
    var report = Report()
    try await checkProof(&report)
    try await pull(&report)
    try await push(&report)
    return report
  }

  /// Takes up the server's changes.
  package func pull() async throws -> Report {
    var report = Report()
    try await pull(&report)
    return report
  }

  /// Tells the server the changes of the file.
  package func push() async throws -> Report {
    var report = Report()
    try await checkProof(&report, orPulled: true)
    try await push(&report)
    return report
  }

  /// Looks whether the server still has what it was told.
  private func checkProof(_ report: inout Report, orPulled: Bool = false) async throws {
    let state = try store.sharing(with: server.name)
    guard let proof = state.proof ?? (orPulled ? state.pulled : nil) else { return }
    guard try await server.changes(after: proof, limit: 1).isAnew else { return }
    try store.noteLost(by: server.name)
    report.isAnew = true
  }

  private func pull(_ report: inout Report) async throws {
    var hasMore = true
    while hasMore {
      let place = try store.sharing(with: server.name).pulled
      let page = try await server.changes(after: place, limit: Self.pageSize)
      if page.hasMore && page.next == place { throw Stuck() }
      // Where there is nothing new, nothing is written.
      if page.changes.isEmpty, page.next == place, try store.sharing(with: server.name).proof == nil { return }
      let merge = try store.take(page, from: server.name, time: clock())
      report.pulled += page.changes.count
      report.here.add(merge.outcome)
      report.conflicts += merge.conflicts
      if let action = merge.action { report.actions.append(action) }
      report.isAnew = report.isAnew || page.isAnew
      progress(report)
      hasMore = page.hasMore
    }
  }

  private func push(_ report: inout Report) async throws {
    var hasMore = true
    while hasMore {
      let page = try store.changesToPush(to: server.name, limit: Self.pageSize)
      if page.changes.isEmpty { return }
      let receipt = try await server.send(page.changes)
      try store.notePushed(page.end, to: server.name, proof: receipt.next)
      report.pushed += page.changes.count
      report.there.add(receipt.outcome)
      progress(report)
      hasMore = page.hasMore
    }
  }

  /// A server that gives the same page again and again.
  package struct Stuck: Error {}
}

extension CorrectionStore.Outcome {
  fileprivate mutating func add(_ other: CorrectionStore.Outcome) {
    added += other.added
    replaced += other.replaced
    unchanged += other.unchanged
  }
}
