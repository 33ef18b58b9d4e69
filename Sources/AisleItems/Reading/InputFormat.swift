/// How records lie in the input.
package enum InputFormat: String, CaseIterable, Sendable {
  case lines, jsonl, json, csv, tsv

  /// The format that a file's name says, in letters of any case: by `.csv`, `.tsv`, `.tab`, `.jsonl`, `.ndjson`, or `.json`; lines for
  /// all others.
  package init(path: String) {
    let name = path.lowercased()
    self = Self.endings.first { name.hasSuffix($0.0) }?.1 ?? .lines
  }

  private static let endings: [(String, InputFormat)] = [
    (".csv", .csv), (".tsv", .tsv), (".tab", .tsv), (".jsonl", .jsonl), (".ndjson", .jsonl), (".json", .json),
  ]

  /// Whether records are rows of a table.
  package var isTable: Bool { self == .csv || self == .tsv }

  /// Whether records are JSON, with fields.
  package var isJSON: Bool { self == .json || self == .jsonl }
}
