import AisleCore
public import CorrectionMatching
import GRDB

extension LearnedCorrections {
  private struct Source: Sendable {
    let path: String
    let report: @Sendable (String) -> Void
  }

  /// Corrections that are read from their database again where an index proves damaged.
  private init(_ layers: [Layer], _ source: Source) { self.init(layers, renewal: { Self.renewed(source) }) }

  /// Beyond so many changes the index is made anew.
  private static var maximumChanges: Int64 { 1000 }
  /// Below so many corrections making the index anew costs less than remembering what changed.
  private static var smallCount: Int { 5000 }

  /// Opens the corrections of a file.
  ///
  /// - Parameter report: Receives a one-line message about a damaged index, now or during use, and what was done about it.
  /// - Returns: `nil` if the file does not exist yet.
  /// - Throws: `CorrectionStoreError` for a file that is damaged, foreign, or too new; it is left as it is.
  /// - Complexity: A few system calls with an up-to-date index; otherwise O(corrections), about 3 µs each.
  public static func open(
    _ path: String, report: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(CorrectionStoreError) -> LearnedCorrections? {
    try open(path, patience: CorrectionStore.patience, report: report)
  }

  /// Opens the corrections of a file, waiting for other processes for at most so many seconds.
  static func open(
    _ path: String, patience: Int, report: @escaping @Sendable (String) -> Void
  ) throws(CorrectionStoreError) -> LearnedCorrections? {
    try open(Source(path: path, report: report), usingIndex: true, patience: patience)
  }

  /// The corrections read from the database anew; none where that is not possible. It says what it did.
  private static func renewed(_ source: Source) -> LearnedCorrections {
    let index = IndexFile(database: source.path).path
    do {
      let renewed = try open(source, usingIndex: false)
      source.report("\(index): damaged; rebuilt from the corrections")
      return renewed ?? LearnedCorrections([], source)
    } catch {
      source.report("\(index): damaged, and cannot be rebuilt: \(error); continuing without corrections")
      return LearnedCorrections([], source)
    }
  }

  private static func open(
    _ source: Source, usingIndex: Bool, patience: Int = CorrectionStore.patience
  ) throws(CorrectionStoreError) -> LearnedCorrections? {
    let path = source.path
    let place = try DatabaseFile(path)
    guard let (header, hasJournal) = try look(place, patience) else { return nil }
    if !hasJournal {
      try header.check(place)
      if header.isEmpty { return nil }
    }
    let file = IndexFile(place)
    var (known, isDamaged): (IndexFile.Contents?, Bool) = (nil, false)
    do {
      if usingIndex { known = try file.load() }
    } catch {
      isDamaged = error == .damaged
    }
    if let known, !hasJournal, known.stamp == header.stamp.words {
      return LearnedCorrections([Layer(index: known.index, outdated: [])], source)
    }
    let store: CorrectionStore
    do { store = try CorrectionStore(path, access: .reading, patience: patience) } catch {
      // A journal beside an empty file: what was begun there came to nothing.
      if error.kind == .missing { return nil }
      throw error
    }
    let (layers, index) = try store.read { try read($0, known) }
    // What was read belongs to the state that was looked at before only if nobody has written since: each transaction counts the header
    // up. It is not looked at within the transaction, because closing the file would give up the transaction's lock.
    if let index, !hasJournal, let (after, _) = try look(place, patience), after.stamp == header.stamp {
      file.save(index.blocks, stamp: header.stamp.words, revision: index.revision, lineage: index.lineage)
    }
    if isDamaged { source.report("\(file.path): damaged; rebuilt from the corrections") }
    return layers.map { LearnedCorrections($0, source) }
  }

  private static func look(
    _ file: DatabaseFile, _ patience: Int
  ) throws(CorrectionStoreError) -> (header: DatabaseHeader, hasJournal: Bool)? {
    let found = try FileGate.shared.pass(file, waiting: patience > 0) { () throws(CorrectionStoreError) in
      (try DatabaseHeader(file), try file.hasJournal())
    }
    guard let (header, hasJournal) = found else { throw .inUse(file.name) }
    return header.map { ($0, hasJournal) }
  }

  /// An index that was made anew, and what it was made from.
  private struct Fresh {
    let blocks: [FlatBlock]
    let revision: Int64
    let lineage: UInt64?
  }

  private static func read(
    _ database: Database, _ known: IndexFile.Contents?
  ) throws -> (layers: [Layer]?, index: Fresh?) {
    let last = try Int64.fetchOne(database, sql: "SELECT max(revision) FROM change") ?? 0
    if let known, known.index.count >= smallCount, let layers = try update(database, known, to: last) {
      return (layers, nil)
    }
    var builder = CorrectionIndexBuilder()
    let rows = try Row.fetchCursor(database, sql: "SELECT * FROM correction ORDER BY id")
    while let row = try rows.next() { try builder.add(id: row.value("id"), key: row.value("key"), Correction(row)) }
    let blocks = builder.blocks()
    let fresh = Fresh(blocks: blocks, revision: last, lineage: try lineage(database, last))
    return (Layer(blocks).map { [$0] }, fresh)
  }

  /// The index and what changed since; `nil` when too much did, or it cannot be told.
  private static func update(_ database: Database, _ known: IndexFile.Contents, to last: Int64) throws -> [Layer]? {
    guard last >= known.revision, last - known.revision <= maximumChanges,
      try lineage(database, known.revision) == known.lineage
    else { return nil }
    let changed = try Int64.fetchAll(
      database, sql: "SELECT DISTINCT correction FROM change WHERE revision > ? AND correction IS NOT NULL",
      arguments: [known.revision])
    var builder = CorrectionIndexBuilder()
    for id in changed {
      guard let row = try Row.fetchOne(database, sql: "SELECT * FROM correction WHERE id = ?", arguments: [id]) else { continue }
      try builder.add(id: id, key: row.value("key"), Correction(row))
    }
    let before = Layer(index: known.index, outdated: Set(changed))
    return Layer(builder.blocks()).map { [before, $0] }
  }

  /// What tells a change from one of the same number in another copy of the database; `nil` when it is forgotten.
  private static func lineage(_ database: Database, _ revision: Int64) throws -> UInt64? {
    let row = try Row.fetchOne(
      database,
      sql:
        "SELECT action.time, action.id AS action, correction FROM change JOIN action ON action.id = change.action WHERE revision = ?",
      arguments: [revision])
    guard let row else { return nil }
    let (time, action, correction): (Int64, Int64, Int64?) = (
      try row.value("time"), try row.value("action"), try row.value("correction")
    )
    return [time, action, correction ?? -1].reduce(0xCBF2_9CE4_8422_2325) { sum, part in
      let mixed = (sum ^ UInt64(bitPattern: part)) &* 0x9E37_79B1_85EB_CA87
      return mixed ^ mixed &>> 29
    }
  }
}
