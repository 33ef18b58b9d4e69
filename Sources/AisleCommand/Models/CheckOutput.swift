import AisleCatalog
import AisleCore
import AisleItems
import AisleReporting
import ArgumentParser
import LearnedStrategy

/// How suggestions are written.
enum CheckFormat: String, CaseIterable, ExpressibleByArgument {
  case table, jsonl
}

extension CheckRun {
  /// Writes suggestions, each once for every item of the list with an id, so that whoever keeps the list finds its items again.
  func write(_ suggestions: [NumberedSuggestion], _ format: CheckFormat) throws {
    let shown = suggestions.flatMap { numbered in
      let ids = ids(of: numbered.suggestion)
      return ids.isEmpty ? [(numbered, nil)] : ids.map { (numbered, $0 as RecordFields.Value?) }
    }
    let bytes: [UInt8]
    switch format {
    case .table:
      let hasIDs = shown.contains { $0.1 != nil }
      let text = TextTable.text(
        shown.map { numbered, id in
          let suggestion = numbered.suggestion
          let row = [
            "\(numbered.id)", suggestion.item, suggestion.from, suggestion.to, suggestion.origin.model ?? "",
            Timestamp.text(suggestion.origin.time),
          ]
          return (row + (hasIDs ? [id?.shown ?? ""] : [])).map(Style.visible)
        }, for: .standardOutput)
      bytes = Array(text.utf8)
    case .jsonl:
      let writer = JSONLineWriter()
      for (numbered, id) in shown { SuggestionLine.write(numbered.suggestion, number: numbered.id, id: id?.written, to: writer) }
      bytes = writer.bytes
    }
    // What was suggested before somebody asked to stop is on record, and comes out whole.
    try bytes.withUnsafeBytes {
      if Interruption.isRequested { Descriptor.standardOutput.finish($0) } else { try Descriptor.standardOutput.write($0) }
    }
  }
}

extension RecordFields.Value {
  /// The value for people.
  fileprivate var shown: String {
    switch self {
    case .text(let text), .json(let text): text
    }
  }

  /// The value as a field of JSON.
  fileprivate var written: JSONLineWriter.Value {
    switch self {
    case .text(let text): .text(text)
    case .json(let json): .written(json)
    }
  }
}
