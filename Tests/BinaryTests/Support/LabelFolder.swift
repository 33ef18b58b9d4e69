import Foundation
import Testing

/// A folder with a list to label, and runs of `aisle label` in it at a real terminal.
struct LabelFolder {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write("kale\noat milk\nmilk chocolate\nzork\nKALE\n", to: "list.txt")
  }

  /// Starts to label, at a terminal.
  func started(
    _ arguments: [String] = ["list.txt"], to file: String? = "mine.tsv", environment: [String: String] = [:]
  ) throws -> RunningAisle {
    try RunningAisle(
      ["label"] + arguments + (file.map { ["--to", $0] } ?? []) + ["--color", "never"], in: folder, environment: environment,
      input: .terminal, output: .terminal)
  }

  /// Waits until keys have been asked for as many times.
  func waitForQuestion(_ process: RunningAisle, _ count: Int) throws {
    try process.waitForOutput { String(decoding: $0, as: UTF8.self).components(separatedBy: "\n> ").count > count }
  }

  /// Types keys, each once the question for it is there, and gives what was shown.
  func label(
    _ keys: [String], _ arguments: [String] = ["list.txt", "--order", "file"], to file: String? = "mine.tsv"
  ) throws -> Finished {
    let process = try started(arguments, to: file)
    for (place, key) in keys.enumerated() {
      try waitForQuestion(process, place + 1)
      process.send(key)
    }
    return try process.finish(endingInput: false)
  }

  /// A file's text.
  func written(_ name: String = "mine.tsv") -> String {
    (try? String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)) ?? "(no file)"
  }

  /// The items in the order in which they were asked about.
  func asked(_ finished: Finished) -> [String] {
    finished.text.split(separator: "\n").compactMap { $0.wholeMatch(of: /\d+\/\d+  (.*)/).map { String($0.1) } }
  }
}
