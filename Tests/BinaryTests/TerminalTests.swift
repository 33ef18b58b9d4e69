import Foundation
import Testing

/// What people see on a terminal, through a pseudo-terminal.
@Suite struct TerminalTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test("On a terminal the shopping list is the default, colored by section")
  func listByDefault() throws {
    let finished = try aisle("categorize", input: "chocolate\nkale\nsocks\n", in: folder, output: .terminal)
    #expect(finished.ending == .exited(0))
    #expect(Self.withoutColors(finished.text) == "Produce  1\n  kale\n\nSnacks  1\n  chocolate\n\nOther  1\n  socks\n")
    let colors = finished.text.split(separator: "\n").filter { $0.hasPrefix("\u{1B}") }.map { $0.prefix { $0 != "m" } }
    #expect(colors.count == 3)
    #expect(Set(colors).count == 3)
  }

  @Test(
    "A format that was asked for is kept on a terminal",
    arguments: [("tsv", "kale\tProduce\n"), ("csv", "item,section\nkale,Produce\n")])
  func formatOnTerminal(format: String, expected: String) throws {
    #expect(try aisle("categorize", "--format", format, input: "kale\n", in: folder, output: .terminal).text == expected)
  }

  @Test(
    "Color is for terminals that can show it and people who want it",
    arguments: [
      ([], [:], true, true), ([], [:], false, false), ([], ["NO_COLOR": "1"], true, false), ([], ["NO_COLOR": ""], true, true),
      ([], ["TERM": "dumb"], true, false), (["--color", "never"], [:], true, false), (["--color", "always"], [:], false, true),
      (["--color", "always"], ["NO_COLOR": "1"], true, true), (["--color", "auto"], ["NO_COLOR": "1"], true, false),
    ] as [([String], [String: String], Bool, Bool)])
  func color(arguments: [String], environment: [String: String], isTerminal: Bool, isColored: Bool) throws {
    for command in [["categorize", "--format", "list"], ["stores", "show"]] {
      let process = try RunningAisle(
        command + arguments, in: folder, environment: environment, output: isTerminal ? .terminal : .pipe)
      process.send("kale\n")
      let finished = try process.finish()
      #expect(finished.ending == .exited(0))
      #expect(finished.output.contains(0x1B) == isColored, "\(command) \(arguments) \(environment)")
    }
  }

  @Test("Messages are colored on a terminal only")
  func coloredMessages() throws {
    let terminal = try aisle("categorize", "missing.txt", in: folder, errors: .terminal)
    #expect(terminal.diagnostics.contains("\u{1B}"))
    #expect(Self.withoutColors(terminal.diagnostics).hasPrefix("aisle: missing.txt: "))
    #expect(!(try aisle("categorize", "missing.txt", in: folder).errors.contains(0x1B)))
    let unknown = try aisle("categorize", "--store", "krogr", "--color", "never", in: folder, errors: .terminal)
    #expect(!unknown.errors.contains(0x1B))
  }

  @Test("Control characters of an item or a file name never reach the terminal raw")
  func controlCharacters() throws {
    let item = "kale \u{1B}]0;title\u{7}\u{9B}31m\u{202E}\u{7F}"
    let finished = try aisle("categorize", "--color", "never", "--explain", input: item, in: folder, output: .terminal)
    let isRaw = finished.text.unicodeScalars.contains {
      $0 != "\n" && ($0.value < 0x20 || 0x7F...0x9F ~= $0.value || $0.value == 0x202E)
    }
    #expect(!isRaw, "\(String(reflecting: finished.text))")
    #expect(finished.text.contains("  kale ␛]0;title␇"))
    let message = try aisle("categorize", "\u{1B}[2Jx", in: folder, errors: .terminal).diagnostics
    #expect(message.contains("␛[2Jx: no such file"))
  }

  @Test("Stores are listed in aligned columns on a terminal, tab-separated in a pipe")
  func storeColumns() throws {
    let terminal = try aisle("stores", "list", in: folder, output: .terminal).text.split(separator: "\n")
    let columns = terminal.map { $0.range(of: " sections")?.lowerBound.utf16Offset(in: $0) }
    #expect(terminal.count == 2)
    #expect(columns[0] == columns[1])
    #expect(!terminal.joined().contains("\t"))
    #expect(try aisle("stores", "list", in: folder).text.contains("kroger\tKroger\t4 sections\n"))
  }

  @Test("Long work tells how far it is, on a terminal that shows nothing else, and takes the line away")
  func progress() throws {
    let process = try RunningAisle(["categorize"], in: folder, errors: .terminal)
    let deadline = Date(timeIntervalSinceNow: RunningAisle.patience)
    while process.errors.bytes.isEmpty && Date() < deadline {
      process.send("kale\n")
      usleep(50_000)
    }
    #expect(process.errors.bytes.starts(with: Data("\r\u{1B}[K".utf8)))
    #expect(String(decoding: process.errors.bytes, as: UTF8.self).contains(" items, "))
    let finished = try process.finish()
    #expect(finished.diagnostics.hasSuffix("\r\u{1B}[K"))
    #expect(!finished.output.contains(0x1B))
  }

  @Test("While someone types the items no progress is shown over them", arguments: ["tsv", "list"])
  func typedInput(format: String) throws {
    let process = try RunningAisle(["categorize", "--format", format], in: folder, input: .terminal, errors: .terminal)
    for _ in 0..<30 {
      process.send("kale\n")
      usleep(50_000)
    }
    process.signal(SIGINT)
    #expect(try process.finish(endingInput: false).errors.isEmpty)
  }

  @Test("Short work, and work that nobody watches, tells nothing")
  func noProgress() throws {
    #expect(try aisle("categorize", input: "kale\n", in: folder, errors: .terminal).errors.isEmpty)
    #expect(try aisle("categorize", input: "kale\n", in: folder).errors.isEmpty)
  }

  private static func withoutColors(_ text: String) -> String { text.replacing(/\u{1B}\[[0-9;]*m/, with: "") }
}
