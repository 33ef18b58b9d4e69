import ArgumentParser

struct TuneCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tune", abstract: "Find, try and make changes to a store's keywords.",
    discussion: """
      Examples:
        aisle tune try '+nut-butters: sunflower butter'
      """,
    subcommands: [TuneReportCommand.self, TuneTryCommand.self])
}
