import AisleFiles
import Synchronization

/// How many photos each user has had read this month, in a file of lines: `MONTH COUNT USER`.
///
/// A photo counts once its text was sent. What was counted is on the disk when it is.
final class ScanCounter: Sendable {
  private let path: String
  private let counts: Mutex<[String: Int]?>

  init(path: String) {
    self.path = path
    counts = Mutex(nil)
  }

  /// How many a user has had read in a month.
  ///
  /// - Throws: `FileError`.
  func count(of user: String, in month: String) throws -> Int {
    try counts.withLock { try loaded(&$0)[Self.key(user, month)] ?? 0 }
  }

  /// Counts one.
  ///
  /// - Throws: `FileError`.
  func add(_ user: String, in month: String) throws {
    try counts.withLock { counts in
      // Other months do not count any more.
      var kept = try loaded(&counts).filter { $0.key.hasPrefix(month) }
      kept[Self.key(user, month), default: 0] += 1
      let lines = kept.sorted { $0.key < $1.key }.map { key, count in
        "\(key.prefix(month.count)) \(count) \(key.dropFirst(month.count + 1))\n"
      }
      try FileWriter.makeFolders(above: path)
      try FileWriter.replace(path, with: Array(lines.joined().utf8), isPrivate: true)
      counts = kept
    }
  }

  private static func key(_ user: String, _ month: String) -> String { "\(month) \(user)" }

  private func loaded(_ counts: inout [String: Int]?) throws -> [String: Int] {
    if let counts { return counts }
    var read: [String: Int] = [:]
    if FileReader.isFile(path) {
      let text = String(decoding: try FileReader.read(path), as: UTF8.self)
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ", maxSplits: 2)
        if words.count == 3, let count = Int(words[1]) { read[Self.key(String(words[2]), String(words[0]))] = count }
      }
    }
    counts = read
    return read
  }
}
