import AisleCore
import AisleItems

/// Which fields or columns of a list's records say what else is known of an item.
struct CheckFields: Sendable {
  /// What whoever keeps the list calls the item.
  var id: String?
  /// Where the item stands.
  var category: String?

  /// The fields that count where none is named, of records that have them.
  private static let standard = (id: "id", category: "category")

  /// The id of an item and the section where it stands, of which it is one of the store's where just the case differs.
  func read(_ record: ArraySlice<UInt8>, _ fields: RecordFields, _ taxonomy: Taxonomy) -> (
    id: RecordFields.Value?, section: String?
  ) {
    let id = fields.value(id ?? Self.standard.id, of: record)
    guard case .text(let name) = fields.value(category ?? Self.standard.category, of: record), Self.isSection(name) else {
      return (id, nil)
    }
    let known = taxonomy.sections.map(\.name)
    return (id, known.first { $0 == name } ?? known.first { $0.lowercased() == name.lowercased() } ?? name)
  }

  /// Whether a text can be the name of a section.
  private static func isSection(_ name: String) -> Bool {
    (1...100).contains(name.utf8.count) && !name.allSatisfy(\.isWhitespace)
      && !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
  }

  /// Checks that a table has the columns that are named.
  ///
  /// - Throws: `CommandFailure`.
  func check(_ fields: RecordFields, _ header: Header, of input: String) throws {
    for (option, name) in [("--id", id), ("--category", category)] {
      guard let name, !fields.knows(name) else { continue }
      let hint = DidYouMean.hint(name, among: header.columns)
      throw CommandFailure(
        description: "\(input):1: no column `\(name)`\(hint); \(option) takes one of: \(header.columns.joined(separator: ", "))")
    }
  }
}
