import AisleCore
import HTTPTransport

/// The API's status of a batch.
public struct MessageBatch: Sendable, Hashable {
  /// The API's name for it.
  public let id: String
  /// `in_progress`, `canceling`, or `ended`.
  public let status: String
  /// Requests that are still pending.
  public let processing: Int
  /// Requests answered.
  public let succeeded: Int
  /// Requests that failed, were canceled, or expired.
  public let failed: Int

  /// Whether no more answers will come.
  public var hasEnded: Bool { status == "ended" }

  /// Its requests.
  var requests: Int { processing + succeeded + failed }

  /// Reads what the API says; `nil` where that is no batch, or its name has the key.
  init?(_ body: JSONValue, hiding key: Secret?) {
    guard let id = body["id"]?.string, let status = body["processing_status"]?.string,
      !id.isEmpty, id.utf8.count <= 100,
      id.utf8.allSatisfy({ $0.isASCIIDigit || $0.isASCIILetter || $0 == 0x5F || $0 == 0x2D }),
      key?.hidden(in: id) ?? id == id
    else { return nil }
    self.id = id
    self.status = ["in_progress", "canceling", "ended"].contains(status) ? status : "unknown"
    let counts = body["request_counts"]
    func count(_ name: String) -> Int { counts?[name]?.count ?? 0 }
    processing = count("processing")
    succeeded = count("succeeded")
    failed = count("errored") + count("canceled") + count("expired")
  }
}
