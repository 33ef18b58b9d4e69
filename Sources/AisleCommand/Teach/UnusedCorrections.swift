import AisleCore
import AisleReporting
import LearnedStrategy

/// Corrections that are taken in for a store or a section that is not there: another machine may have it, or a name is mistyped.
struct UnusedCorrections {
  private let options: CorrectionStoreOptions
  private var counts: [Place: Int] = [:]

  private struct Place: Hashable {
    let store: String
    let section: String
  }

  /// The most lines that are said.
  private static let shown = 5

  init(_ corrections: [Correction], _ options: CorrectionStoreOptions) {
    self.options = options
    for correction in corrections { counts[Place(store: correction.store, section: correction.section), default: 0] += 1 }
  }

  /// What is said of them, a line for each store or section that is missing.
  func lines() throws -> [String] {
    let known = try options.stores.locate().stores
    var lines: [String] = []
    for (store, counts) in Dictionary(grouping: counts, by: \.key.store).sorted(by: { $0.key < $1.key }) {
      if !known.contains(store) {
        let count = counts.reduce(0) { $0 + $1.value }
        let hint = DidYouMean.nearest(to: store, among: known).map { " (did you mean `\($0)`?)" } ?? ""
        lines.append("there is no store `\(store)`\(hint): \(Self.unused(count)) until it exists")
        continue
      }
      // A store with errors is for `stores check` to tell about.
      guard let taxonomy = options.taxonomy(store) else { continue }
      let names = taxonomy.sections.map(\.name)
      for (place, count) in counts.sorted(by: { $0.key.section < $1.key.section }) where !names.contains(place.section) {
        let hint = DidYouMean.nearest(to: place.section, among: names).map { " (did you mean `\($0)`?)" } ?? ""
        lines.append("\(store) has no section `\(place.section)`\(hint): \(Self.unused(count)) until it does")
      }
    }
    return lines
  }

  /// Says it on stderr.
  func tell() throws {
    let lines = try lines()
    let rest = lines.count - Self.shown
    let shown = lines.prefix(Self.shown) + (rest > 0 ? ["\(rest) more stores or sections do not exist"] : [])
    for line in shown { Descriptor.standardError.tell(Style.visible("aisle: \(line)") + "\n") }
  }

  private static func unused(_ count: Int) -> String {
    count == 1 ? "its correction is not used" : "its \(count) corrections are not used"
  }
}
