import AisleCatalog
import AisleCore
import KeywordStrategy
import LLMStrategy
import ProcessStrategy
import RegexStrategy

extension StrategyKind {
  /// The kind with strategies whose failures say which strategy it was.
  ///
  /// Those of ours stay as they are: what they throw names them, and commands know them by their types.
  var namingFailures: StrategyKind {
    StrategyKind(id: id, summary: summary, needs: needs, options: options) { context, options in
      let strategy: any Strategy
      do { strategy = try make(context, options) } catch let error as ChainError { throw error } catch {
        throw CommandFailure(of: id, error)
      }
      switch strategy {
      case is KeywordStrategy, is RegexStrategy, is ProcessStrategy, is LanguageModelStrategy: return strategy
      case let metered as any MeteredStrategy: return MeteredFailureNaming(metered: metered, id: id)
      default: return FailureNaming(strategy: strategy, id: id)
      }
    }
  }
}

/// A strategy whose failures say which one it is.
private struct FailureNaming: Strategy {
  let strategy: any Strategy
  /// The name that chains use.
  let id: String

  var metadata: StrategyMetadata { strategy.metadata }
  var boundTaxonomy: Taxonomy? { strategy.boundTaxonomy }

  func decide(_ batch: inout Batch) async throws {
    do { try await strategy.decide(&batch) } catch  where error is CancellationError || error is Interruption {
      throw error
    } catch {
      throw CommandFailure(of: id, error)
    }
  }
}

/// The same for one that keeps count of what it uses.
private struct MeteredFailureNaming: MeteredStrategy {
  let metered: any MeteredStrategy
  let id: String

  var metadata: StrategyMetadata { metered.metadata }
  var boundTaxonomy: Taxonomy? { metered.boundTaxonomy }
  var usage: StrategyUsage { metered.usage }

  func decide(_ batch: inout Batch) async throws { try await FailureNaming(strategy: metered, id: id).decide(&batch) }
}

extension CommandFailure {
  /// What a strategy threw, with its name.
  fileprivate init(of strategy: String, _ error: any Error) {
    self.init(description: "strategy `\(strategy)`: \(AisleCommand.message(for: error))")
  }
}
