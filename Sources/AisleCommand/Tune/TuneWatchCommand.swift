import ArgumentParser

struct TuneWatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Show which items flip while you edit files, and which keyword did it.",
    discussion: """
      Scores the corpus again whenever a taxonomy, shelf, or corpus file is saved. Shows the changed keywords with their lines, and \
      the items that were won, lost, and moved. Holdout items are counted, not shown. A file with a mistake is reported and read \
      again when it is next saved. Press Ctrl-C to stop.

      Examples:
        aisle tune watch
        aisle tune watch --split tune --tag brand

      Exit codes: 0 the reader of the output closed it; 2 bad data at the start; 64 usage; 130 stopped by Ctrl-C.
      """)

  @OptionGroup var options: TuningOptions

  @Option(help: "Color: auto, always, or never. NO_COLOR is respected.")
  var color = ColorChoice.auto

  @MainActor
  func run() async throws {
    try await EvaluationWatch(options: options, baseline: nil, color: color, tellsCauses: true).run()
  }
}
