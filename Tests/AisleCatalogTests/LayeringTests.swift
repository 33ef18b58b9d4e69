import Foundation
import Testing

/// Imports point down only, so that an app embeds the core and the keyword strategy with the standard library alone.
struct `The layout` {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources")

  @Test(
    arguments: [
      ("AisleCore", ["CBytes", "Synchronization"]),
      ("AisleKit", ["AisleCore", "KeywordStrategy", "ModelStrategy", "Dispatch", "Synchronization"]),
      ("Strategies/Keyword", ["AisleCore", "Synchronization"]),
      ("AisleItems", ["AisleCore", "Darwin", "Glibc", "Musl"]), ("AisleTesting", ["AisleCore"]),
      ("CorrectionMatching", ["AisleCore", "FlatFiles", "Synchronization", "Darwin", "Glibc", "Musl"]),
      (
        "AisleC",
        ["AisleCore", "AisleKit", "CAisle", "CorrectionMatching", "FlatFiles", "KeywordStrategy", "Darwin", "Glibc", "Musl"]
      ),
    ] as [(String, Set<String>)])
  func `lets a folder import only`(folder: String, allowed: Set<String>) throws {
    #expect(try Self.imports(in: folder).subtracting(allowed) == [], "in Sources/\(folder)")
  }

  @Test func `keeps strategies apart`() throws {
    for folder in try FileManager.default.contentsOfDirectory(atPath: Self.sources.appending(path: "Strategies").path)
    where !folder.hasPrefix(".") {
      #expect(try Self.imports(in: "Strategies/\(folder)").filter { $0.hasSuffix("Strategy") } == [], "in \(folder)")
    }
  }

  /// The modules that the files in a folder import, without traits and sanitizers.
  private static func imports(in folder: String) throws -> Set<String> {
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.appending(path: folder).path)
      .filter { $0.hasSuffix(".swift") }
    try #require(!files.isEmpty)
    var found: Set<String> = []
    for file in files {
      let text = try String(contentsOf: sources.appending(path: "\(folder)/\(file)"), encoding: .utf8)
      var depth = 0
      for line in text.split(separator: "\n").prefix(100) {
        let words = line.split(separator: " ")
        let isTrait =
          words.first == "#if" && words.count == 2 && ["Corrections", "Patterns", "THREAD_SANITIZER"].contains(words[1])
        if isTrait || words.first == "#if" && depth > 0 { depth += 1 }
        if words.first == "#endif", depth > 0 { depth -= 1 }
        if depth > 0 { continue }
        guard let place = words.firstIndex(of: "import"), place < 3, !line.contains("//"), words.count == place + 2 else {
          continue
        }
        found.insert(String(words[place + 1]))
      }
    }
    return found
  }
}
