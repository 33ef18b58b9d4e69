import ArgumentParser
import Testing

@testable import AisleCommand

/// A run without options leaves the argument parser out, and means the same.
struct CategorizeOptionsTests {
  @Test(arguments: [[], ["a.txt"], ["a.txt", "-", "b.txt"], ["categorize"], [""]])
  func withoutOptionsTheCommandIsWhatTheParserMakes(arguments: [String]) throws {
    let read = try #require(Categorization(withoutOptions: ["categorize"] + arguments))
    let parsed = try CategorizeCommand.parse(arguments).categorization
    #expect(text(read) == text(parsed))
    #expect(text(parsed).contains("files"))
  }

  @Test(arguments: ["--format", "-h", "--", "--explain", "-x"])
  func whatMayBeAnOptionIsLeftToTheParser(argument: String) {
    #expect(Categorization(withoutOptions: ["categorize", "a.txt", argument]) == nil)
  }

  @Test(arguments: [[], ["eval"], ["help", "categorize"], ["a.txt"]])
  func otherCommandsAreLeftToTheParser(arguments: [String]) {
    #expect(Categorization(withoutOptions: arguments[...]) == nil)
  }

  /// All values of what is to be done, by name.
  private func text(_ categorization: Categorization) -> String {
    var text = ""
    dump(categorization, to: &text)
    return text
  }
}
