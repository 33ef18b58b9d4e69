import GRDB

extension Row {
  /// A column's value. `row[…]` would end the process where a damaged file holds something else.
  ///
  /// - Throws: `RowDecodingError`.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: String) throws -> Value {
    try decode(Value.self, forColumn: column)
  }
}
