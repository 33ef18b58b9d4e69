import AisleCatalog
import AisleReporting

extension UnusedCorrections {
  /// The most lines that are said.
  private static var shown: Int { 5 }

  /// Says on stderr what is missing, a line for each store or section.
  func tell() {
    let lines = missing.map(Self.line)
    let rest = lines.count - Self.shown
    let shown = lines.prefix(Self.shown) + (rest > 0 ? ["\(rest) more stores or sections do not exist"] : [])
    for line in shown { Descriptor.standardError.tell(Style.visible("aisle: \(line)") + "\n") }
  }

  private static func line(_ missing: Missing) -> String {
    let hint = missing.nearest.map { " (did you mean `\($0)`?)" } ?? ""
    let isOne = missing.count == 1
    guard let section = missing.section else {
      let unused = isOne ? "its correction is not used" : "its \(missing.count) corrections are not used"
      return "there is no store `\(missing.store)`\(hint): \(unused) until it exists"
    }
    let unused = isOne ? "the correction for it is not used" : "the \(missing.count) corrections for it are not used"
    return "\(missing.store) has no section `\(section)`\(hint): \(unused) until that section exists"
  }
}
