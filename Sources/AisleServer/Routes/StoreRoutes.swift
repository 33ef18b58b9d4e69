import AisleCore
import AisleKit
import Hummingbird

/// `GET /v1/stores…`: what stores there are, and what stands on their shelves.
struct StoreRoutes: Sendable {
  let stores: StoreRoom

  private struct Listed: Encodable {
    let id: String
    let name: String
    let sections: Int
    let isDefault: Bool

    enum CodingKeys: String, CodingKey {
      case id, name, sections
      case isDefault = "is_default"
    }
  }

  /// All stores.
  func list() throws -> Response {
    let list = stores.outlines.map {
      Listed(id: $0.id, name: $0.name, sections: $0.sections, isDefault: $0.id == stores.standard)
    }
    return try Response(json: ["stores": list])
  }

  private struct Shown: Encodable {
    struct Section: Encodable {
      let id: String
      let name: String
      let color: String
      let shelves: [String]
    }

    let id: String
    let name: String
    let fallback: String
    let sections: [Section]
  }

  /// One store with its sections, in walking order.
  func show(_ id: String) throws -> Response {
    let store = try stores.store(id)
    let taxonomy = store.taxonomy
    let sections = store.sections.enumerated().map { place, section in
      Shown.Section(
        id: section.id, name: section.name, color: section.color.rawValue,
        shelves: taxonomy.shelves.filter { Int($0.section.rawValue) == place }.map(\.name))
    }
    return try Response(
      json: Shown(id: id, name: taxonomy.name, fallback: taxonomy[taxonomy.fallback].name, sections: sections))
  }

  private struct ShownShelf: Encodable {
    let store: String
    let shelf: String
    let section: String
    let keywords: [String]
  }

  /// A shelf with its keywords, each after the sign of its strength.
  func shelf(_ name: String, of id: String) throws -> Response {
    let store = try stores.store(id)
    let taxonomy = store.taxonomy
    guard let shelf = taxonomy.shelf(named: name) else {
      let hint = DidYouMean.hint(name, among: taxonomy.shelves.map(\.name))
      throw Problem(.notFound, "no shelf `\(name.prefix(100))` in \(id)\(hint.isEmpty ? "; /v1/stores/\(id) lists them" : hint)")
    }
    let keywords = taxonomy.keywords.entries.enumerated().compactMap { place, entry in
      entry.shelfID == shelf ? taxonomy.keywords[place] : nil
    }
    return try Response(
      json: ShownShelf(
        store: id, shelf: name, section: taxonomy[taxonomy[shelf].section].name,
        keywords: keywords.map { $0.strength.sign + $0.text }))
  }

  private struct Found: Encodable {
    let keyword: String
    let shelf: String?
    let section: String
    let source: String
  }

  /// The keywords that contain a text: those that are the text first, then those of shelves whose names contain it,
  /// then those that begin with it, then the short ones.
  func search(_ text: String, in id: String, limit: Int) throws -> Response {
    let store = try stores.store(id)
    let taxonomy = store.taxonomy
    let wanted = Array(text.lowercased().utf8)
    guard !wanted.isEmpty else { throw Problem(.badRequest, "`q` is missing; search for e.g. q=milk") }
    var found: [(rank: Int, keyword: Keyword)] = []
    // A shelf that is meant by its name is told by its first keyword.
    let name = wanted.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "-") : $0 }
    var named = Set(taxonomy.shelves.indices.filter { Self.start(of: name, in: Array(taxonomy.shelves[$0].name.utf8)) != nil })
    for (place, entry) in taxonomy.keywords.entries.enumerated() {
      if named.remove(Int(entry.shelf)) != nil { found.append((1, taxonomy.keywords[place])) }
      if Int(entry.length) < wanted.count { continue }
      let bytes = taxonomy.keywords.bytes[Int(entry.start)..<Int(entry.start) + Int(entry.length)]
      guard let start = Self.start(of: wanted, in: bytes) else { continue }
      let rank = Int(entry.length) == wanted.count ? 0 : start == 0 ? 1000 + Int(entry.length) : 2000 + Int(entry.length)
      found.append((rank, taxonomy.keywords[place]))
    }
    found.sort { ($0.rank, $0.keyword.text) < ($1.rank, $1.keyword.text) }
    var seen: Set<SourceLocation> = []
    found.removeAll { !seen.insert($0.keyword.location).inserted }
    let results = found.prefix(limit).map { _, keyword in
      Found(
        keyword: keyword.strength.sign + keyword.text, shelf: keyword.shelf.map { taxonomy[$0].name },
        section: taxonomy[keyword.section].name, source: "\(keyword.location.path):\(keyword.location.line)")
    }
    return try Response(json: ["results": Array(results)])
  }

  private static func start(of wanted: [UInt8], in bytes: some RandomAccessCollection<UInt8>) -> Int? {
    var start = bytes.startIndex
    if bytes.count < wanted.count { return nil }
    for place in 0...(bytes.count - wanted.count) {
      if bytes[start...].starts(with: wanted) { return place }
      start = bytes.index(after: start)
    }
    return nil
  }
}
