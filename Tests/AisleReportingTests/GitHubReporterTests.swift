import AisleEvaluation
import Foundation
import Testing

@testable import AisleReporting

@Suite("The github report")
struct GitHubReporterTests {
  private static func lines(_ report: Report, isInTree: @escaping @Sendable (String) -> Bool = { _ in true }) -> [String] {
    let text = String(decoding: GitHubReporter(isInTree: isInTree).write(report), as: UTF8.self)
    return text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }.map(String.init)
  }

  @Test("Items lost since the baseline are errors, on the line of the keyword that misled")
  func lost() async throws {
    expectGolden(GitHubReporter { _ in true }.write(try await SampleReport.make()), "report.github.txt")
  }

  @Test("Without a baseline the most confident errors are warnings; without the keyword's file, on the item's line")
  func plain() async throws {
    let report = try await SampleReport.make(isPlain: true)
    expectGolden(GitHubReporter { _ in false }.write(report), "report.github.plain.txt")
  }

  @Test("A file is in the working tree where it is below the working folder")
  func tree() {
    #expect(GitHubReporter.isBelow("taxonomies/shelves/milk.txt"))
    for path in ["", "/etc/passwd", "../a", "a/../../b"] { #expect(!GitHubReporter.isBelow(path), "\(path)") }
    #expect(!GitHubReporter.isBelowWorkingFolder("no/such/file.txt"))
  }

  @Test("Ten annotations, and all others are counted and listed", arguments: [false, true])
  func most(hasBaseline: Bool) async throws {
    let lines = Self.lines(try await HostileReport.make((0..<1500).map { "milk \($0)" }, hasBaseline: hasBaseline))
    #expect(lines.count { $0.hasPrefix("::error ") } == (hasBaseline ? 10 : 0))
    #expect(lines.count { $0.hasPrefix("::warning ") } == (hasBaseline ? 0 : 10))
    let rest = hasBaseline ? "1,491" : "1,490"
    let notice = "::notice title=aisle::\(rest) other wrong answers: see the job summary, or the step's log"
    #expect(lines.filter { $0.hasPrefix("::notice ") } == [notice])
    let start = try #require(lines.firstIndex(of: "::group::\(rest) other wrong answers"))
    let end = try #require(lines.firstIndex(of: "::endgroup::"))
    #expect(lines[start..<end].count { $0.hasPrefix("- ") } == 1000)
    #expect(lines[end - 1] == "and \(hasBaseline ? 491 : 490) more")
  }

  @Test("No text starts a command of its own or leaves its property")
  func hostile() async throws {
    let hostile = "milk ::error::x %0A::error::y ##[error]z ##vso[task] a,b:c=d ::endgroup::"
    let items =
      (0..<30).map { "\(hostile) \($0)" }
      + ["::set-output name=a::milk", "##[add-mask]milk", "\u{85}::stop-commands::milk"]
    for hasBaseline in [false, true] {
      let report = try await HostileReport.make(items, hasBaseline: hasBaseline, corpus: "::error::\n##[x].tsv")
      for line in Self.lines(report) {
        guard line.hasPrefix("::") else {
          #expect(!line.trimmingCharacters(in: .whitespacesAndNewlines).hasPrefix("::"), "\(line)")
          #expect(!line.contains("##"), "\(line)")
          continue
        }
        let command = try #require(Command(line), "\(line)")
        #expect(["error", "warning", "notice", "group", "endgroup"].contains(command.name), "\(line)")
        #expect(Set(command.properties.keys).isSubset(of: ["file", "line", "title"]), "\(line)")
        if let file = command.properties["file"] { #expect(file == Escaping.visible("shelves/\(HostileReport.name).txt")) }
        if let place = command.properties["line"] { #expect(place == "1") }
      }
    }
  }

  @Test("An annotation names both places, whichever it is on", arguments: [false, true])
  func places(isInTree: Bool) async throws {
    let report = try await SampleReport.make(isPlain: true)
    let lines = Self.lines(report) { _ in isInTree }
    let command = try #require(lines.compactMap(Command.init).first { $0.properties["file"] != nil })
    #expect(command.properties["file"]?.hasPrefix(isInTree ? "taxonomies/" : "corpus/") == true)
    #expect(command.message.contains("item: corpus/"))
    #expect(command.message.contains("taxonomies/shelves/"))
  }

  @Test("Commands are escaped as the runner unescapes them")
  func escaping() {
    #expect(Escaping.commandMessage("100 %\r\na: b, c") == "100 %25%0D%0Aa: b, c")
    #expect(Escaping.commandProperty("100 %\na: b, c") == "100 %25%0Aa%3A b%2C c")
    #expect(Escaping.log("##[error] # ### \u{1B}") == "#\\#[error] # #\\#\\# ␛")
  }
}

/// A workflow command as the runner reads it: `::name key=value,…::message`.
private struct Command {
  let name: String
  let properties: [String: String]
  let message: String

  init?(_ line: String) {
    guard line.hasPrefix("::"), let end = line.dropFirst(2).range(of: "::") else { return nil }
    let head = line[line.index(line.startIndex, offsetBy: 2)..<end.lowerBound].split(separator: " ", maxSplits: 1)
    name = head.first.map(String.init) ?? ""
    var properties: [String: String] = [:]
    for property in head.dropFirst().first?.split(separator: ",") ?? [] {
      let parts = property.split(separator: "=", maxSplits: 1)
      properties[String(parts[0])] = Self.decoded(parts.count > 1 ? String(parts[1]) : "")
    }
    self.properties = properties
    message = Self.decoded(String(line[end.upperBound...]))
  }

  private static func decoded(_ text: String) -> String {
    [("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")].reduce(text) {
      $0.replacingOccurrences(of: $1.0, with: $1.1)
    }
  }
}
