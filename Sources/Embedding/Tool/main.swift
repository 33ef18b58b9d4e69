// Writes a Swift file that compiles data in: the stores of a package's `taxonomies` folder, indexed, or the files of the server's page.
// The plugin `EmbedData` runs it in each build.
import AisleCore
import AisleFiles
import KeywordStrategy

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

func fail(_ message: String) -> Never {
  let line = message + "\n"
  _ = line.withCString { write(STDERR_FILENO, $0, line.utf8.count) }
  exit(1)
}

func literal(_ text: [UInt8]) -> String { "#\"" + String(decoding: text, as: UTF8.self) + "\"#" }

/// A text for a literal between `####`, checked to have nothing that would end it or be an escape in it.
func raw(_ text: String, of place: String) -> String {
  guard !text.contains("\"####"), !text.contains("\\####") else {
    fail("\(place) has `####` after a quotation mark or backslash")
  }
  return text
}

/// Texts as they are, to be read in place.
func literal(ofTexts bytes: FlatBlock) -> String {
  let text = raw(String(decoding: bytes.bytes.prefix { $0 != 0 }, as: UTF8.self), of: "a keyword")
  return "####\"" + text + String(repeating: "\\####0", count: Batch.padding) + "\"####"
}

/// The stores of a package, indexed.
func stores(in package: String) throws -> String {
  // Explanations name files as the repository has them: taxonomies/shelves/beef.txt.
  guard chdir(package) == 0 else { fail("\(package): no such folder") }
  let stores = try SharedStores(TaxonomyFolder(path: "taxonomies"))
  let keywords = KeywordStrategy(stores.taxonomy)
  let conflicts = keywords.conflicts.map { pair in
    let (first, second) = (stores.taxonomy.keywords[pair.first], stores.taxonomy.keywords[pair.second])
    return Finding(second.location, "keyword `\(second.text)` is also at \(first.location); keep one")
  }
  let findings = stores.findings + conflicts
  if !findings.isEmpty { fail(findings.map { "\($0.location): error: \($0.message)" }.joined(separator: "\n")) }
  var blocks = stores.taxonomy.image() + (keywords.image() ?? [])
  let (rows, texts) = (blocks[Taxonomy.rowBlock], blocks[Taxonomy.textBlock])
  let packedBlocks = SharedIndex.packedBlocks.map { Taxonomy.blockCount + $0 }
  let packed = packedBlocks.map { literal(PackedText.write(blocks[$0].bytes)) }
  // These are unpacked when they are needed, and the filter of the slips is made from the slips.
  for block in [Taxonomy.rowBlock, Taxonomy.textBlock, Taxonomy.blockCount + SharedIndex.slipFilterBlock] + packedBlocks {
    blocks[block] = FlatTable(ContiguousArray<UInt8>()).block
  }
  blocks.append(FlatTable(stores.taxonomy.keywords.starts(sectionCount: stores.taxonomy.sections.count)).block)
  blocks.append(FlatTable(ContiguousArray(StoreLayout.image(stores.layouts))).block)
  return """
    // Generated from `taxonomies/` by the build.

    /// The stores whose lists are in English, indexed: see `BuiltInStores`.
    enum EmbeddedStores {
      static let image: StaticString = \(literal(JoinedBlocks.join(blocks).withUnsafeBytes(PackedText.write)))
      static let rows: StaticString = \(literal(PackedText.write(rows.bytes)))
      static let texts: StaticString = \(literal(ofTexts: texts))
      static let words: StaticString = \(packed[0])
      static let phrases: StaticString = \(packed[1])
      static let slips: StaticString = \(packed[2])
      static let ids: StaticString = "\(stores.layouts.map(\.store).sorted().joined(separator: " "))"
      static let elsewhere: StaticString = "\(stores.foreign.joined(separator: " "))"
    }

    """
}

/// The files of a folder as they are. A long literal of bytes would take the compiler a minute.
func page(in folder: String) throws -> String {
  let files = try (FileReader.list(folder) ?? []).sorted().map { name in
    let path = "\(folder)/\(name)"
    let text = raw(String(decoding: try FileReader.read(path), as: UTF8.self), of: path)
    let property = name.split(separator: ".").joined(separator: "_")
    return "  static let \(property): StaticString = ####\"\"\"\n\(text)\n\"\"\"####\n"
  }
  return
    "// Generated from `Page/` by the build.\n\n/// The files of the page, and what the server tells of itself.\nenum PageFiles {\n"
    + files.joined() + "}\n"
}

let arguments = CommandLine.arguments
guard arguments.count == 4, ["stores", "page"].contains(arguments[1]) else {
  fail("usage: embed-data stores PACKAGE-FOLDER OUTPUT.swift, or embed-data page FOLDER OUTPUT.swift")
}
do {
  let text = try arguments[1] == "stores" ? stores(in: arguments[2]) : page(in: arguments[2])
  try FileWriter.replace(arguments[3], with: Array(text.utf8))
} catch {
  fail("\(error)")
}
