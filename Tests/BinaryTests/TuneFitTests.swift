import Foundation
import Testing

/// `aisle tune fit`, on a corpus of two files whose labels make some keywords less sure than they are usually.
struct `Aisle tune fit` {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    var lines = "# Items for tests.\n"
    for (place, word) in ["one", "two", "ten", "red", "big", "old", "hot", "raw", "new", "wet", "shy", "low"].enumerated() {
      lines += "\(word)ish kale\tgreens\n\(word)ish spinach\t\(place % 3 == 0 ? "candy" : "greens")\n"
      lines += "\(word)ish oat milk\tmilk\n\(word)ish chocolate milk\tmilk\n\(word)ish chocolate\tcandy\n"
    }
    try folder.write(lines, to: "corpus/items.tsv")
    try folder.write(
      "kale\tgreens\nspinach\tgreens\noat milk\tmilk\nchocolate\tcandy\nunheard of\tOther\n", to: "corpus/more.tsv")
  }

  private func fit(_ arguments: String...) throws -> Finished {
    try RunningAisle(["tune", "fit"] + arguments, in: folder).finish()
  }

  private func weights() throws -> String {
    try String(contentsOfFile: "\(folder.path)/taxonomies/weights.txt", encoding: .utf8)
  }

  private static let screen = """
    Kroger · keyword>=0.85,regex>=0.8 · fitted on 41 items of tune that a keyword decides
    files: all files

    choice: no weight changed; no other order of the weights is clearly better (p < 0.05) on tune

      setting                      before        after
      weight descriptor        25 20 15 5   25 20 15 5
      weight flavor           50 40 30 10  50 40 30 10
      weight good             80 60 45 15  80 60 45 15
      weight decisive         90 85 60 20  90 85 60 20
      chance descriptor              0.89         0.89
      chance flavor                  0.83         0.83
      chance good                     0.9        0.972
      chance decisive                0.98         0.98
      odds two words                  3.9          4.1
      odds three words                7.4          7.4
      odds alone                      3.8          3.9
      odds agreement                  4.9          4.9
      odds rival                     0.61         0.61
      odds equal rival               0.17         0.33
      odds unknown word               0.7            1
      odds flavor of unknown         0.45         0.45
      odds after head                0.38         0.38
      odds repaired                  0.63         0.63

                       tune  after  holdout   after  change on holdout
      accuracy        97.6%  97.6%    87.0%   87.0%  ±0.0 points (±0.0 to ±0.0)
      sure            19.0%  97.6%    34.8%  100.0%  95%: 85.7–100.0%
      right of sure  100.0%  97.6%   100.0%   87.0%  95%: 67.9–95.5%
      ECE             0.160  0.010    0.161   0.100  −0.061 (−0.172 to +0.026)
      log loss        0.271  0.122    0.437   0.494  +0.057 (−0.167 to +0.319)
      keywords alone, on the fifth of tune that each fit has not seen: sure 87.8%, 97.2% of these right, ECE 0.014, log loss 0.141

      holdout by file  items  accuracy    sure   after   right   after    ECE  after
      items               21     85.7%   28.6%  100.0%  100.0%   85.7%  0.174  0.110
      more                 2    100.0%  100.0%  100.0%  100.0%  100.0%  0.019  0.010

    """

  @Test func `shows the settings and the figures before and after, the holdout's with their intervals`() throws {
    let finished = try fit()
    #expect(finished.ending == .exited(0))
    #expect(
      finished.diagnostics
        == "aisle: only 41 items to fit on: the numbers follow chance more than your store; label 300 before you use them\n")
    #expect(finished.text == Self.screen, "\(finished.text)")
    #expect(try fit().text == finished.text)
    #expect(throws: (any Error).self) { try weights() }
  }

  @Test func `writes the numbers and nothing else, and has then nothing to do`() throws {
    try folder.write(
      "# Ours.\n\nchance good   = 0.9   # reviewed\nfitted on = items, more  # all\n# The end.\n", to: "taxonomies/weights.txt")
    #expect(try fit("--check").ending == .exited(1))
    let finished = try fit("--write")
    #expect(finished.ending == .exited(0))
    #expect(finished.diagnostics.hasSuffix("taxonomies/weights.txt: changed\n"))
    let written = try weights()
    let form = #/^# Ours\.\n\nchance good   = 0\.\d+ +# reviewed\nfitted on = items, more  # all\n# The end\.\n(chance|odds) /#
    #expect(written.contains(form), "\(written)")
    #expect(try fit("--check").ending == .exited(0))
    let again = try fit("--write")
    #expect(again.diagnostics.hasSuffix("taxonomies/weights.txt: nothing to change\n"))
    #expect(try weights() == written)
  }

  @Test func `makes the file where there is none`() throws {
    #expect(try fit("--write").diagnostics.contains("taxonomies/weights.txt: written\n"))
    #expect(try weights().hasPrefix("# How the phrase rules weigh keywords"))
    #expect(try aisle("stores", "check", in: folder).ending == .exited(0))
    #expect(try fit("--check").ending == .exited(0))
  }

  @Test func `the weights change what categorize says at once, also from the cache`() throws {
    func confidence() throws -> String {
      let finished = try aisle("categorize", "--explain", "--format", "jsonl", input: "kale\n", in: folder)
      return try #require(finished.text.firstMatch(of: /"confidence":([0-9.]+)/)).1.description
    }
    try folder.write("chance good = 0.5\nodds alone = 1\n", to: "taxonomies/weights.txt")
    #expect(try confidence() == "0.50")
    try folder.write("chance good = 0.5\nodds alone = 3\n", to: "taxonomies/weights.txt")
    #expect(try confidence() == "0.75")
  }

  @Test(
    arguments: [
      (
        "fitted on = itms\n", ["tune", "fit"], 2,
        "aisle: `fitted on` in weights.txt names the corpus file `itms`, which is not in this corpus; did you mean `items`?\n"
      ),
      (
        "", ["tune", "fit", "--voices", "--chain", "keyword"], 2,
        "aisle: the chain `keyword` weighs no answers; leave out --chain, or use --policy weigh with two of keyword, model, and regex\n"
      ),
      (
        "voices fitted on = itms\n", ["tune", "fit", "--voices"], 2,
        "aisle: `voices fitted on` in weights.txt names the corpus file `itms`, which is not in this corpus; did you mean `items`?\n"
      ),
      ("odds rivl = 1\n", ["stores", "check", "kroger"], 1, "kroger: 1 error\n"),
      ("", ["tune", "fit", "--corpus", "nowhere.tsv"], 2, "nowhere.tsv"),
      ("", ["tune", "fit", "--write", "--check"], 64, "--write changes the file and --check does not; use only one of them."),
      ("", ["tune", "fit", "--taxonomies", "nowhere"], 2, "no such folder"),
    ] as [(String, [String], Int32, String)])
  func `what is wrong is said`(weights: String, arguments: [String], status: Int32, message: String) throws {
    try folder.write(weights, to: "taxonomies/weights.txt")
    let finished = try RunningAisle(arguments, in: folder).finish()
    #expect(finished.ending == .exited(status))
    #expect(finished.diagnostics.contains(message), "\(finished.diagnostics)")
  }

  @Test func `a store with bad weights is refused with their place`() throws {
    try folder.write("odds rival = 7\n", to: "taxonomies/weights.txt")
    let finished = try aisle("stores", "check", "kroger", in: folder)
    #expect(
      finished.text.hasSuffix(
        "taxonomies/weights.txt:1:14: `odds rival` needs a number in 0.01…1 with at most three decimals, not `7`\n"))
    #expect(try fit().ending == .exited(2))
    #expect(try aisle("categorize", input: "kale\n", in: folder).ending == .exited(2))
  }

  @Test func `over compiled-in weights, those that are fitted go to a folder on top`() throws {
    let empty = try ScratchFolder()
    try FileManager.default.removeItem(atPath: empty.path + "/taxonomies")
    try empty.write("kale\tProduce\noat milk\tDairy & Eggs\nred wine\tBeverages\nfitted\tOther\n", to: "corpus/everyday.tsv")
    for name in ["titles", "messy", "others", "blind"] { try empty.write("rye bread\tBakery\n", to: "corpus/\(name).tsv") }
    let finished = try aisle("tune", "fit", "--write", in: empty, environment: ["AISLE_TAXONOMIES": ""])
    #expect(finished.ending == .exited(0) && finished.diagnostics.hasSuffix("taxonomies/weights.txt: written\n"), "\(finished)")
    #expect(FileManager.default.fileExists(atPath: empty.path + "/taxonomies/weights.txt"))
  }
}
