import AisleCore
import AisleEvaluation
import AisleItems

/// What a run did, for people: `--summary` prints it on stderr.
struct Summary {
  private(set) var items = 0
  private(set) var faults = 0
  /// How many rows lacked cells at their end.
  private var padded = 0
  private var sections: [String: Int] = [:]
  private var strategies: [String: Int] = [:]
  /// The language that the list was found to be in; `nil` where nobody asked for that.
  var language: String?
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant

  init() { start = clock.now }

  mutating func add(_ work: Workspace, metadata: [StrategyMetadata]) {
    faults += work.list.faults.count
    padded += work.list.missingFields.keys.count { work.list.faults[$0] == nil }
    let taxonomy = work.batch.taxonomy
    var counts = [Int](repeating: 0, count: taxonomy.sections.count + work.batch.inventedSections.count)
    for (place, decision) in work.batch.decisions.enumerated() where !work.list.isBlank(place) {
      items += 1
      counts[Int(decision?.section.rawValue ?? taxonomy.fallback.rawValue)] += 1
      strategies[decision?.strategy.map { metadata[Int($0.rawValue)].id } ?? "none", default: 0] += 1
    }
    for (place, count) in counts.enumerated() where count > 0 {
      sections[work.batch.sectionName(SectionID(rawValue: UInt16(place))), default: 0] += count
    }
  }

  mutating func addOversized(fallback: String) {
    items += 1
    faults += 1
    sections[fallback, default: 0] += 1
    strategies["none", default: 0] += 1
  }

  /// The summary as it is printed.
  func render(_ taxonomy: Taxonomy) -> String {
    let seconds = clock.now - start
    let elapsed = Double(seconds.components.seconds) + Double(seconds.components.attoseconds) / 1e18
    var text = "\(counted(items)) in \(Figures.fixed(elapsed, 2)) s"
    if elapsed > 0.01 { text += ", \(Figures.count(Int(Double(items) / elapsed))) per second" }
    text += "\n"
    if let language { text += "language: \(language), detected from the list\n" }
    let names = taxonomy.sections.map(\.name)
    let known = names.filter { sections[$0] != nil } + sections.keys.filter { !names.contains($0) }.sorted()
    let width = known.map(\.count).max() ?? 0
    for name in known {
      let count = sections[name] ?? 0
      text += "  \(name)\(String(repeating: " ", count: width - name.count))  \(Self.percent(count, items))  \(count)\n"
    }
    let by = strategies.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }
    if !by.isEmpty { text += "decided by: \(by.joined(separator: ", "))\n" }
    if padded > 0 { text += "rows filled up with empty cells: \(padded)\n" }
    if faults > 0 { text += "bad records: \(faults)\n" }
    return text
  }

  private static func percent(_ part: Int, _ whole: Int) -> String {
    let text = Figures.percent(Double(part) / Double(max(whole, 1)))
    return String(repeating: " ", count: 7 - text.count) + text
  }
}
