import AisleReporting

/// Rows of text: aligned columns on a terminal, tab-separated in a pipe.
enum TextTable {
  static func write(_ rows: [[String]], to output: Descriptor = .standardOutput) throws {
    var text = text(rows, for: output)
    try text.withUTF8 { try output.write(UnsafeRawBufferPointer($0)) }
  }

  /// Rows as they are written.
  static func text(_ rows: [[String]], for output: Descriptor) -> String {
    var text = ""
    if output.isTerminal {
      let columns = rows.map(\.count).max() ?? 0
      let widths = (0..<columns).map { column in rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
      for row in rows {
        let cells = row.enumerated().map { place, cell in
          let cell = Style.visible(cell)
          return place == row.count - 1 ? cell : cell + String(repeating: " ", count: max(0, widths[place] - cell.count))
        }
        text += cells.joined(separator: "  ") + "\n"
      }
    } else {
      text = rows.map { $0.joined(separator: "\t") + "\n" }.joined()
    }
    return text
  }
}
