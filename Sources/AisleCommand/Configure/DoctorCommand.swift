import AisleCatalog
import AisleCore
import AisleFiles
import AisleReporting
import ArgumentParser
import LearnedStrategy

struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Show what is configured, what can be reached, and what is wrong.",
    discussion: """
      Prints one line per check: ok, off, warn, or wrong; what was checked; and the details. In a pipe, columns are separated by tabs. A \
      language model's server is asked for its list of models, which costs nothing. Keys are never shown, only where they were \
      found. The indexes of stores and corrections, and a trained model, are checked byte by byte. The models for items and for photos \
      are looked up in `aisle llm prices`: one that ends within 60 days, or has no price, is a warning.

      Examples:
        aisle doctor
        aisle doctor --llm anthropic
        aisle doctor --llm openai --llm-url http://localhost:11434 --llm-model gemma3
        aisle doctor --offline

      Exit codes: 0 nothing is wrong; 1 something is wrong; 64 usage.
      """)

  @OptionGroup var chain: ChainOptions

  @OptionGroup var model: ModelOptions

  @Flag(help: "Make no network connections.")
  var offline = false

  /// What a line begins with.
  enum State: String {
    case ok, off, warn, wrong
  }

  @MainActor
  func run() async throws {
    var rows: [[String]] = []
    func add(_ state: State, _ what: String, _ detail: String) { rows.append([state.rawValue, what, detail]) }
    do {
      let settled = try chain.settle(model: model.given)
      add(.ok, "configuration", settled.configuration?.path ?? "none; defaults are used")
      // Before anything uses them, and makes a damaged one anew.
      let indexes = indexes(settled)
      do {
        let (taxonomy, findings) = try inspect(settled)
        add(
          findings == 0 ? .ok : .wrong, "store",
          "\(settled.store.value), \(taxonomy.sections.count) sections, from \(settled.locator.description)"
            + (findings == 0 ? "" : "; \(findings) errors: `aisle stores check \(settled.store.value)`"))
      } catch let error where !(error is Interruption) {
        add(.wrong, "store", "\(error)")
      }
      do {
        _ = try settled.open()
        add(.ok, "chain", "\(settled.chain.value.text) (\(settled.chain.origin))")
      } catch {
        add(.wrong, "chain", "\(settled.chain.value.text) (\(settled.chain.origin)): \(error)")
      }
      for row in database(settled) { add(row.0, row.1, row.2) }
      for row in indexes + trainedModel(settled) { add(row.0, row.1, row.2) }
      for row in try await languageModel(settled, today: .today) { add(row.0, row.1, row.2) }
    } catch let error where !(error is Interruption) && !(error is CancellationError) {
      add(.wrong, "configuration", "\(error)")
    }
    try TextTable.write(rows.map { $0.map { Style.visible($0) } })
    if rows.contains(where: { $0[0] == State.wrong.rawValue }) { throw ExitCode(1) }
  }

  private func inspect(_ settled: SettledChain) throws -> (Taxonomy, Int) {
    let (taxonomy, _, findings) = try settled.locator.inspect(settled.store.value)
    return (taxonomy, findings.count)
  }

  /// What is known of the file with the corrections, suggestions and answers.
  private func database(_ settled: SettledChain) -> [(State, String, String)] {
    let name = "corrections file"
    guard let path = settled.corrections.value else {
      return [(.off, name, "none (\(settled.corrections.origin)): nothing is learned, and model answers are not kept")]
    }
    do {
      let store = try CorrectionStore(path, access: .reading)
      if let problem = try store.problems().first {
        return [(.wrong, name, "\(path): damaged (\(problem)); restore a backup, or name another file with --db")]
      }
      let answers = try store.answerSummaries().reduce(0) { $0 + $1.count }
      let corrections = try store.correctionCount()
      let isUsed = settled.chain.value.links.contains { $0.strategy == "learned" }
      let parts = [
        counted(corrections, "correction"), counted(try store.suggestions().count, "suggestion") + " pending",
        counted(answers, "model answer") + " kept",
      ]
      let found = "\(path) (\(settled.corrections.origin)), \(parts.joined(separator: ", "))"
      if corrections > 0, !isUsed {
        return [(.warn, name, "\(found); the chain does not name `learned`, so corrections decide nothing")]
      }
      return [(.ok, name, found)]
    } catch let error where error.kind == .missing {
      return [(.off, name, "\(path) (\(settled.corrections.origin)), no file yet; the first correction creates it")]
    } catch {
      return [(.wrong, name, error.advised)]
    }
  }
}
