import AisleEvaluation

/// A Markdown page that never grows beyond a number of bytes: tables are cut at a row.
struct MarkdownPage {
  /// A column of a table.
  struct Column {
    let name: String
    let isFigure: Bool

    static func text(_ name: String) -> Column { Column(name: name, isFigure: false) }
    static func figure(_ name: String) -> Column { Column(name: name, isFigure: true) }
  }

  private(set) var bytes: [UInt8] = []
  private let limit: Int

  /// What is kept for saying how many rows are left out, in bytes.
  private static let noteBytes = 128

  init(limit: Int) { self.limit = limit }

  /// Adds a heading or a paragraph, followed by a blank line; its texts are escaped already. What has no room is left out.
  mutating func add(_ paragraph: String) {
    let block = paragraph + "\n\n"
    if bytes.count + block.utf8.count <= limit { bytes += block.utf8 }
  }

  /// Adds a heading and a table with the rows that fit, and says how many do not; nothing for no rows.
  ///
  /// - Parameters:
  ///   - count: How many rows there are.
  ///   - most: How many of them are shown.
  ///   - share: The most bytes of the page that the table takes.
  ///   - row: The cells of a row, not escaped.
  mutating func table(
    _ title: String, _ columns: [Column], count: Int, most: Int = .max, share: Int, row: (Int) -> [String]
  ) {
    if count == 0 { return }
    let end = min(limit, bytes.count + share) - Self.noteBytes
    let head = "## \(title)\n\n" + Self.line(columns.map(\.name)) + Self.line(columns.map { $0.isFigure ? "--:" : "---" })
    if bytes.count + head.utf8.count > end { return }
    bytes += head.utf8
    var shown = 0
    while shown < min(count, most) {
      let line = Self.line(row(shown).map { Escaping.markdown(Escaping.line($0)) })
      if bytes.count + line.utf8.count > end { break }
      bytes += line.utf8
      shown += 1
    }
    let left = count - shown
    bytes += "\n".utf8
    if left > 0 { bytes += "\(Figures.count(left)) more row\(left == 1 ? " is" : "s are") left out.\n\n".utf8 }
  }

  /// Takes away blank lines at the end.
  mutating func trimEnd() {
    while bytes.suffix(2).elementsEqual([0x0A, 0x0A]) { bytes.removeLast() }
  }

  private static func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }
}
