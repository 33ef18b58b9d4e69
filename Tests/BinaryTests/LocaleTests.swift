import Foundation
import Testing

/// The locale decides nothing: not which letters are the same, not how numbers and messages are written.
@Suite struct LocaleTests {
  private static let items = "MİLK\nmılk\nMILK\nLICORICE\nlıcorıce\nKÁLE\nKA\u{301}LE\nＫＡＬＥ\nspınach\n"
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test(
    "Output and messages are the same", arguments: ["C", "C.UTF-8", "tr_TR.UTF-8", "de_DE.UTF-8", "ja_JP.EUC-JP", "nonsense"])
  func locale(name: String) throws {
    for format in ["tsv", "jsonl", "list"] {
      func run(_ environment: [String: String]) throws -> Finished {
        try aisle(
          "categorize", "--explain", "--format", format, "-", "missing.txt", input: Self.items, in: folder,
          environment: environment)
      }
      let usual = try run(["LC_ALL": "", "LANG": "en_US.UTF-8"])
      let other = try run(["LC_ALL": name, "LANG": name, "LANGUAGE": name])
      #expect(usual.ending == .exited(2))
      #expect(usual.text.contains("Dairy & Eggs"))
      #expect(other.ending == usual.ending)
      #expect(other.output.firstDifference(from: usual.output) == nil)
      #expect(other.diagnostics == usual.diagnostics)
    }
  }

  @Test("Case, the Turkish i, accents and width lead to the same keyword")
  func letters() throws {
    let sections = try aisle("categorize", input: Self.items, in: folder).text.split(separator: "\n").map {
      $0.split(separator: "\t").last
    }
    let (milk, candy, greens) = ("Dairy & Eggs", "Snacks", "Produce")
    #expect(sections == [milk, milk, milk, candy, candy, greens, greens, greens, greens].map { $0[...] })
  }
}
