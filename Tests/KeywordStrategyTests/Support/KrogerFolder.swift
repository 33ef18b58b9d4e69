import AisleCore
import Foundation
import KeywordStrategy

/// The Kroger taxonomy as the files beside the sources have it, and the strategies made of it, read once.
enum KrogerFolder {
  static var taxonomy: Taxonomy { get throws { try loaded.get() } }
  static var phrase: KeywordStrategy { get throws { try phraseStrategy.get() } }
  static var substring: KeywordStrategy { get throws { try substringStrategy.get() } }

  private static let loaded = Result { try read() }
  private static let phraseStrategy = loaded.map { KeywordStrategy($0) }
  private static let substringStrategy = loaded.map { KeywordStrategy($0, mode: .substring) }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "taxonomies")

  /// Reads just the fields that Kroger's file has; the strategy's tests are no tests of the file reader.
  private static func read() throws -> Taxonomy {
    var builder = TaxonomyBuilder(store: "kroger", name: "Kroger")
    var ids: [String: SectionID] = [:]
    var order: [String] = []
    var fallback = ""
    var section = SectionID(rawValue: 0)
    var list = ""
    let file = try String(contentsOf: folder.appending(path: "kroger.yaml"), encoding: .utf8)
    for (place, line) in file.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let text = line.trimmingCharacters(in: .whitespaces)
      if text.hasPrefix("- name: ") {
        let name = value(text)
        section = builder.addSection(Section(name: name, color: .gray))
        ids[name] = section
      } else if text.hasPrefix("fallback: ") {
        fallback = value(text)
      } else if text.hasSuffix(":") {
        list = String(text.dropLast())
      } else if text.hasPrefix("- ") {
        let entry = unquoted(text.dropFirst(2))
        switch list {
        case "shelves": try addText("shelves/\(entry).txt") { builder.addShelf(entry, text: $0, path: $1, section: section) }
        case "keywords":
          builder.addKeyword(entry, section: section, at: SourceLocation(path: "kroger.yaml", line: place + 1, column: 1))
        case "match_order": order.append(entry)
        default: break
        }
      }
    }
    if let id = ids[fallback] { builder.setFallback(id) }
    builder.setMatchOrder(order.compactMap { ids[$0] })
    for name in ["moves.txt", "spellings.txt"] where FileManager.default.fileExists(atPath: folder.appending(path: name).path) {
      try addText(name) { name == "moves.txt" ? builder.addMoves(text: $0, path: $1) : builder.addSpellings(text: $0, path: $1) }
    }
    return builder.build()
  }

  private static func addText(_ name: String, _ add: (UnsafeBufferPointer<UInt8>, String) -> Void) throws {
    let bytes = try [UInt8](Data(contentsOf: folder.appending(path: name)))
    bytes.withUnsafeBufferPointer { add($0, name) }
  }

  private static func value(_ line: String) -> String {
    unquoted(line[(line.firstIndex(of: ":").map(line.index(after:)) ?? line.startIndex)...])
  }

  private static func unquoted(_ text: Substring) -> String { text.trimmingCharacters(in: CharacterSet(charactersIn: " \"'")) }
}
