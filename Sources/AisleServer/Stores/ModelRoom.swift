import AisleCatalog
import AisleCore
import AisleItems
import LearnedStrategy
import LLMStrategy
import Photos

/// The language model, where one is configured: it checks lists and reads photos.
struct ModelRoom: Sendable {
  private let settled: SettledChain
  private let record = ModelRecord()
  private let warn: @Sendable (String) -> Void

  init(_ settled: SettledChain, warn: @escaping @Sendable (String) -> Void) {
    (self.settled, self.warn) = (settled, warn)
    record.use(settled.corrections.value)
  }

  /// The model's name; `nil` where none is configured.
  var name: String? { (try? settings()).map { $0.model.isEmpty ? $0.provider.rawValue : $0.model } }

  /// How it is asked.
  ///
  /// - Throws: `Problem` where none is configured.
  private func settings() throws -> ModelSettings {
    let isNamed = settled.model.choice != nil || settled.chain.value.links.contains(where: \.isModel)
    guard isNamed else {
      throw Problem(
        .notImplemented, "no language model is configured; start the server with --llm, AISLE_LLM, or `llm:` in aisle.yaml")
    }
    do { return try CheckModel(settled).settings() } catch { throw Problem(.notImplemented, "\(error)") }
  }

  /// The text on a photo.
  ///
  /// - Throws: `Problem`.
  func read(_ photo: [UInt8]) async throws -> [ReadSection] {
    let provider = try settings().provider
    defer { try? record.flush() }
    do {
      let settings = try settled.model.photoSettings(provider, named: nil, settled.configuration)
      return try await ListReader(settings, log: record, remark: warn).read(Photo(photo))
    } catch let fault as PhotoFault { throw Problem(.unprocessableContent, fault.description) } catch {
      throw Problem(.badGateway, "\(error)")
    }
  }

  /// Checks a list that stands in sections, and proposes where else its items belong.
  ///
  /// - Throws: `Problem`; `CorrectionStoreError`.
  func check(_ list: CheckedList, named name: String?, in store: ServedStore, _ corrections: CorrectionRoom) async throws
    -> (run: CheckRun, outcome: CheckRun.Outcome)
  {
    // Before anything is paid for.
    if let name, !CorrectionStore.isText(name) {
      throw Problem(.unprocessableContent, "`list` must have 1 to \(CorrectionStore.maximumTextBytes) bytes and no NUL")
    }
    let settings = try settings()
    let context = ListChecker.context(settings, store.taxonomy)
    let fingerprint = list.fingerprint(context)
    let run = CheckRun(
      list: name ?? "server \(fingerprint)", store: store.id, start: Timestamp.now, checked: list, taxonomy: store.taxonomy,
      context: context,
      fingerprint: fingerprint)
    if let same = try await corrections.read({ try run.unchanged($0) }), let outcome = same { return (run, outcome) }
    // Also what a failed check cost.
    defer { try? record.flush() }
    let checker = ListChecker(settings, taxonomy: store.taxonomy, cache: record, log: record, remark: warn)
    let verdicts = try await checker.check(list.entries)
    var outcome = CheckRun.Outcome(report: checker.report)
    let moves = outcome.take(verdicts, of: run)
    if outcome.unanswered.count > 0, outcome.agreed == 0, moves.isEmpty {
      throw Problem(.badGateway, "the model gave no answer: \(checker.report.firstFailure ?? "no reason known")")
    }
    let found = outcome
    outcome = try await corrections.change(for: store) { file throws(CorrectionStoreError) in
      var outcome = found
      try run.record(moves, &outcome, file)
      return outcome
    }
    return (run, outcome)
  }
}
