import AisleCore
import AisleEvaluation
import AisleFiles
import KeywordStrategy

/// A store of three sections whose answers the tests choose: an item is answered with the sections that its words name.
enum ScriptedStore {
  static let sections = ["Alpha", "Beta", "Gamma", "Other"]

  static let taxonomy: Taxonomy = {
    var builder = TaxonomyBuilder(store: "scripted", name: "Scripted")
    for section in sections {
      let id = builder.addSection(Section(name: section, color: .gray))
      if section == "Other" { builder.setFallback(id) }
      let shelf = section.lowercased()
      Array("\(shelf)\n".utf8).withUnsafeBufferPointer {
        builder.addShelf("\(shelf)-shelf", text: $0, path: "shelves/\(shelf)-shelf.txt", section: id)
      }
    }
    return builder.build()
  }()

  static func corpus(_ lines: String, path: String = "corpus/test.tsv") -> Corpus {
    CorpusReader.read([(path, Array(lines.utf8))]).corpus
  }

  static func evaluator(_ corpus: Corpus, split: Corpus.Split? = nil, tags: Set<String> = [], jobs: Int = 1) -> Evaluator {
    Evaluator(
      taxonomy: taxonomy, corpus: corpus, expectations: Expectations.resolve(corpus, in: taxonomy).expectations, split: split,
      tags: tags, jobs: jobs)
  }

  static var keyword: NamedChain { NamedChain(Chain([Chain.Link(KeywordStrategy(taxonomy))]), names: ["keyword"]) }

  static func evaluate(_ lines: String) async throws -> Evaluation {
    try await evaluator(corpus(lines)).evaluate(keyword)
  }

  static func answer(_ item: String, _ expected: [String], _ section: String) -> Baseline.Answer {
    Baseline.Answer(
      item: item, expected: expected, section: section, confidence: 0.9, strategy: "keyword", reason: "\(item) (only)")
  }

  static func baseline(
    _ answers: [Baseline.Answer], store: String = "scripted", corpus: String = "0000000000000001"
  ) -> Baseline {
    Baseline(
      header: Baseline.Header(tool: "0.1.0", store: store, chain: "keyword", taxonomy: "0000000000000002", corpus: corpus),
      answers: answers)
  }
}
