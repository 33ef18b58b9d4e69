import AisleCore

/// Questions for Anthropic's Message Batches and their progress: everything needed to continue after a crash.
public struct BatchJob: Sendable {
  /// Requests that are submitted together.
  struct Part: Sendable {
    /// The place of the first question.
    let start: Int
    /// How many questions there are.
    let count: Int
    /// The number of requests.
    let requests: Int
    /// When it was about to be submitted, in seconds since 1970; `nil` before.
    var sent: Int?
    /// The API's name for it; `nil` until it is known.
    var id: String?
  }

  /// A text that is not a job.
  public struct Fault: Error, Sendable, CustomStringConvertible {
    /// What is wrong.
    public let description: String
  }

  /// The form of the text.
  private static let version = 1

  /// Tells this job's requests from all others.
  let token: String
  /// The model.
  public let model: String
  /// The store.
  public let store: String
  /// What tells whether the prompt is the same.
  let fingerprint: String
  let batchSize: Int
  let allowsNewSections: Bool
  let questions: [Question]
  /// The known answers of earlier runs, by normalized item.
  public internal(set) var known: [String: ModelAnswer]
  var parts: [Part]

  /// How many items it asks about.
  public var itemCount: Int { questions.count }

  /// How many requests it has.
  public var requestCount: Int { parts.reduce(0) { $0 + $1.requests } }

  /// Whether every part is submitted.
  public var isSubmitted: Bool { parts.allSatisfy { $0.id != nil } }

  /// The names that the API gave its parts.
  public var ids: [String] { parts.compactMap(\.id) }

  init(
    _ questions: [Question], known: [String: ModelAnswer], _ settings: ModelSettings, store: String, fingerprint: String,
    requestsPerPart: Int
  ) {
    token = (0..<8).map { _ in String(Int.random(in: 0..<16), radix: 16) }.joined()
    model = settings.model
    self.store = store
    self.fingerprint = fingerprint
    batchSize = settings.batchSize
    allowsNewSections = settings.allowsNewSections
    self.questions = questions
    self.known = known
    let most = requestsPerPart * settings.batchSize
    parts = stride(from: 0, to: questions.count, by: most).map { start in
      let count = min(most, questions.count - start)
      return Part(start: start, count: count, requests: (count + settings.batchSize - 1) / settings.batchSize)
    }
  }

  /// The questions of a part, a request's worth at a time.
  func requests(of part: Int) -> [ArraySlice<Question>] {
    let end = parts[part].start + parts[part].count
    return stride(from: parts[part].start, to: end, by: batchSize).map { questions[$0..<min($0 + batchSize, end)] }
  }

  /// The name of a request.
  func name(part: Int, request: Int) -> String { "aisle-\(token)-\(part)-\(request)" }

  // MARK: The text

  /// The job as text, for saving.
  public var bytes: [UInt8] {
    let value: JSONValue = [
      "aisle_batch": .init(Self.version), "token": .text(token), "model": .text(model), "store": .text(store),
      "fingerprint": .text(fingerprint), "batch_size": .init(batchSize), "new_sections": .flag(allowsNewSections),
      "parts": .array(
        parts.map { part in
          [
            "start": .init(part.start), "count": .init(part.count), "requests": .init(part.requests),
            "sent": part.sent.map { .init($0) } ?? .null, "id": part.id.map { .text($0) } ?? .null,
          ]
        }), "items": .array(questions.map { .text($0.text) }), "known": .array(known.sorted { $0.key < $1.key }.map(Self.line)),
    ]
    return value.bytes + [0x0A]
  }

  /// An answer as it is saved: the item, the section or null, and whether the store lacks it, or `guess`.
  private static func line(_ item: String, _ answer: ModelAnswer) -> JSONValue {
    switch answer {
    case .section(let section): [.text(item), .text(section), .flag(false)]
    case .guess(let section): [.text(item), .text(section), .text("guess")]
    case .newSection(let section): [.text(item), .text(section), .flag(true)]
    case .none: [.text(item), .null, .flag(false)]
    }
  }

  private static func answer(_ line: JSONValue) -> (item: String, answer: ModelAnswer)? {
    guard let parts = line.elements, parts.count == 3, let item = parts[0].string else { return nil }
    guard let section = parts[1].string else { return nil }
    let answer: ModelAnswer = parts[2] == true ? .newSection(section) : parts[2] == "guess" ? .guess(section) : .section(section)
    return answer.isSound ? (item, answer) : nil
  }

  /// Reads a text that `bytes` wrote.
  ///
  /// - Throws: `Fault`.
  public init(_ bytes: [UInt8]) throws(Fault) {
    guard let value = try? JSONValue(bytes), let version = value["aisle_batch"]?.count else {
      throw Fault(description: "is not a batch job")
    }
    guard version == Self.version else { throw Fault(description: "was made by another version of aisle; use that one") }
    guard let token = value["token"]?.string, let model = value["model"]?.string, let store = value["store"]?.string,
      let fingerprint = value["fingerprint"]?.string, let batchSize = value["batch_size"]?.count, (1...200).contains(batchSize),
      let items = value["items"]?.elements, let parts = value["parts"]?.elements
    else { throw Fault(description: "is damaged; submit the items again") }
    self.token = token
    self.model = model
    self.store = store
    self.fingerprint = fingerprint
    self.batchSize = batchSize
    allowsNewSections = value["new_sections"] == true
    questions = items.compactMap { $0.string.flatMap { Question(Array($0.utf8)[...]) } }
    known = Dictionary((value["known"]?.elements ?? []).compactMap(Self.answer).map { ($0.item, $0.answer) }) { $1 }
    var read: [Part] = []
    for part in parts {
      guard let start = part["start"]?.count, let count = part["count"]?.count, let requests = part["requests"]?.count,
        start + count <= items.count, questions.count == items.count
      else { throw Fault(description: "is damaged; submit the items again") }
      read.append(Part(start: start, count: count, requests: requests, sent: part["sent"]?.count, id: part["id"]?.string))
    }
    self.parts = read
  }
}
