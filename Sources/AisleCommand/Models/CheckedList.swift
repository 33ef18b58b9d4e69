import AisleCore
import AisleItems
import LearnedStrategy
import LLMStrategy

/// A list whose items stand in sections, as it is checked.
struct CheckedList {
  /// The items that can be checked, in order.
  private(set) var entries: [ListChecker.Entry] = []
  /// How many items cannot be checked: nothing could be learned about them.
  private(set) var unfit = 0
  /// How many records were bad.
  private(set) var faults = 0

  /// The longest item that a model is asked about, in bytes.
  private static let mostBytes = 512

  /// Reads a list and decides its items.
  ///
  /// - Parameters:
  ///   - path: The file; `-` for standard input.
  ///   - chain: What decides them.
  /// - Throws: `CommandFailure` where it cannot be read; what a strategy throws.
  static func read(_ path: String, _ setup: InputSetup, _ chain: OpenedChain, _ diagnostics: Diagnostics) async throws -> Self {
    var list = CheckedList()
    var pipeline = Pipeline(
      categorizer: try Categorizer(taxonomy: chain.taxonomy, chain: chain.chain.chain), setup: setup, makePresenter: { _ in nil },
      jobs: Environment.processorCount, isLineBuffered: false, output: .standardOutput, diagnostics: diagnostics)
    pipeline.onResult = { work in
      list.faults += work.list.faults.count
      for index in 0..<work.batch.count where work.list.faults[index] == nil {
        list.add(work.batch.item(index), work.batch.sectionName(at: index))
      }
    }
    pipeline.onOversized = { _ in list.faults += 1 }
    try await pipeline.run(paths: [path])
    // What is wrong has been said.
    if pipeline.failures > 0 { throw CheckCommand.Unreadable() }
    return list
  }

  /// The same items in the sections where they stand by now.
  func decidedAnew(by chain: OpenedChain) async throws -> Self {
    var batch = Batch(entries.map(\.item), taxonomy: chain.taxonomy)
    try await Categorizer(taxonomy: chain.taxonomy, chain: chain.chain.chain).ask(&batch)
    var list = CheckedList()
    for index in 0..<batch.count { list.add(batch.item(index), batch.sectionName(at: index)) }
    return list
  }

  private mutating func add(_ item: String, _ section: String) {
    if item.allSatisfy(\.isWhitespace) { return }
    if item.utf8.count > Self.mostBytes || item.utf8.contains(0) || Normalizer.normalize(item).isEmpty {
      unfit += 1
    } else {
      entries.append(ListChecker.Entry(item, section: section))
    }
  }

  /// What stands where: items in normalized form, with their sections.
  var places: Set<[String]> { Set(entries.map { Self.place($0.item, $0.section) }) }

  static func place(_ item: String, _ section: String) -> [String] { [Normalizer.normalize(item), section] }

  /// What tells the list, and what it is checked by, from any other: the 64-bit FNV-1a hash of the items with their sections, sorted.
  ///
  /// - Parameter moves: Sections that items stand in instead, by their place in `entries`.
  func fingerprint(_ context: AnswerContext, moving moves: [Int: String] = [:]) -> String {
    var parts = entries.enumerated().map { Self.place($1.item, moves[$0] ?? $1.section).joined(separator: "\t") }
    parts.sort()
    parts += [
      context.provider.rawValue, context.model, "\(context.promptVersion)", context.sections, "\(context.allowsNewSections)",
    ]
    return FNV1a.text(FNV1a.hash(parts.map { $0 + "\n" }.joined().utf8))
  }
}
