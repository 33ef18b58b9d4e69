import AisleCore
import AisleFiles
import Foundation
import Testing

/// The JSON Schema that editors complete stores with knows what the reader knows.
@Suite struct SchemaTests {
  @Test func `it has the fields that the reader knows, and the colors`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "taxonomies/taxonomy.schema.json")
    let schema = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    let section = try #require((schema["$defs"] as? [String: Any])?["section"] as? [String: Any])
    #expect(schema["additionalProperties"] as? Bool == false && section["additionalProperties"] as? Bool == false)
    let sound = StoreFolder.soundStore
    #expect(try Self.fields(of: schema) == Self.known(in: sound + "zzzzzz: 1\n"))
    #expect(try Self.fields(of: section) == Self.known(in: sound + "    zzzzzz: 1\n"))
    let color = (section["properties"] as? [String: Any])?["color"] as? [String: Any]
    #expect(color?["enum"] as? [String] == SectionColor.allCases.map(\.rawValue))
  }

  private static func fields(of object: [String: Any]) -> Set<String> {
    Set((object["properties"] as? [String: Any] ?? [:]).keys)
  }

  /// The fields that the reader says it knows when it finds another.
  private static func known(in store: String) throws -> Set<String> {
    let findings = try StoreFolder(store).findings()
    let list = try #require(findings.compactMap { $0.components(separatedBy: "known: ").dropFirst().first }.first, "\(findings)")
    return Set(list.components(separatedBy: ", "))
  }
}
