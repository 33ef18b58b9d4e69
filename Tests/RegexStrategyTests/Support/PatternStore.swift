import AisleCore
import Foundation
import RegexStrategy
import Synchronization

/// A store of patterns, written down in the test that uses them.
struct PatternStore {
  let taxonomy: Taxonomy
  /// What the store's builder refused.
  let findings: [Finding]
  /// What the strategy warned of, a line each.
  let warnings = WarningLog()

  /// A pattern: its name is also that of its section, where no other is given.
  struct Entry {
    var name: String
    var expression: String
    var confidence: Float = 0.9
    var section: String?
  }

  /// A store of patterns, each speaking for a section.
  init(_ entries: [Entry]) {
    var builder = TaxonomyBuilder(store: "small", name: "Small")
    let names = entries.map { $0.section ?? $0.name }
    var sections: [String: SectionID] = [:]
    for name in names where sections[name] == nil {
      sections[name] = builder.addSection(Section(name: name, color: .gray))
    }
    for (number, (entry, name)) in zip(entries, names).enumerated() {
      guard let section = sections[name] else { continue }
      let place = SourceLocation(path: "small.yaml", line: number + 1, column: 5)
      builder.addPattern(
        .section(section), name: entry.name, expression: entry.expression, confidence: entry.confidence,
        matches: [Pattern.Example("yes", at: place)], rejects: [Pattern.Example("no", at: place)], expressionAt: place, at: place)
    }
    findings = builder.findings
    taxonomy = builder.build()
  }

  /// A store of one pattern, named `found`.
  init(_ expression: String) { self.init([Entry(name: "found", expression: expression)]) }

  /// The strategy, with its warnings in `warnings`.
  func strategy(_ limits: RegexLimits = RegexLimits()) -> RegexStrategy {
    RegexStrategy(taxonomy, limits: limits) { [warnings] in warnings.add($0.description) }
  }
}

/// Lines from any thread.
final class WarningLog: Sendable {
  private let kept = Mutex<[String]>([])

  var lines: [String] { kept.withLock { $0 } }

  func add(_ line: String) { kept.withLock { $0.append(line) } }
}

extension RegexStrategy {
  /// A decision for each item, all in one batch.
  func decisions(_ items: [[UInt8]], in taxonomy: Taxonomy) -> [Decision?] {
    var batch = Batch(taxonomy: taxonomy)
    for item in items { batch.append(item) }
    decide(&batch)
    return Array(batch.decisions)
  }

  /// The name of the pattern that decides an item; `nil` when it abstains.
  func pattern(_ item: String, in taxonomy: Taxonomy) -> String? {
    decisions([Array(item.utf8)], in: taxonomy)[0]?.evidence.pattern.map { taxonomy.patterns[Int($0.rawValue)].name }
  }

  /// The text that a pattern matched in an item; `nil` when it abstains.
  func match(_ item: [UInt8], in taxonomy: Taxonomy) -> String? {
    decisions([item], in: taxonomy)[0]?.evidence.span.map { String(decoding: item[$0], as: UTF8.self) }
  }
}

/// The seconds of CPU that this thread has used.
var threadSeconds: Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
