import AisleCore
import GRDB

extension CorrectionStore {
  /// How many requests are remembered; older ones are forgotten as new ones come.
  static let rememberedRequests = 100_000

  // MARK: Answers of language models

  /// The kept answers to questions, by question.
  ///
  /// - Throws: `CorrectionStoreError`.
  /// - Complexity: O(questions), a few µs each.
  public func answers(
    to questions: [KeptAnswer.Question], from source: KeptAnswer.Source
  ) throws(CorrectionStoreError) -> [KeptAnswer.Question: KeptAnswer] {
    try read { database in
      guard try Self.knowsModels(database), let number = try Self.number(of: source, in: database) else { return [:] }
      let find = try database.cachedStatement(
        sql: "SELECT section, is_new, time FROM answer WHERE source = ? AND item = ? AND present = ?")
      var answers: [KeptAnswer.Question: KeptAnswer] = [:]
      for question in questions {
        guard let row = try Row.fetchOne(find, arguments: [number, question.item, question.present]) else { continue }
        answers[question] = try KeptAnswer(
          source: source, question: question, section: row.value("section"), isNew: row.value("is_new"), time: row.value("time"))
      }
      return answers
    }
  }

  /// Stores answers and request records in one transaction. An answer to the same question is replaced.
  ///
  /// - Throws: `CorrectionStoreError`.
  public func keep(_ answers: [KeptAnswer], requests: [KeptRequest] = []) throws(CorrectionStoreError) {
    for answer in answers { try check(answer) }
    try write { database in
      var numbers: [KeptAnswer.Source: Int64] = [:]
      for answer in answers {
        let number = try numbers[answer.source] ?? Self.add(answer.source, in: database)
        numbers[answer.source] = number
        try Self.write(answer, number, in: database)
      }
      for request in requests { try Self.write(request, in: database) }
      if !requests.isEmpty {
        try database.execute(sql: "DELETE FROM request WHERE id <= (SELECT max(id) FROM request) - \(Self.rememberedRequests)")
      }
    }
  }

  /// The kept answers of one source.
  public struct AnswerSummary: Sendable, Hashable {
    /// The source.
    public let source: KeptAnswer.Source
    /// How many answers.
    public let count: Int
    /// The time of the oldest one, in milliseconds since 1970 in UTC.
    public let oldest: Int
    /// The time of the newest one.
    public let newest: Int
  }

  /// The kept answers, by source.
  ///
  /// - Throws: `CorrectionStoreError`.
  public func answerSummaries() throws(CorrectionStoreError) -> [AnswerSummary] {
    try read { database in
      guard try Self.knowsModels(database) else { return [] }
      return try Row.fetchAll(
        database,
        sql: """
          SELECT answer_source.*, count(*) AS count, min(time) AS oldest, max(time) AS newest
          FROM answer JOIN answer_source ON answer_source.id = answer.source GROUP BY answer_source.id
          ORDER BY provider, model, task, prompt, sections, new_sections
          """
      ).map { row in
        try AnswerSummary(
          source: KeptAnswer.Source(row), count: row.value("count"), oldest: row.value("oldest"), newest: row.value("newest"))
      }
    }
  }

  /// Passes the answers to `body` in groups, by source and item. Others may write between two groups.
  ///
  /// - Throws: `CorrectionStoreError`; whatever `body` throws.
  public func forEachAnswerGroup(of size: Int = 10_000, _ body: ([KeptAnswer]) throws -> Void) throws {
    var last: (Int64, String, String) = (0, "", "")
    while true {
      let rows = try read { database in
        guard try Self.knowsModels(database) else { return [Row]() }
        return try Row.fetchAll(
          database,
          sql: """
            SELECT * FROM answer JOIN answer_source ON answer_source.id = answer.source
            WHERE (source, item, present) > (?, ?, ?) ORDER BY source, item, present LIMIT ?
            """, arguments: [last.0, last.1, last.2, size])
      }
      guard let end = rows.last else { return }
      try body(rows.map { try KeptAnswer($0) })
      last = try (end.value("source"), end.value("item"), end.value("present"))
    }
  }

  /// Imports either all answers or none. The newer of two answers to the same question is kept.
  ///
  /// - Throws: `CorrectionStoreError`.
  public func take(_ answers: [KeptAnswer]) throws(CorrectionStoreError) -> Outcome {
    for answer in answers { try check(answer) }
    return try write { database in
      var outcome = Outcome()
      let find = try database.cachedStatement(sql: "SELECT time FROM answer WHERE source = ? AND item = ? AND present = ?")
      for answer in answers {
        let number = try Self.add(answer.source, in: database)
        let known = try Int.fetchOne(find, arguments: [number, answer.question.item, answer.question.present])
        if let known, known >= answer.time {
          outcome.unchanged += 1
          continue
        }
        try Self.write(answer, number, in: database)
        if known == nil { outcome.added += 1 } else { outcome.replaced += 1 }
      }
      return outcome
    }
  }

  /// Which answers to forget; a `nil` condition matches all.
  public struct AnswerSelection: Sendable, Hashable {
    /// The model.
    public var model: String?
    /// Answers of all prompt versions except this one.
    public var exceptPrompt: Int?
    /// Answers from before this time, in milliseconds since 1970 in UTC.
    public var before: Int?

    /// Makes a selection.
    public init(model: String? = nil, exceptPrompt: Int? = nil, before: Int? = nil) {
      self.model = model
      self.exceptPrompt = exceptPrompt
      self.before = before
    }
  }

  /// Forgets answers and returns their number.
  ///
  /// - Throws: `CorrectionStoreError`.
  public func forgetAnswers(_ selection: AnswerSelection) throws(CorrectionStoreError) -> Int {
    try write { database in
      try database.execute(
        sql: """
          DELETE FROM answer WHERE (?3 IS NULL OR time < ?3) AND source IN (
            SELECT id FROM answer_source WHERE (?1 IS NULL OR model = ?1) AND (?2 IS NULL OR prompt <> ?2))
          """, arguments: [selection.model, selection.exceptPrompt, selection.before])
      let count = database.changesCount
      try database.execute(sql: "DELETE FROM answer_source WHERE id NOT IN (SELECT source FROM answer)")
      return count
    }
  }

  // MARK: Requests

  /// The last requests to language models, oldest first.
  ///
  /// - Parameters:
  ///   - count: The most requests to return.
  ///   - start: Only requests from this time on, in milliseconds since 1970 in UTC.
  /// - Throws: `CorrectionStoreError`.
  public func requests(last count: Int = .max, since start: Int? = nil) throws(CorrectionStoreError) -> [KeptRequest] {
    try read { database in
      guard try Self.knowsModels(database) else { return [] }
      // Before the third version all was taken as the server said it.
      let knowsEstimates = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0 >= 3
      let estimated = try knowsEstimates ? Int64.fetchSet(database, sql: "SELECT request FROM estimated_request") : []
      return try Row.fetchAll(
        database, sql: "SELECT * FROM request WHERE ?1 IS NULL OR time >= ?1 ORDER BY id DESC LIMIT ?2",
        arguments: [start, count]
      ).reversed().map { try KeptRequest($0, estimated: estimated) }
    }
  }

  /// Whether a request with this server id is in the log.
  ///
  /// - Throws: `CorrectionStoreError`.
  public func remembersRequest(_ id: String) throws(CorrectionStoreError) -> Bool {
    try read { database in
      guard try Self.knowsModels(database) else { return false }
      return try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM request WHERE request_id = ?)", arguments: [id])
        ?? false
    }
  }

  // MARK: Parts

  /// Whether the database has the tables of the second step; one that was only read since may lack them.
  static func knowsModels(_ database: Database) throws -> Bool {
    try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0 >= 2
  }

  private static func number(of source: KeptAnswer.Source, in database: Database) throws -> Int64? {
    let find = try database.cachedStatement(
      sql: """
        SELECT id FROM answer_source WHERE task = ? AND provider = ? AND model = ? AND prompt = ? AND sections = ? AND new_sections = ?
        """)
    return try Int64.fetchOne(find, arguments: arguments(source))
  }

  private static func arguments(_ source: KeptAnswer.Source) -> StatementArguments {
    [source.task, source.provider, source.model, source.prompt, source.sections, source.allowsNewSections]
  }

  private static func add(_ source: KeptAnswer.Source, in database: Database) throws -> Int64 {
    if let number = try number(of: source, in: database) { return number }
    try database.execute(
      sql: "INSERT INTO answer_source (task, provider, model, prompt, sections, new_sections) VALUES (?, ?, ?, ?, ?, ?)",
      arguments: arguments(source))
    return database.lastInsertedRowID
  }

  private static func write(_ answer: KeptAnswer, _ source: Int64, in database: Database) throws {
    let write = try database.cachedStatement(
      sql: "INSERT OR REPLACE INTO answer (source, item, present, section, is_new, time) VALUES (?, ?, ?, ?, ?, ?)")
    try write.execute(arguments: [
      source, answer.question.item, answer.question.present, answer.section, answer.isNew, answer.time,
    ])
  }

  private static func write(_ request: KeptRequest, in database: Database) throws {
    let write = try database.cachedStatement(
      sql: """
        INSERT INTO request
          (time, task, provider, model, items, attempt, input, cache_read, output, dollars, duration, request_id, status, failure)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    try write.execute(arguments: [
      request.time, request.task, request.provider, request.model, request.items, request.attempt, request.inputTokens,
      request.cachedTokens, request.outputTokens, request.dollars, request.duration, request.requestID, request.status,
      request.failure,
    ])
    guard request.isEstimate else { return }
    try database.cachedStatement(sql: "INSERT INTO estimated_request (request) VALUES (?)")
      .execute(arguments: [database.lastInsertedRowID])
  }

  private func check(_ answer: KeptAnswer) throws(CorrectionStoreError) {
    let source = answer.source
    try check(source.task, "task")
    try check(source.provider, "provider")
    try check(source.sections, "list of sections")
    if source.model.utf8.count > 200 || source.model.utf8.contains(0) {
      throw CorrectionStoreError(path, .invalid, "a model's name must have at most 200 bytes and no NUL")
    }
    try check(text: answer.question.item, "item")
    if !answer.question.present.isEmpty { try check(answer.question.present, "section") }
    if let section = answer.section { try check(section, "section") }
    try check(time: answer.time)
  }
}

extension KeptAnswer.Source {
  init(_ row: Row) throws {
    try self.init(
      task: row.value("task"), provider: row.value("provider"), model: row.value("model"), prompt: row.value("prompt"),
      sections: row.value("sections"), allowsNewSections: row.value("new_sections"))
  }
}

extension KeptAnswer {
  init(_ row: Row) throws {
    try self.init(
      source: Source(row), question: Question(row.value("item"), present: row.value("present")), section: row.value("section"),
      isNew: row.value("is_new"), time: row.value("time"))
  }
}

extension KeptRequest {
  fileprivate init(_ row: Row, estimated: Set<Int64>) throws {
    try self.init(
      time: row.value("time"), task: row.value("task"), provider: row.value("provider"), model: row.value("model"),
      items: row.value("items"), attempt: row.value("attempt"), inputTokens: row.value("input"),
      cachedTokens: row.value("cache_read"), outputTokens: row.value("output"), dollars: row.value("dollars"),
      duration: row.value("duration"), requestID: row.value("request_id"), status: row.value("status"),
      failure: row.value("failure"), isEstimate: estimated.contains(row.value("id")))
  }
}
