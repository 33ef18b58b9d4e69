import AisleCore
import AisleFiles
import Foundation
import Testing

/// A taxonomies folder of a test's own, gone when the test is.
final class StoreFolder {
  /// A store without a fault: two sections, one shelf.
  static let soundStore = """
    store: small
    name: Small
    fallback: Other
    sections:
      - name: Produce
        color: emerald
        shelves:
          - fruit
      - name: Other
        color: gray

    """

  /// The folder above, for what must stay out of reach.
  let outside: URL
  /// The taxonomies folder.
  let url: URL

  var path: String { url.path }

  /// Makes a folder with the store `small` and a shelf `fruit`, and then `files`: contents by path, `nil` to take one away.
  init(_ store: String = soundStore, _ files: [String: String?] = [:]) throws {
    outside = FileManager.default.temporaryDirectory.appending(path: "aisle-tests-\(UUID().uuidString)")
    url = outside.appending(path: "taxonomies")
    try FileManager.default.createDirectory(at: url.appending(path: "shelves"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(at: url.appending(path: "patterns"), withIntermediateDirectories: true)
    try write("shelves/fruit.txt", "apple\n")
    try write("small.yaml", store)
    for (path, text) in files {
      if let text { try write(path, text) } else { try FileManager.default.removeItem(at: url.appending(path: path)) }
    }
  }

  deinit { try? FileManager.default.removeItem(at: outside) }

  func write(_ path: String, _ text: String) throws { try write(path, Array(text.utf8)) }

  func write(_ path: String, _ bytes: [UInt8]) throws { try Data(bytes).write(to: url.appending(path: path)) }

  // The folder goes when its last use is over, so what reads its files are methods.

  /// Loads a store, and gives what is wrong with it with paths as they are within the folder.
  func load(_ store: String = "small") throws(FileError) -> (taxonomy: Taxonomy, findings: [String]) {
    let (taxonomy, findings) = try TaxonomyFolder(path: path).load(store)
    return (taxonomy, findings.map { shown($0.description) })
  }

  /// What is wrong with a store, a line each.
  func findings(_ store: String = "small") throws -> [String] { try load(store).findings }

  /// The ids of the stores.
  func stores() -> [String] { TaxonomyFolder(path: path).stores }

  /// The bytes of a file in it.
  func read(_ file: String) throws -> [UInt8] { try FileReader.read("\(path)/\(file)") }

  /// A text with the folder's own path left out.
  func shown(_ text: String) -> String {
    text.replacingOccurrences(of: path + "/", with: "").replacingOccurrences(of: path, with: ".")
  }

  /// The error that loading throws.
  func error(_ store: String = "small") -> String? {
    do throws(FileError) {
      _ = try load(store)
      return nil
    } catch {
      return shown(error.description)
    }
  }
}

/// What is wrong with a store, a line each.
func findings(_ store: String = StoreFolder.soundStore, _ files: [String: String?] = [:]) throws -> [String] {
  try StoreFolder(store, files).findings()
}

/// What is wrong with a store is `expected` and nothing else.
func expect(
  _ expected: [String], in store: String = StoreFolder.soundStore, _ files: [String: String?] = [:],
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) throws {
  let found = try findings(store, files)
  #expect(found == expected, "found \(found)", sourceLocation: sourceLocation)
}

extension String {
  /// The text with one part of it replaced; itself when it has no such part, so that a test of it fails.
  func with(_ new: String, for old: String) -> String { replacingOccurrences(of: old, with: new) }
}
