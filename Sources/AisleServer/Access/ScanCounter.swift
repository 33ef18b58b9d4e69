import AisleFiles
import Synchronization

/// How many photos each user has had read this month, in a file of lines: `MONTH COUNT USER`.
///
/// A photo counts once its text was sent. What was counted is on the disk when it is.
final class ScanCounter: Sendable {
  private let path: String
  private let state = Mutex(State())

  private struct Key: Hashable {
    let month: String
    let user: String
  }

  private struct State {
    /// What the file says, once it is read.
    var counts: [Key: Int]?
    /// The photos that are being read now.
    var begun: [Key: Int] = [:]
  }

  init(path: String) { self.path = path }

  /// Begins to read a photo, unless those that the user has had read this month and those being read reach a limit. What is begun must be
  /// ended.
  ///
  /// - Returns: `nil` if it may be read; else how many there are.
  /// - Throws: `FileError`.
  func begin(_ user: String, in month: String, limit: Int) throws -> Int? {
    try state.withLock { state in
      let key = Key(month: month, user: user)
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
      let key = Key(month: month, user: user)
      state.begun[key] = state.begun[key].flatMap { $0 > 1 ? $0 - 1 : nil }
      guard isSent else { return }
      // Months before do not count any more. One after may have begun while the photo was read.
      var kept = try loaded(&state.counts).filter { $0.key.month >= month }
      kept[key, default: 0] += 1
      let lines = kept.map { key, count in "\(key.month) \(count) \(key.user)\n" }.sorted()
      try FileWriter.makeFolders(above: path)
      try FileWriter.replace(path, with: Array(lines.joined().utf8), isPrivate: true)
      state.counts = kept
    }
  }

  private func loaded(_ counts: inout [Key: Int]?) throws -> [Key: Int] {
    if let counts { return counts }
    var read: [Key: Int] = [:]
    if FileReader.isFile(path) {
      // By bytes: a name may begin with what joins the blank before it.
      for line in try FileReader.read(path).split(separator: UInt8(ascii: "\n")) {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
          .map { String(decoding: $0, as: UTF8.self) }
        if words.count == 3, let count = Int(words[1]) { read[Key(month: words[0], user: words[2])] = count }
      }
    }
    counts = read
    return read
  }
}
