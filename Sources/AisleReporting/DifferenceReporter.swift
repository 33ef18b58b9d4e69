import AisleCore
package import AisleEvaluation

/// Writes how two stores differ, for people, scripts and spreadsheets.
package struct DifferenceReporter {
  private let style: Style

  package init(style: Style = .plain) { self.style = style }

  /// A screen: the sections side by side, then what stands elsewhere.
  package func text(_ difference: StoreDifference, items: [StoreDifference.Change]? = nil) -> String {
    let (first, second) = (difference.first, difference.second)
    var text =
      style.bold(Style.visible("\(first.name) → \(second.name)")) + " · \(Figures.count(first.sections.count, "section")) → "
    text += "\(second.sections.count) · \(difference.shelves.count) of \(difference.shelfCount)"
    text += " \(difference.shelfCount == 1 ? "shelf" : "shelves") are in different sections\n"
    if difference.isEmpty { text += "\nno differences\n" }
    text += "\n" + sections(difference)
    text += block("shelves in different sections", difference.shelves, difference, wrapped: true)
    text += block("own keywords", difference.keywords, difference, wrapped: true)
    text += block("own patterns", difference.patterns, difference, wrapped: true)
    if let items {
      text +=
        items.isEmpty
        ? "\nno items in different sections\n" : block("items in different sections", items, difference, wrapped: false)
    }
    return text
  }

  private func sections(_ difference: StoreDifference) -> String {
    var table = Table()
    table.add([
      .right(""), .left(Style.visible(difference.first.store), style.dim), .right(""),
      .left(Style.visible(difference.second.store), style.dim),
      .right("shelves in common", style.dim),
    ])
    for pair in difference.pairs {
      let common = pair.from == nil || pair.to == nil ? .right("") : Table.Cell.right("\(pair.common)")
      var cells = cells(pair.from, difference.first) + cells(pair.to, difference.second) + [common]
      if pair.isMoved { cells.append(.left("different walking order")) }
      table.add(cells)
    }
    return table.render()
  }

  private func cells(_ id: SectionID?, _ taxonomy: Taxonomy) -> [Table.Cell] {
    guard let id else { return [.right(""), .left("–", style.dim)] }
    let section = taxonomy[id]
    return [.right("\(id.rawValue + 1)"), .left(Style.visible(section.name)) { style.colored($0, section.color) }]
  }

  /// A heading, and below it what stands elsewhere, by section; all of it wrapped, or an item a line.
  private func block(
    _ heading: String, _ changes: [StoreDifference.Change], _ difference: StoreDifference, wrapped: Bool
  ) -> String {
    if changes.isEmpty { return "" }
    var text = "\n" + style.bold("\(heading)  \(changes.count)") + "\n"
    var place = changes.startIndex
    while place < changes.endIndex {
      let (from, to) = (changes[place].from, changes[place].to)
      let end = changes[place...].firstIndex { $0.from != from || $0.to != to } ?? changes.endIndex
      let names = changes[place..<end].map { Style.visible($0.what) }
      text += "  \(name(from, difference.first)) → \(name(to, difference.second))\n"
      for line in wrapped ? Table.wrapped(names, width: 96) : names { text += "      \(line)\n" }
      place = end
    }
    return text
  }

  private func name(_ id: SectionID?, _ taxonomy: Taxonomy) -> String {
    id.map { style.colored(Style.visible(taxonomy[$0].name), taxonomy[$0].color) }
      ?? style.dim("(\(Style.visible(taxonomy.store)): none)")
  }

  /// Rows of kind, section in the first store, section in the second, and what: the places in walking order, a shelf and so on.
  package func tsv(_ difference: StoreDifference, items: [StoreDifference.Change]? = nil) -> String {
    var text = "kind\tfrom\tto\twhat\n"
    func row(_ kind: String, _ from: SectionID?, _ to: SectionID?, _ what: String) {
      let cells = [kind, from.map { difference.first[$0].name } ?? "", to.map { difference.second[$0].name } ?? "", what]
      text += cells.map(Self.cell).joined(separator: "\t") + "\n"
    }
    for pair in difference.pairs {
      row("section", pair.from, pair.to, "\(pair.common)")
      if pair.isMoved { row("order", pair.from, pair.to, "\(Self.place(pair.from))-\(Self.place(pair.to))") }
    }
    for (kind, changes) in [
      ("shelf", difference.shelves), ("keyword", difference.keywords), ("pattern", difference.patterns), ("item", items ?? []),
    ] {
      for change in changes { row(kind, change.from, change.to, change.what) }
    }
    return text
  }

  private static func place(_ id: SectionID?) -> String { id.map { "\($0.rawValue + 1)" } ?? "" }

  /// A cell of a table with tabs: what would end it is written `\t`, `\n` or `\r`.
  private static func cell(_ text: String) -> String {
    String(
      text.unicodeScalars.reduce(into: String.UnicodeScalarView()) { cell, scalar in
        switch scalar {
        case "\t": cell.append(contentsOf: "\\t".unicodeScalars)
        case "\n": cell.append(contentsOf: "\\n".unicodeScalars)
        case "\r": cell.append(contentsOf: "\\r".unicodeScalars)
        default: cell.append(scalar)
        }
      })
  }

  /// One JSON object; sections are named, places are counted from 1, and what a store does not have is `null`.
  package func json(_ difference: StoreDifference, items: [StoreDifference.Change]? = nil) -> [UInt8] {
    let output = ReportBuffer()
    var json = JSONWriter(output)
    let (first, second) = (difference.first, difference.second)
    json.object(.lines) { json in
      json.member("from", first.store)
      json.member("to", second.store)
      json.member("shelf_count", difference.shelfCount)
      json.objects("sections", difference.pairs) { json, pair in
        json.member("from", pair.from.map { first[$0].name })
        json.member("from_place", pair.from.map { Int($0.rawValue) + 1 })
        json.member("to", pair.to.map { second[$0].name })
        json.member("to_place", pair.to.map { Int($0.rawValue) + 1 })
        json.member("shelves_in_common", pair.common)
        json.member("moved", pair.isMoved)
      }
      func rows(_ name: String, _ one: String, _ changes: [StoreDifference.Change]) {
        json.objects(name, changes) { json, change in
          json.member(one, change.what)
          json.member("from", change.from.map { first[$0].name })
          json.member("to", change.to.map { second[$0].name })
        }
      }
      rows("shelves", "shelf", difference.shelves)
      rows("keywords", "keyword", difference.keywords)
      rows("patterns", "pattern", difference.patterns)
      if let items { rows("items", "item", items) }
    }
    output.append("\n")
    return output.bytes
  }
}
