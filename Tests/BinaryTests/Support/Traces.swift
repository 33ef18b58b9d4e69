import Foundation

/// Finds what a process left behind: a variable in its environment goes on to all that it starts.
struct Traces {
  private static let variable = "AISLE_TEST_TRACE"
  private let mark = UUID().uuidString

  /// The environment to start the process with.
  var environment: [String: String] { [Self.variable: mark] }

  /// The command lines of all processes that run with it.
  var commands: [String] {
    let sign = Data("\(Self.variable)=\(mark)".utf8)
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return all.compactMap { id in
      guard id.first?.isNumber == true, let environment = FileManager.default.contents(atPath: "/proc/\(id)/environ"),
        environment.range(of: sign) != nil
      else { return nil }
      let words = FileManager.default.contents(atPath: "/proc/\(id)/cmdline") ?? Data()
      return String(decoding: words.map { $0 == 0 ? 0x20 : $0 }, as: UTF8.self)
    }
  }

  /// Waits until none is left, 12 seconds at most, and gives those that are.
  func left() -> [String] {
    let deadline = Date(timeIntervalSinceNow: 12)
    while Date() < deadline, !commands.isEmpty { usleep(20_000) }
    return commands
  }
}
