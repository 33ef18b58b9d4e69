import AisleCore
import Synchronization

/// The batches that the server has taken.
final class BatchStore: Sendable {
  private struct Batch {
    let id: String
    let requests: [(name: String, params: JSONValue)]
    var polls = 0
  }

  private let batches = Mutex<[Batch]>([])
  /// How often a batch is asked for before it has ended.
  private let patience: Int

  init(patience: Int) { self.patience = patience }

  var count: Int { batches.withLock { $0.count } }

  /// Takes a batch and describes it.
  func add(_ requests: [(name: String, params: JSONValue)]) -> JSONValue {
    batches.withLock { batches in
      batches.append(Batch(id: "msgbatch_\(batches.count + 1)", requests: requests))
      return describe(batches[batches.count - 1])
    }
  }

  /// All of them, newest first.
  func list() -> JSONValue {
    batches.withLock { batches in
      ["data": .array(batches.reversed().map { describe($0) }), "has_more": false, "first_id": .null, "last_id": .null]
    }
  }

  /// One of them; it comes closer to its end each time.
  func poll(_ id: String) -> JSONValue? {
    batches.withLock { batches in
      guard let place = batches.firstIndex(where: { $0.id == id }) else { return nil }
      batches[place].polls += 1
      return describe(batches[place])
    }
  }

  /// The requests of one that has ended.
  func requests(_ id: String) -> [(name: String, params: JSONValue)]? {
    batches.withLock { batches in batches.first { $0.id == id && $0.polls > patience }?.requests }
  }

  private func describe(_ batch: Batch) -> JSONValue {
    let hasEnded = batch.polls > patience
    let count = JSONValue(batch.requests.count)
    return [
      "id": .text(batch.id), "type": "message_batch", "processing_status": .text(hasEnded ? "ended" : "in_progress"),
      "request_counts": [
        "processing": hasEnded ? 0 : count, "succeeded": hasEnded ? count : 0, "errored": 0, "canceled": 0, "expired": 0,
      ], "created_at": "2999-01-01T00:00:00.123456Z", "results_url": .null,
    ]
  }
}
