import ArgumentParser

struct StrategiesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "strategies", abstract: "Test programs that decide items.",
    discussion: """
      A strategy decides items or leaves them to the next one. One can be a program of any language; docs/external-strategies.md \
      says how to write it.

      Examples:
        aisle strategies test -- ./my-strategy
      """,
    subcommands: [TestStrategy.self])
}
