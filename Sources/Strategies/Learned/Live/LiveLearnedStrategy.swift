public import AisleCore
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Decides items as `LearnedStrategy` does, by the corrections that a file holds now: also those that were taught since it was made, here
/// or by another process.
///
/// A call looks whether the file has changed, unless one did within the last millisecond: one system call. Where it has, one of the calls
/// takes the changes up, a few milliseconds for a few thousand corrections; calls on other threads meanwhile answer as before. While
/// another process is in the middle of writing, calls answer by what was there before.
public final class LiveLearnedStrategy: LocalStrategy {
  /// The file, as it was named; it need not be there yet.
  public let path: String
  private let taxonomy: Taxonomy
  private let report: @Sendable (String) -> Void
  private let current: Guarded<State>
  /// Held while the file is written, or read again; what it guards tells what was read.
  private let known: Guarded<Reading>
  /// When a call looked at the file last, in nanoseconds of the monotonic clock.
  private let looked: Atomic<Int64>

  /// How long a call may rely on an earlier one's look, in nanoseconds.
  private static let trust: Int64 = 1_000_000

  private final class State: Sendable {
    let strategy: LearnedStrategy

    init(_ strategy: LearnedStrategy) { self.strategy = strategy }
  }

  /// What was read last.
  private struct Reading {
    /// The file's mark before it was read.
    var mark: FileMark
    /// From when on it is read once more, in nanoseconds, whatever its mark: it was written a moment before.
    var doubt: Int64?
    /// What went wrong, as it was reported.
    var trouble: CorrectionStoreError?

    init(_ path: String) {
      mark = FileMark(path)
      doubt = mark.isFresh ? FileMark.clock(CLOCK_MONOTONIC) + FileMark.tick : nil
    }
  }

  /// Opens the corrections of a file for a store.
  ///
  /// - Parameter report: Receives warnings to show people; called from any thread. They are about an index that is damaged, and about
  ///   corrections that cannot be read any more.
  /// - Throws: `CorrectionStoreError` for a file that is damaged, not ours or too new; it is left as it is.
  public init(
    _ taxonomy: Taxonomy, path: String, report: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(CorrectionStoreError) {
    let reading = Reading(path)
    let strategy = LearnedStrategy(taxonomy, try LearnedCorrections.open(path, report: report))
    self.path = path
    self.taxonomy = taxonomy
    self.report = report
    current = Guarded(State(strategy))
    known = Guarded(reading)
    looked = Atomic(FileMark.clock(CLOCK_MONOTONIC))
  }

  /// What the strategy is.
  public var metadata: StrategyMetadata { state.strategy.metadata }

  /// The taxonomy that its corrections' sections and shelves are looked up in.
  public var boundTaxonomy: Taxonomy? { taxonomy }

  private var state: State { current.withLock { $0 } }

  /// Decides the items that were corrected, or are near one that was.
  public func decide(_ batch: inout Batch) {
    look()
    state.strategy.decide(&batch)
  }

  // MARK: Following the file

  /// Takes up what has changed, if it is time to look.
  private func look() {
    let now = FileMark.clock(CLOCK_MONOTONIC)
    let last = looked.load(ordering: .relaxed)
    guard now &- last >= Self.trust,
      looked.compareExchange(expected: last, desired: now, ordering: .relaxed).exchanged
    else { return }
    // Where the file is being written here, or read by another call, that one takes it up.
    _ = known.withLockIfAvailable { known in
      let isDoubted = known.doubt.map { now >= $0 } ?? false
      if isDoubted || FileMark(path) != known.mark { read(&known, patience: 0) }
    }
  }

  /// Reads the corrections. Those that cannot be read leave what was known before; why is reported once.
  private func read(_ known: inout Reading, patience: Int) {
    var reading = Reading(path)
    do throws(CorrectionStoreError) {
      let corrections = try LearnedCorrections.open(path, patience: patience, report: report)
      let state = State(self.state.strategy.knowing(corrections))
      current.withLock { $0 = state }
    } catch {
      // Someone is writing: the next call looks again.
      if error.kind == .busy { return }
      if known.trouble != error { report("\(error); continuing with the last known corrections") }
      reading.trouble = error
    }
    known = reading
  }

  /// Changes the file, and knows what was changed when it returns.
  ///
  /// - Returns: what `body` gives.
  /// - Throws: `CorrectionStoreError`; what `body` throws.
  public func change<Result: Sendable>(
    _ body: (CorrectionStore) throws(CorrectionStoreError) -> Result
  ) throws(CorrectionStoreError) -> Result {
    try known.withLock { known throws(CorrectionStoreError) -> Result in
      let result = try body(try CorrectionStore(path))
      read(&known, patience: CorrectionStore.patience)
      return result
    }
  }
}
