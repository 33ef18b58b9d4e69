import ArgumentParser

struct TuneCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tune", abstract: "Find, try, and make changes to a store's keywords.",
    discussion: """
      Examples:
        aisle tune report
        aisle tune try '+nut-butters: macadamia fudge spread'
        aisle tune suggest --interactive
        aisle tune fit
        aisle tune watch
      """,
    subcommands: [
      TuneReportCommand.self, TuneTryCommand.self, TuneSuggestCommand.self, TuneFitCommand.self, TuneWatchCommand.self,
    ])
}
