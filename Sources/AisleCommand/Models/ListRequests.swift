import AisleCore
import AisleReporting
import ArgumentParser
import LLMStrategy
import LearnedStrategy

/// How requests are shown.
enum LogFormat: String, CaseIterable, ExpressibleByArgument {
  case table, jsonl
}

struct ListRequests: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "List requests to language models, with their tokens and cost.",
    discussion: """
      Prints one line per request, oldest first: when it ended, its task, the API, the model, the number of items, tokens sent and \
      received, dollars, seconds, the status, the server's request id, and what went wrong. In a pipe, columns are separated by \
      tabs. If the server did not report usage, the line shows the maximum possible cost after `at most`. Items, answers, and keys \
      are not recorded. The totals go to standard error. The last 100,000 requests are kept.

      Examples:
        aisle llm log
        aisle llm log --last 1000 --format jsonl
        aisle llm log --days 30

      Exit codes: 0 done; 2 the file cannot be read; 64 usage.
      """)

  @Option(help: ArgumentHelp("How many of the last requests to list (default: 20, or all within --days).", valueName: "count"))
  var last: Int?

  @Option(help: ArgumentHelp("Only requests from this many past days.", valueName: "count"))
  var days: Int?

  @Option(help: "Output format: table or jsonl.")
  var format = LogFormat.table

  @OptionGroup var options: CorrectionStoreOptions

  func validate() throws {
    if let last, last < 1 { throw ValidationError("--last must be 1 or more, not \(last).") }
    if let days, !(1...36_500).contains(days) { throw ValidationError("--days must be 1 to 36500, not \(days).") }
  }

  @MainActor
  func run() async throws {
    let requests =
      try options.openIfThere()?.requests(
        last: last ?? (days == nil ? 20 : .max), since: days.map { Timestamp.now - $0 * 86_400_000 }) ?? []
    switch format {
    case .table: try TextTable.write(requests.map { Self.row($0).map(Style.visible) })
    case .jsonl:
      let writer = JSONLineWriter()
      for request in requests { RequestLine.write(request, to: writer) }
      try writer.write()
    }
    Descriptor.standardError.tell(Self.sum(requests))
  }

  private static func row(_ request: KeptRequest) -> [String] {
    [
      Timestamp.text(request.time), request.task + (request.attempt > 0 ? ", again" : ""), request.provider, request.model,
      "\(request.items)", "\(request.inputTokens)", "\(request.outputTokens)",
      dollars(request), seconds(request.duration) + " s",
      request.status.map(String.init) ?? "", request.requestID ?? "", request.failure ?? "",
    ]
  }

  private static func dollars(_ request: KeptRequest) -> String {
    request.dollars.map { "\(request.isEstimate ? "at most " : "")$\(ModelSummary.dollars($0))" } ?? ""
  }

  private static func seconds(_ milliseconds: Int) -> String {
    let hundredths = (milliseconds + 5) / 10
    return "\(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10)"
  }

  /// The sum of requests, in one line.
  private static func sum(_ requests: [KeptRequest]) -> String {
    if requests.isEmpty { return "no requests\n" }
    let tokens = requests.reduce(TokenUsage()) { $0 + TokenUsage(plainInput: $1.inputTokens, output: $1.outputTokens) }
    let most = requests.contains(where: \.isEstimate) ? "at most " : ""
    let failed = requests.count { $0.failure != nil }
    let known = requests.compactMap(\.dollars)
    var text = counted(requests.count, "request")
    if failed > 0 { text += " (\(failed) failed)" }
    text += ", \(most)\(tokens.input) tokens in and \(tokens.output) out"
    if !known.isEmpty { text += ", \(most)$\(ModelSummary.dollars(known.reduce(0, +)))" }
    let unpriced = requests.count - known.count
    if unpriced > 0 { text += known.isEmpty ? ", price unknown" : " and \(unpriced) of unknown price" }
    return text + "\n"
  }
}
