import AisleCore
import AisleTuning
import Testing

/// Numbers put into `weights.txt`.
struct `The file of weights` {
  private func weights(_ values: KeyValuePairs<String, String>) throws -> PhraseWeights {
    var weights = PhraseWeights()
    for (name, value) in values { #expect(weights.set(try #require(PhraseWeights.Setting(name: name)), to: value) == nil) }
    return weights
  }

  private func write(_ weights: PhraseWeights, into text: String) -> String {
    String(decoding: WeightsFile.write(weights, into: Array(text.utf8)), as: UTF8.self)
  }

  private func read(_ text: String) -> PhraseWeights {
    var builder = TaxonomyBuilder(store: "small", name: "Small")
    Array(text.utf8).withUnsafeBufferPointer { builder.setWeights(text: $0, path: "weights.txt") }
    #expect(builder.findings == [])
    return builder.build().weights
  }

  @Test(
    arguments: [
      ("odds rival = 0.5\n", "odds rival = 0.25\n"),
      ("# odds rival = 1\n  odds  rival=0.5# no comment", "# odds rival = 1\n  odds  rival=0.25\n"),
      ("odds rival    =  0.5   # why\n\n# end\n", "odds rival    =  0.25  # why\n\n# end\n"),
      ("odds rival = 0.123 # why\n", "odds rival = 0.25  # why\n"),
      ("odds rival = 1\t# why\n", "odds rival = 0.25  # why\n"),
      ("odds rival = 0.5\r\n# end\r\n", "odds rival = 0.25\r\n# end\r\n"),
    ])
  func `keeps comments, blanks and order`(before: String, after: String) throws {
    #expect(write(try weights(["odds rival": "0.25"]), into: before) == after)
  }

  @Test func `gets what it lacks at its end, but nothing that is usual`() throws {
    let changed = try weights(["odds rival": "0.25", "fitted on": "lists"])
    let text = write(changed, into: "chance good = \(PhraseWeights().text(of: .chance(.good)))\n")
    #expect(text.hasSuffix("\nodds rival = 0.25\nfitted on = lists\n"))
    #expect(text.split(separator: "\n").count == 3)
    #expect(read(text) == changed)
  }

  @Test func `is made whole where there is none`() throws {
    let changed = try weights(["weight good": "81 60 45 15", "chance good": "0.5", "odds alone": "7"])
    let text = write(changed, into: "")
    #expect(text.hasPrefix("# "))
    #expect(read(text) == changed)
    #expect(write(changed, into: text) == text)
  }
}
