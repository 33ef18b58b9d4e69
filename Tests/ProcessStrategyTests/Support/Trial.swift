import AisleCore
import Foundation
import ProcessStrategy
import Synchronization

/// A strategy that runs `Tests/Programs/faulty.py` with one fault, and what is seen of it from outside.
final class Trial: Sendable {
  let taxonomy = SmallStore.taxonomy()
  let strategy: ProcessStrategy
  private let folder: URL
  private let lines: Lines

  /// What the strategy remarked; the strategy's own threads add to it.
  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
  }

  /// Prepares the program; nothing is started yet.
  init(
    _ fault: String, timeout: Duration = .seconds(30), interruption: Int32? = nil,
    set: (inout ProcessStrategy.Settings) -> Void = { _ in }
  )
    throws
  {
    folder = FileManager.default.temporaryDirectory.appending(path: "aisle-program-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var settings = ProcessStrategy.Settings(
      name: "trial", command: ["python3", Self.program, fault, folder.appending(path: "starts").path], timeout: timeout)
    set(&settings)
    let lines = Lines()
    self.lines = lines
    strategy = ProcessStrategy(settings, taxonomy: taxonomy, interruption: interruption) { line in
      lines.all.withLock { $0.append(line) }
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  static let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Programs/faulty.py").standardized.path

  /// What was remarked so far.
  var remarks: [String] { lines.all.withLock { $0 } }

  /// When each start of the program began, in seconds of a clock that never goes back.
  var starts: [Double] {
    let text = (try? String(contentsOf: folder.appending(path: "starts"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }
  }

  /// Asks for items: the names of their sections, `nil` for those that stay undecided.
  func decide(_ items: [String]) async throws -> [String?] {
    var batch = Batch(items, taxonomy: taxonomy)
    try await strategy.decide(&batch)
    return batch.decisions.map { decision in decision.map { taxonomy[$0.section].name } }
  }

  /// How many of the program's processes run: those with its file of starts among their arguments.
  var processCount: Int {
    let mark = Data(folder.path.utf8)
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return all.count { id in
      guard id.first?.isNumber == true, let words = FileManager.default.contents(atPath: "/proc/\(id)/cmdline") else {
        return false
      }
      return words.range(of: mark) != nil
    }
  }

  /// Waits until none of the program's processes is left; `false` when one still runs after 12 seconds.
  func isGone() async -> Bool {
    let deadline = ContinuousClock.now + .seconds(12)
    while processCount > 0 {
      if ContinuousClock.now > deadline { return false }
      try? await Task.sleep(for: .milliseconds(20))
    }
    return true
  }
}
