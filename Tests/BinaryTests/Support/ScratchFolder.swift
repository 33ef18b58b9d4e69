import Foundation

/// A folder of its own for one test, with two small stores in `taxonomies`; it goes with the last reference.
final class ScratchFolder: Sendable {
  let path: String

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("aisle-\(UUID().uuidString)")
    path = folder.path
    try write(Self.kroger, to: "taxonomies/kroger.yaml")
    try write(Self.corner, to: "taxonomies/corner.yaml")
    for (name, keywords) in Self.shelves { try write(keywords, to: "taxonomies/shelves/\(name).txt") }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// A new folder in memory, where the system has a place for that: thousands of files that are read once need no disk.
  static func inMemory() throws -> String {
    let isThere = FileManager.default.isWritableFile(atPath: "/dev/shm")
    let path = (isThere ? "/dev/shm" : FileManager.default.temporaryDirectory.path) + "/aisle-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  /// Writes a file, and the folders above it.
  func write(_ bytes: Data, to name: String) throws {
    let file = URL(fileURLWithPath: path).appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try bytes.write(to: file)
  }

  /// Writes a text file, and the folders above it.
  func write(_ text: String, to name: String) throws { try write(Data(text.utf8), to: name) }

  /// Makes a folder.
  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
  }

  /// The names of the sections of the store `kroger`, in walking order; the fallback stands in the middle.
  static let sections = ["Produce", "Dairy & Eggs", "Other", "Snacks"]

  private static let kroger = """
    store: kroger
    name: Kroger
    fallback: Other
    sections:
      - name: Produce
        color: emerald
        shelves:
          - greens
      - name: Dairy & Eggs
        color: blue
        shelves:
          - milk
        keywords:
          - butter
      - name: Other
        color: gray
      - name: Snacks
        color: yellow
        shelves:
          - candy

    """

  private static let corner = """
    store: corner
    name: The Corner Shop
    fallback: Back Room
    sections:
      - name: Front
        color: amber
        shelves: [greens, milk, candy]
      - name: Back Room
        color: gray

    """

  private static let shelves = [
    "greens": "# Leaves.\nkale\nspinach\n",
    "milk": "# Milk, and what is drunk like it.\nmilk\n\noat milk\n",
    "candy": "# Sweets.\nchocolate\nlicorice\n",
  ]
}
