import AisleCore
import AisleEvaluation
import AisleFiles
import AisleReporting
import KeywordStrategy

/// Evaluations whose every text tries to break out of a format. Each item with `milk` in it is answered wrongly.
enum HostileReport {
  /// A name that starts a line, a command and markup wherever it is not escaped.
  static let name = "A\n::error::a\r\n##[error]b, c: d|`</failure>]]>&%0A\u{1}\u{FFFE}"

  /// A report on items in the file `corpus`; with `hasBaseline`, each was right in the baseline.
  static func make(_ items: [String], hasBaseline: Bool = false, corpus path: String = "corpus.tsv") async throws -> Report {
    var builder = TaxonomyBuilder(store: "hostile", name: name)
    let wrong = builder.addSection(Section(name: name, color: .red))
    builder.setFallback(builder.addSection(Section(name: "Right", color: .blue)))
    Array("milk\n".utf8).withUnsafeBufferPointer {
      builder.addShelf("milk", text: $0, path: "shelves/\(name).txt", section: wrong)
    }
    Array("frozen: * -> milk\ndried: * -> milk\n".utf8).withUnsafeBufferPointer { builder.addMoves(text: $0, path: "moves.txt") }
    let taxonomy = builder.build()
    let lines = items.map { "\($0)\tRight\ttag\n" }.joined()
    let corpus = CorpusReader.read([(path, Array(lines.utf8))]).corpus
    let expectations = Expectations.resolve(corpus, in: taxonomy).expectations
    let evaluator = Evaluator(taxonomy: taxonomy, corpus: corpus, expectations: expectations, jobs: 1)
    let chain = NamedChain(Chain([Chain.Link(KeywordStrategy(taxonomy))]), names: [name])
    let evaluation = try await evaluator.evaluate(chain)
    guard hasBaseline else { return Report(tool: name, evaluation: evaluation) }
    let now = Baseline(evaluation, tool: name)
    let before = now.answers.map { answer in
      Baseline.Answer(
        item: answer.item, expected: answer.expected, section: "Right", confidence: 1, strategy: name, reason: name)
    }
    let comparison = try Comparison(from: Baseline(header: now.header, answers: before), to: now, seed: 1)
    var gate = Gate()
    gate.isStrict = true
    gate.floors = [Gate.Floor(.section(name), least: 1), Gate.Floor(.tag("none"), least: 0.5)]
    return Report(
      tool: name, evaluation: evaluation, comparison: comparison, verdicts: gate.judge(evaluation, against: comparison))
  }
}
