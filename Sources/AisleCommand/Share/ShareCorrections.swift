import AisleCore
import AisleReporting
import ArgumentParser
import LearnedStrategy

struct SyncCorrections: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Share corrections with a server, both ways.",
    discussion: """
      Gets the server's changes, then sends it the changes that it lacks; the later change wins for each item and store. What was \
      forgotten or undone is shared too. It can be interrupted at any point and run again: its progress is kept in the corrections file.

      Prints each conflict as `aisle corrections merge` does: store, item, the section that wins, its author and time, then the other \
      section, author, and time; what was forgotten has no section. `aisle serve` is such a server.

      Examples:
        aisle corrections sync --server http://127.0.0.1:8400
        aisle corrections sync --server https://home.example --token-file token

      Exit codes: 0 done, with or without conflicts; 2 the server or the file cannot be used; 64 usage.
      """)

  @OptionGroup var options: CorrectionStoreOptions

  func validate() throws { try options.requireServer("sync") }

  @MainActor
  func run() async throws { try await Sharing(options) { try await $0.sync() }.run() }
}

struct PullCorrections: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pull", abstract: "Get a server's corrections.",
    discussion: """
      The first half of `aisle corrections sync`: nothing is sent to the server.

      Examples:
        aisle corrections pull --server http://127.0.0.1:8400

      Exit codes: 0 done, with or without conflicts; 2 the server or the file cannot be used; 64 usage.
      """)

  @OptionGroup var options: CorrectionStoreOptions

  func validate() throws { try options.requireServer("pull") }

  @MainActor
  func run() async throws { try await Sharing(options) { try await $0.pull() }.run() }
}

struct PushCorrections: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "push", abstract: "Send a server the corrections it lacks.",
    discussion: """
      The second half of `aisle corrections sync`: the file stays as it is. Where the server has a later change, that one stays.

      Examples:
        aisle corrections push --server http://127.0.0.1:8400

      Exit codes: 0 done; 2 the server or the file cannot be used; 64 usage.
      """)

  @OptionGroup var options: CorrectionStoreOptions

  func validate() throws { try options.requireServer("push") }

  @MainActor
  func run() async throws { try await Sharing(options) { try await $0.push() }.run() }
}

extension CorrectionStoreOptions {
  /// - Throws: `ValidationError` where no server is named.
  fileprivate func requireServer(_ command: String) throws {
    if corrections.server.server == nil, Environment.all["AISLE_SERVER"]?.isEmpty ?? true {
      throw ValidationError(
        "Name the server, e.g. aisle corrections \(command) --server http://127.0.0.1:8400, or set AISLE_SERVER.")
    }
  }
}

/// Shares corrections with a server, and tells people about it.
@MainActor
private struct Sharing {
  private let options: CorrectionStoreOptions
  private let exchange: (CorrectionSync) async throws -> CorrectionSync.Report

  init(_ options: CorrectionStoreOptions, _ exchange: @escaping (CorrectionSync) async throws -> CorrectionSync.Report) {
    self.options = options
    self.exchange = exchange
  }

  func run() async throws {
    let configuration = try options.stores.configuration()
    guard let url = try ServerOptions.settle(options.corrections.server.server) else { return }
    guard let path = CorrectionOptions.file(options.corrections.db, configuration).value else { throw CorrectionOptions.noFile }
    let server = try ServerOptions.reach(url, tokenFile: options.corrections.server.tokenFile)
    let store = try CorrectionStore(path)
    let progress = StepProgress()
    var done = CorrectionSync.Report()
    let all = try store.pushCount(to: server.name)
    let sync = CorrectionSync(store, server, clock: { Timestamp.now }) { report in
      done = report
      try progress.show("pulled \(report.pulled), pushed", report.pushed - 1, all)
    }
    do {
      done = try await exchange(sync)
    } catch {
      progress.clear()
      try tell(done)
      throw (error as? CorrectionSync.Fault)?.failure(at: server) ?? error
    }
    progress.clear()
    try tell(done)
    if done.pulled + done.pushed == 0 { Descriptor.standardError.tell("nothing new\n") }
  }

  private func tell(_ done: CorrectionSync.Report) throws {
    func side(_ change: SharedChange) -> [String] {
      [change.section ?? "", change.origin.proposer, Timestamp.text(change.time)]
    }
    try TextTable.write(
      done.conflicts.map { ([$0.kept.store, $0.kept.item] + side($0.kept) + side($0.dropped)).map(Style.visible) })
    var lines: [String] = []
    if done.isAnew { lines.append("the server has started over, e.g. from a backup: everything is shared with it again") }
    if done.pulled > 0 {
      lines.append("pulled \(counted(done.pulled, "change")): \(done.here.summary); \(counted(done.conflicts.count, "conflict"))")
    }
    if done.pushed > 0 { lines.append("pushed \(counted(done.pushed, "change")): \(done.there.summary)") }
    if let action = done.actions.first, done.actions.count == 1 {
      lines.append("`aisle corrections undo \(action)` undoes what was pulled")
    }
    for line in lines { Descriptor.standardError.tell(line + "\n") }
  }
}
