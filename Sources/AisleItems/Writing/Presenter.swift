/// How results are written.
package enum OutputFormat: String, CaseIterable, Sendable {
  case tsv, jsonl, json, csv, list
  /// CookLang's `config/aisle.conf`.
  case aisleConf = "aisle.conf"

  /// Whether records are JSON objects.
  package var isJSON: Bool { self == .jsonl || self == .json }

  /// Whether items are grouped by section, so that nothing can be written before all are read.
  package var isGrouped: Bool { self == .list || self == .aisleConf }
}

/// Writes a block's results.
package protocol Presenter: Sendable {
  /// What comes before all records.
  func begin(_ output: OutputBuffer)

  /// What stands between two records. It is written before each one, and taken away before the first of all.
  var separator: StaticString { get }

  /// What comes after all records; there may have been none.
  func end(_ output: OutputBuffer, isEmpty: Bool)

  /// Writes the records of a workspace, in order, one for each.
  func present(_ work: Workspace, _ output: OutputBuffer)

  /// Writes part of a record that was too long to categorize.
  func presentOversized(_ part: OversizedPart, fault: String, _ output: OutputBuffer)

  /// Whether output may stop after the byte at an offset of what was written at once.
  func isRecordEnd(_ offset: Int, in bytes: UnsafeRawBufferPointer) -> Bool
}

extension Presenter {
  package func begin(_ output: OutputBuffer) {}

  package var separator: StaticString { "" }

  package func end(_ output: OutputBuffer, isEmpty: Bool) {}

  package func isRecordEnd(_ offset: Int, in bytes: UnsafeRawBufferPointer) -> Bool { bytes[offset] == 0x0A }
}
