import GRDB

/// What became different in a file of corrections.
public struct CorrectionChange: Sendable, Hashable, Codable {
  /// The items whose corrections were made, changed, or taken back, as they were written; in no particular order.
  public let items: [String]
  /// Whether suggestions were made, or decided.
  public let hasNewSuggestions: Bool

  /// Describes a change.
  public init(items: [String], hasNewSuggestions: Bool) {
    self.items = items
    self.hasNewSuggestions = hasNewSuggestions
  }
}

/// The changes to a file of corrections, whoever makes them: this process or another one.
///
/// The file is looked at four times a second, a system call each time, which works on every file system; changes that come together are
/// told as one. The sequence never ends by itself, but with the task that waits for it. It tells of what happens after its iterator was made,
/// and each iterator gets all of it.
public struct CorrectionChanges: AsyncSequence, Sendable {
  private let path: String?
  private let report: @Sendable (String) -> Void

  /// How long it waits between looks.
  static let pause = Duration.milliseconds(250)

  /// Follows a file, which need not be there yet; `nil` for a sequence that is over.
  ///
  /// - Parameter report: Receives warnings to show people, about a file that cannot be read.
  public init(_ path: String?, report: @escaping @Sendable (String) -> Void = { _ in }) {
    self.path = path
    self.report = report
  }

  /// Begins to follow the file.
  public func makeAsyncIterator() -> Iterator { Iterator(path, report) }

  /// Waits for changes.
  public struct Iterator: AsyncIteratorProtocol {
    private let path: String?
    private let report: @Sendable (String) -> Void
    private var last: Watched

    init(_ path: String?, _ report: @escaping @Sendable (String) -> Void) {
      self.path = path
      self.report = report
      last = path.map { Watched($0, report) } ?? Watched()
    }

    /// The next change; `nil` once the task was cancelled.
    public mutating func next() async -> CorrectionChange? { await next(isolation: #isolation) }

    /// The next change; `nil` once the task was cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> CorrectionChange? {
      guard let path else { return nil }
      while true {
        do { try await Task.sleep(for: CorrectionChanges.pause, tolerance: CorrectionChanges.pause / 5) } catch { return nil }
        let now = await Watched.look(path, after: last, report)
        let before = last
        last = now
        if let change = now.change(since: before) { return change }
      }
    }
  }
}

/// What a file held when it was looked at.
private struct Watched: Sendable {
  private var mark: FileMark?
  private var isFresh = false
  /// What was read last; `nil` before anything could be.
  private var contents: Contents?
  /// The items that were changed since the look before.
  private var items: [String] = []
  private var trouble: CorrectionStoreError?

  /// What tells whether something is new.
  private struct Contents: Equatable {
    /// The number of the last change.
    var revision: Int64 = 0
    /// How many suggestions there are, how many of them wait, their last number and the sum of their times.
    var suggestions: [Int64] = [0, 0, 0, 0]
  }

  /// Nothing.
  init() {}

  /// The file as it is now.
  init(_ path: String, _ report: (String) -> Void) { look(path, report) }

  /// The file as it is now, looked at off the caller's actor.
  @concurrent
  static func look(_ path: String, after last: Watched, _ report: @Sendable (String) -> Void) async -> Watched {
    var now = last
    now.items = []
    if last.isFresh || FileMark(path) != last.mark { now.look(path, report) }
    return now
  }

  private mutating func look(_ path: String, _ report: (String) -> Void) {
    let mark = FileMark(path)
    do throws(CorrectionStoreError) {
      let before = contents?.revision
      let (contents, items) = try CorrectionStore(path, access: .reading, patience: 1).read { try Self.read($0, since: before) }
      (self.contents, self.items, trouble) = (contents, items, nil)
    } catch {
      // Another process is writing: the next look tells.
      if error.kind == .busy { return }
      if error.kind == .missing {
        contents = contents ?? Contents()
      } else if trouble != error {
        report("\(error)")
        trouble = error
      }
    }
    (self.mark, isFresh) = (mark, mark.isFresh)
  }

  private static func read(_ database: Database, since revision: Int64?) throws -> (Contents, [String]) {
    var contents = Contents()
    contents.revision = try Int64.fetchOne(database, sql: "SELECT max(revision) FROM change") ?? 0
    let suggestions = try Row.fetchOne(
      database,
      sql: """
        SELECT count(*) AS a, coalesce(sum(state = 'pending'), 0) AS b, coalesce(max(id), 0) AS c,
          coalesce(sum(time % 1000000007), 0) AS d
        FROM suggestion
        """)
    if let suggestions { contents.suggestions = try ["a", "b", "c", "d"].map { try suggestions.value($0) } }
    guard let revision, revision != contents.revision else { return (contents, []) }
    // Where another file has taken the place of the one before, all that it tells of may be news.
    let items = try String.fetchAll(
      database,
      sql: """
        SELECT DISTINCT coalesce(correction.item, change.item) AS name
        FROM change LEFT JOIN correction ON correction.id = change.correction
        WHERE revision > ? AND change.correction IS NOT NULL AND name IS NOT NULL
        """, arguments: [revision < contents.revision ? revision : 0])
    return (contents, items)
  }

  /// What has changed since; `nil` where nothing has.
  func change(since before: Watched) -> CorrectionChange? {
    guard let contents, let known = before.contents else { return nil }
    let hasNewSuggestions = contents.suggestions != known.suggestions
    if items.isEmpty && !hasNewSuggestions { return nil }
    return CorrectionChange(items: items, hasNewSuggestions: hasNewSuggestions)
  }
}
