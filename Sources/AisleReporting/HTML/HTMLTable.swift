/// A table with its caption, in a box that scrolls where the screen is narrow.
struct HTMLTable {
  /// The heading of a column.
  struct Column {
    let title: Markup
    let kind: Markup

    /// A column of texts.
    static func text(_ title: Markup) -> Column { Column(title: title, kind: "") }
    /// A column of numbers, aligned at the right.
    static func number(_ title: Markup) -> Column { Column(title: title, kind: " class=\"n\"") }
  }

  let id: Markup
  let kind: Markup
  let caption: Markup
  let columns: [Column]
  let rows: [Markup]

  /// Makes a table.
  ///
  /// - Parameters:
  ///   - kind: Its class.
  ///   - rows: The cells of each row, made with `row` or by hand.
  init(_ id: Markup, kind: Markup = "", caption: Markup, _ columns: [Column], _ rows: [Markup]) {
    self.id = id
    self.kind = kind
    self.caption = caption
    self.columns = columns
    self.rows = rows
  }

  /// A row: its heading, then its cells.
  static func row(_ heading: Markup, _ cells: [Markup]) -> Markup {
    "<tr><th scope=\"row\">\(heading)</th>\(cells)</tr>\n"
  }

  /// A cell of text.
  static func text(_ text: Markup) -> Markup { "<td>\(text)</td>" }

  /// A cell of a number.
  static func number(_ text: String) -> Markup { "<td class=\"n\">\(text)</td>" }

  var markup: Markup {
    let head = columns.map { "<th scope=\"col\"\($0.kind)>\($0.title)</th>" as Markup }
    return Self.frame(id, kind: kind, caption: caption, head: "<tr>\(head)</tr>", rows: rows)
  }

  /// A table whose head is written by hand.
  static func frame(_ id: Markup, kind: Markup, caption: Markup, head: Markup, rows: [Markup]) -> Markup {
    """
    <div class="scroll \(kind)" role="group" aria-labelledby="\(id)-caption" tabindex="0">
    <table id="\(id)">
    <caption id="\(id)-caption"><span>\(caption)</span></caption>
    <thead>
    \(head)
    </thead>
    <tbody>
    \(rows)</tbody>
    </table>
    </div>

    """
  }
}
