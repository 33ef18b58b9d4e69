import ArgumentParser

struct TuneWatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "While files are edited: say which items flip, and which keyword did it.",
    discussion: """
      Scores the corpus again whenever a taxonomy, shelf or corpus file is saved, and tells what changed in the keywords, with their \
      lines, and the items that it won, lost and moved. Items of the holdout are counted, not shown. A file with a mistake in it is \
      told and looked at again when it is saved. Ctrl-C ends it.

      Examples:
        aisle tune watch
        aisle tune watch --split tune --tag brand

      Exit codes: 0 whoever read the output has gone; 2 bad data at the beginning; 64 usage; 130 ended by Ctrl-C.
      """)

  @OptionGroup var options: EvaluationOptions

  @Option(help: "Color: auto, always, or never. NO_COLOR is respected.")
  var color = ColorChoice.auto

  @MainActor
  func run() async throws {
    try await EvaluationWatch(options: options, baseline: nil, color: color, tellsCauses: true).run()
  }
}
