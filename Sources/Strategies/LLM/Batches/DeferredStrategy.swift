public import AisleCore
import Synchronization

/// Stands in a chain for a model that is asked later: it notes each item that a live run would ask the model about, once, and abstains.
public final class DeferredStrategy: Strategy {
  private struct Noted {
    var keys: Set<String> = []
    var questions: [Question] = []
  }

  /// What the strategy is and when to use it.
  public let metadata = StrategyMetadata(
    id: "llm", summary: "notes what a language model is to be asked about",
    rationale: "A batch asks what a live run asks, so the chain itself says what that is.", examples: [])

  private let noted = Mutex(Noted())

  /// Makes a strategy that has noted nothing.
  public init() {}

  /// The questions about what was noted, in the order in which the items came.
  var questions: [Question] { noted.withLock { $0.questions } }

  /// Notes the undecided items.
  public func decide(_ batch: inout Batch) async {
    noted.withLock { [items = batch.undecided.map { batch.bytes($0) }] noted in
      for item in items {
        if let question = Question(item), noted.keys.insert(question.key).inserted { noted.questions.append(question) }
      }
    }
  }
}
