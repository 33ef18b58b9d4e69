import ArgumentParser
import Testing

@testable import AisleCommand

/// A run without options leaves the argument parser out, and means the same.
struct CategorizeOptionsTests {
  @Test(arguments: [[], ["a.txt"], ["a.txt", "-", "b.txt"], ["categorize"], [""]])
  func withoutOptionsTheCommandIsWhatTheParserMakes(arguments: [String]) throws {
    let command = try #require(CategorizeCommand(withoutOptions: arguments))
    let parsed = try CategorizeCommand.parse(arguments)
    #expect(text(command) == text(parsed))
    #expect(text(parsed).contains("files"))
  }

  @Test(arguments: ["--format", "-h", "--", "--explain", "-x"])
  func whatMayBeAnOptionIsLeftToTheParser(argument: String) {
    #expect(CategorizeCommand(withoutOptions: ["a.txt", argument]) == nil)
  }

  /// All values of a command, by name.
  private func text(_ command: CategorizeCommand) -> String {
    var text = ""
    dump(command, to: &text)
    return text
  }
}
