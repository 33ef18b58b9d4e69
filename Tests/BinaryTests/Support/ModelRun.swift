import Foundation
import ModelServer
import Testing

/// Runs of the binary that ask a server of the tests.
enum ModelRun {
  /// The key's variable, as the tests set it.
  static let key = ["AISLE_LLM_KEY": ModelServer.key]

  /// Runs `aisle categorize --llm …` on items.
  static func categorize(
    _ items: [String], _ server: ModelServer, _ arguments: [String] = [], in folder: ScratchFolder,
    environment: [String: String] = key
  ) throws -> Finished {
    let process = try RunningAisle(
      ["categorize"] + options(server) + arguments, in: folder, environment: environment)
    process.feed([Data(items.map { $0 + "\n" }.joined().utf8)])
    return try process.finish(endingInput: false)
  }

  /// What makes a command ask a server.
  static func options(_ server: ModelServer) -> [String] {
    ["--llm", server.api.rawValue, "--llm-url", server.url + (server.api == .proxy ? "/check" : "")]
  }
}

extension Finished {
  /// The last field of each line of tab-separated output.
  var sections: [String] {
    text.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false).last.map(String.init) ?? "" }
  }
}
