import AisleFiles
import Synchronization

/// How many photos each user has had read this month, in a file of lines: `MONTH COUNT USER`.
///
/// A photo counts once its text was sent. What was counted is on the disk when it is.
final class ScanCounter: Sendable {
  private let path: String
  private let state = Mutex(State())

  private struct State {
    /// What the file says, once it is read.
    var counts: [String: Int]?
    /// The photos that are being read now.
    var begun: [String: Int] = [:]
  }

  init(path: String) { self.path = path }

  /// Begins to read a photo, unless those that the user has had read this month and those being read reach a limit. What is begun must be
  /// ended.
  ///
  /// - Returns: `nil` if it may be read; else how many there are.
  /// - Throws: `FileError`.
  func begin(_ user: String, in month: String, limit: Int) throws -> Int? {
    try state.withLock { state in
      let key = Self.key(user, month)
      let count = try loaded(&state.counts)[key, default: 0] + state.begun[key, default: 0]
      if count >= limit { return count }
      state.begun[key, default: 0] += 1
      return nil
    }
  }

  /// Ends what was begun, and counts it if its text was sent.
  ///
  /// - Throws: `FileError`.
  func end(_ user: String, in month: String, isSent: Bool) throws {
    try state.withLock { state in
      let key = Self.key(user, month)
      state.begun[key] = state.begun[key].flatMap { $0 > 1 ? $0 - 1 : nil }
      guard isSent else { return }
      // Other months do not count any more.
      var kept = try loaded(&state.counts).filter { $0.key.hasPrefix(month) }
      kept[key, default: 0] += 1
      let lines = kept.sorted { $0.key < $1.key }.map { key, count in
        "\(key.prefix(month.count)) \(count) \(key.dropFirst(month.count + 1))\n"
      }
      try FileWriter.makeFolders(above: path)
      try FileWriter.replace(path, with: Array(lines.joined().utf8), isPrivate: true)
      state.counts = kept
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
