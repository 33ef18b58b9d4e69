public import AisleCore

/// What a program says about itself when it starts.
public struct Introduction: Sendable, Hashable {
  /// The version of the protocol that it chose.
  public let version: Int
  /// Its name.
  public let programName: String
  /// Its own version, as it writes it.
  public let programVersion: String
  /// What it does, in one line.
  public let summary: String?
  /// Items with the sections that it gives them.
  public let examples: [StrategyExample]
  /// Whether it wants the store's keywords.
  public let wantsShelves: Bool
}

extension Introduction {
  /// The versions of the protocol that are spoken here.
  static let versions = [1]

  /// The first line that a program gets: the versions of the protocol, and the store.
  static func greeting(_ taxonomy: Taxonomy) -> [UInt8] {
    let line = ByteBuffer()
    line.append("{\"type\":\"hello\",\"protocol\":[\(versions.map(String.init).joined(separator: ","))],\"store\":")
    JSONText.append(taxonomy.store.utf8, to: line)
    line.append(",\"sections\":")
    appendTexts(taxonomy.sections.map(\.name), to: line)
    line.append(",\"fallback\":")
    JSONText.append(taxonomy[taxonomy.fallback].name.utf8, to: line)
    line.append("}\n")
    return line.bytes
  }

  /// The line with the store's keywords, for a program that wants them; a section's own stand on a shelf without a name.
  static func shelves(_ taxonomy: Taxonomy) -> [UInt8] {
    var keywords: [[String]] = Array(repeating: [], count: taxonomy.shelves.count)
    var own: [[String]] = Array(repeating: [], count: taxonomy.sections.count)
    for keyword in taxonomy.keywords {
      if let shelf = keyword.shelf {
        keywords[Int(shelf.rawValue)].append(keyword.strength.sign + keyword.text)
      } else {
        own[Int(keyword.section.rawValue)].append(keyword.strength.sign + keyword.text)
      }
    }
    let line = ByteBuffer()
    var mark = "{\"type\":\"shelves\",\"shelves\":["
    func append(_ name: String?, _ section: String, _ keywords: [String]) {
      line.append("\(mark){\"name\":")
      mark = ","
      if let name { JSONText.append(name.utf8, to: line) } else { line.append("null") }
      line.append(",\"section\":")
      JSONText.append(section.utf8, to: line)
      line.append(",\"keywords\":")
      appendTexts(keywords, to: line)
      line.append("}")
    }
    for (shelf, keywords) in zip(taxonomy.shelves, keywords) { append(shelf.name, taxonomy[shelf.section].name, keywords) }
    for (section, keywords) in zip(taxonomy.sections, own) where !keywords.isEmpty { append(nil, section.name, keywords) }
    line.append(mark == "," ? "]}\n" : "\(mark)]}\n")
    return line.bytes
  }

  private static func appendTexts(_ texts: [String], to line: ByteBuffer) {
    line.append("[")
    for (place, text) in texts.enumerated() {
      if place > 0 { line.append(",") }
      JSONText.append(text.utf8, to: line)
    }
    line.append("]")
  }

  /// Judges a program's answer to the greeting.
  ///
  /// - Throws: `Ending` when it is none, chooses another protocol, or says that the program cannot work.
  init(_ message: Message) throws(Ending) {
    let strategy = message.strategy
    if message.type == "error" { throw message.refusal }
    guard message.type == "hello" else { throw message.unexpected(where: "hello") }
    guard let version = message.version else {
      throw message.fault("said hello without \"protocol\": 1")
    }
    guard Self.versions.contains(version) else {
      throw .failure(ProcessFailure(strategy, .refused, "speaks protocol \(version), but aisle speaks 1"))
    }
    self.version = version
    programName = message.name ?? ""
    programVersion = message.programVersion ?? ""
    summary = message.summary
    examples = message.examples
    wantsShelves = message.wants.contains("shelves")
    if programName.isEmpty { throw message.fault("said hello without a \"name\"") }
  }
}
