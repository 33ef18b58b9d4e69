import AisleCore

/// The rows of a `SlipTable`, and their filter.
final class SlipTables: Sendable {
  let rows: FlatTable<SlipTable.Row>
  /// The `HashFilter` of the rows: most readings of an unknown word are no other word.
  let filter: FlatTable<UInt64>

  init(rows: FlatTable<SlipTable.Row>, filter: FlatTable<UInt64>) { (self.rows, self.filter) = (rows, filter) }

  /// Makes the filter; rows keep as much of a hash as it looks at.
  convenience init(rows: FlatTable<SlipTable.Row>) {
    let hashes = rows.elements.lazy.filter { $0 != 0 }.map { $0 & 0xFFFF_FFFF_0000_0000 }
    self.init(rows: rows, filter: FlatTable(HashFilter.table(of: hashes, count: rows.count / 2)))
  }

  /// Whether they have sizes that go together, about half of the rows being empty: for tables from elsewhere.
  var areSound: Bool { rows.count.nonzeroBitCount == 1 && filter.count == HashFilter.wordCount(rows.count / 2) }
}

/// Gives the slips when the first unknown word is read: most of what an index takes, and many runs never need them.
typealias SlipSource = MadeLater<SlipTables>

extension SlipSource {
  convenience init(_ tables: SlipTables) { self.init { tables } }

  /// Makes the rows when they are asked for.
  convenience init(_ rows: @escaping @Sendable () -> FlatTable<SlipTable.Row>) { self.init { SlipTables(rows: rows()) } }

  var tables: SlipTables { with { $0 } }
}
