import AisleCore
import Testing

/// `weights.txt`: a number a line, and what is wrong with it where there is something wrong.
struct `The weights of a store` {
  private func read(_ text: String) -> (weights: PhraseWeights, findings: [String]) {
    var builder = TaxonomyBuilder(store: "small", name: "Small")
    Array(text.utf8).withUnsafeBufferPointer { builder.setWeights(text: $0, path: "weights.txt") }
    let findings = builder.findings.map(\.description)
    return (builder.build().weights, findings)
  }

  @Test func `are the usual ones without a file`() {
    #expect(TaxonomyBuilder(store: "small", name: "Small").build().weights == PhraseWeights())
    #expect(read("") == (PhraseWeights(), []))
  }

  @Test func `are read a setting a line, with comments and blanks where people put them`() {
    let (weights, findings) = read(
      "\u{FEFF}# Weights\r\n  weight  good =  90\t70 50 20 # a comment\r\nchance good=0.5\r\n\r\nodds rival = 0.25\r\n"
        + "odds agreement = 12\r\nfitted on = lists, titles\r\n")
    #expect(findings == [])
    #expect(weights.weights[2] == [90, 70, 50, 20])
    #expect(weights.chance(.good) == 0.5 && weights.chance(.flavor) == PhraseWeights().chance(.flavor))
    #expect(weights.factor(.rival) == 0.25 && weights.factor(.agreement) == 12)
    #expect(weights.files(.phrases) == ["lists", "titles"])
  }

  @Test(arguments: PhraseWeights.Setting.allCases)
  func `are written as they are read`(setting: PhraseWeights.Setting) {
    let (written, findings) = read("\(setting.name) = \(Self.other(setting))\n")
    #expect(findings == [])
    #expect(written.text(of: setting) == Self.other(setting))
    #expect(written != PhraseWeights())
    #expect(PhraseWeights.Setting(name: setting.name) == setting)
  }

  private static func other(_ setting: PhraseWeights.Setting) -> String {
    switch setting {
    case .weight(.descriptor): "20 20 10 5"
    case .weight(let strength): "\(strength == .flavor ? 60 : strength == .good ? 85 : 95) 60 45 15"
    case .chance: "0.123"
    case .odds(let factor): factor.isFor ? "1.5" : "0.055"
    case .voice: "0.333 1.25"
    case .fittedOn: "everyday, titles"
    }
  }

  private static let numbers = "with at most three decimals, not"

  @Test(
    arguments: [
      ("odds rival", "1:1: expected `name = value`, e.g. `odds rival = 0.5`"),
      ("\n  odds rivl = 0.5", "2:3: no setting `odds rivl`; did you mean `odds rival`?"),
      (
        "speed = 1",
        "1:1: no setting `speed`; use one of \(PhraseWeights.Setting.allCases.map(\.name).joined(separator: ", "))"
      ),
      ("odds rival = 0.5\nodds  rival = 0.6", "2:1: `odds rival` is already set on line 1; keep one"),
      ("odds rival = 1.5", "1:14: `odds rival` needs a number in 0.01…1 \(numbers) `1.5`"),
      ("odds alone = 0.5", "1:14: `odds alone` needs a number in 1…100 \(numbers) `0.5`"),
      ("odds alone =", "1:13: `odds alone` needs a number in 1…100 \(numbers) ``"),
      ("voice model = 1", "1:15: `voice model` needs two numbers in 0…100 \(numbers) `1`"),
      ("voice model = 1 x", "1:15: `voice model` needs two numbers in 0…100 \(numbers) `1 x`"),
      ("voice model = 1 100.001", "1:15: `voice model` needs two numbers in 0…100 \(numbers) `1 100.001`"),
      ("chance good = 1", "1:15: `chance good` needs a number in 0.05…0.99 \(numbers) `1`"),
      ("chance good = 0.9005", "1:15: `chance good` needs a number in 0.05…0.99 \(numbers) `0.9005`"),
      ("chance good = 9e-1", "1:15: `chance good` needs a number in 0.05…0.99 \(numbers) `9e-1`"),
      ("chance good = 90 %", "1:15: `chance good` needs a number in 0.05…0.99 \(numbers) `90 %`"),
      ("chance good = nan", "1:15: `chance good` needs a number in 0.05…0.99 \(numbers) `nan`"),
      (
        "weight good = 80 60 45",
        "1:15: `weight good` needs four whole numbers in 1…255 (in the head, after a comma, after `with`, after `for`), not `80 60 45`"
      ),
      (
        "weight good = 80 60 45 256",
        "1:15: `weight good` needs four whole numbers in 1…255 (in the head, after a comma, after `with`, after `for`), "
          + "not `80 60 45 256`"
      ),
      (
        "weight good = 80 60 70 15",
        "1:15: `weight good` has a greater weight after `with` than after a comma; later zones must not weigh more"
      ),
      (
        "weight good = 40 35 30 10",
        "1:1: `weight good` has a smaller weight in the head than `weight flavor`, 40 to 50; a stronger keyword must not weigh less"
      ),
      (
        "fitted on = corpus/lists.tsv",
        "1:13: `fitted on` needs the names of corpus files without the folder and `.tsv`, not `corpus/lists.tsv`"
      ),
    ])
  func `that are wrong are findings, with the place and the remedy`(text: String, finding: String) {
    #expect(read(text).findings == ["weights.txt:" + finding])
  }

  @Test func `that are wrong leave the others as they are`() {
    let (weights, findings) = read("chance good = 2\nchance flavor = 0.5\n")
    #expect(findings.count == 1)
    #expect(weights.chance(.good) == PhraseWeights().chance(.good) && weights.chance(.flavor) == 0.5)
  }

  @Test func `outlast the taxonomy's image`() throws {
    var builder = TaxonomyBuilder(store: "small", name: "Small")
    let text = PhraseWeights.Setting.allCases.map { "\($0.name) = \(Self.other($0))\n" }.joined()
    Array(text.utf8).withUnsafeBufferPointer { builder.setWeights(text: $0, path: "weights.txt") }
    #expect(builder.findings == [])
    let taxonomy = builder.build()
    var bytes: ContiguousArray<UInt8> = []
    var blocks: [Range<Int>] = []
    for block in taxonomy.image() {
      bytes.append(contentsOf: repeatElement(0, count: (16 - bytes.count % 16) % 16))
      blocks.append(bytes.count..<bytes.count + block.count)
      bytes.append(contentsOf: block)
    }
    let copy = try #require(Taxonomy(image: FlatMemory(copying: bytes), blocks: blocks))
    #expect(copy.weights == taxonomy.weights && copy.weights != PhraseWeights())
  }
}
