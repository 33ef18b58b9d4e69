/// Text in aligned columns, with color that does not disturb the alignment.
package struct Table {
  /// A cell: what is measured, and how it is written.
  package struct Cell {
    let text: String
    let styled: String
    var isRight = false

    package static func left(_ text: String, _ style: (String) -> String = { $0 }) -> Cell {
      Cell(text: text, styled: style(text))
    }
    package static func right(_ text: String, _ style: (String) -> String = { $0 }) -> Cell {
      Cell(text: text, styled: style(text), isRight: true)
    }
  }

  private var rows: [[Cell]] = []

  package init() {}

  package mutating func add(_ cells: [Cell]) { rows.append(cells) }

  /// The table, each row indented and ended by a newline; no row ends in blanks.
  package func render(indent: String = "  ", gap: String = "  ") -> String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in rows.map { $0.count > column ? $0[column].text.count : 0 }.max() ?? 0 }
    var text = ""
    for row in rows {
      var line = indent
      for (column, cell) in row.enumerated() {
        let blanks = String(repeating: " ", count: widths[column] - cell.text.count)
        if column > 0 { line += gap }
        line += cell.isRight ? blanks + cell.styled : cell.styled + (column == row.count - 1 ? "" : blanks)
      }
      while line.last == " " { line.removeLast() }
      text += line + "\n"
    }
    return text
  }

  /// Words in lines of at most `width` columns, each but the last with a mark behind it.
  package static func wrapped(_ words: [some StringProtocol], width: Int, mark: String = ",") -> [String] {
    var lines: [String] = []
    for (place, word) in words.enumerated() {
      let word = place == words.count - 1 ? String(word) : word + mark
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(word)
      }
    }
    return lines
  }
}
