/// The rows of a `KeywordTable`, perhaps made when the first one is looked at: a run that explains nothing needs few or none.
final class KeywordRows: Sendable {
  /// The number of rows.
  let count: Int
  private let made: MadeLater<Made>

  private final class Made: Sendable {
    let table: FlatTable<KeywordTable.Entry>

    init(_ table: FlatTable<KeywordTable.Entry>) { self.table = table }
  }

  init(_ table: FlatTable<KeywordTable.Entry>) {
    count = table.count
    let made = Made(table)
    self.made = MadeLater { made }
  }

  /// Makes `count` rows when they are asked for.
  init(count: Int, _ make: @escaping @Sendable () -> FlatTable<KeywordTable.Entry>) {
    self.count = count
    made = MadeLater { Made(make()) }
  }

  var table: FlatTable<KeywordTable.Entry> { made.with { $0.table } }

  /// The first row.
  var start: UnsafePointer<KeywordTable.Entry> { made.with { $0.table.address } }
}
