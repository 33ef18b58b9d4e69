import AisleCore
import AisleEvaluation

/// A value in a row for programs.
package enum TuningCell {
  case text(String)
  case number(Int)
  /// A share in 0…1, or nothing.
  case share(Double?)
  case list([String])

  /// Rows as TSV with a header, or as JSON lines with the names as keys.
  package static func write(_ names: [String], _ rows: [[TuningCell]], isJSON: Bool) -> String {
    var text = isJSON ? "" : names.joined(separator: "\t") + "\n"
    for row in rows {
      if isJSON {
        text += "{" + zip(names, row).map { "\(quoted($0)):\($1.json)" }.joined(separator: ",") + "}\n"
      } else {
        text += row.map(\.plain).joined(separator: "\t") + "\n"
      }
    }
    return text
  }

  private var plain: String {
    switch self {
    case .text(let text): Self.oneCell(text)
    case .number(let number): String(number)
    case .share(let share): share.map { Figures.fixed($0, 4) } ?? ""
    case .list(let parts): parts.map(Self.oneCell).joined(separator: "|")
    }
  }

  private var json: String {
    switch self {
    case .text(let text): Self.quoted(text)
    case .number(let number): String(number)
    case .share(let share): share.map { Figures.fixed($0, 4) } ?? "null"
    case .list(let parts): "[" + parts.map(Self.quoted).joined(separator: ",") + "]"
    }
  }

  private static func quoted(_ text: String) -> String {
    let buffer = ByteBuffer()
    JSONText.append(text.utf8, to: buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  /// Tabs and line ends would begin another cell.
  private static func oneCell(_ text: String) -> String {
    text.contains { $0 == "\t" || $0.isNewline } ? String(text.map { $0 == "\t" || $0.isNewline ? " " : $0 }) : text
  }
}
