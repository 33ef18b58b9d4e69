import AisleCore

/// Matches patterns against one item after the other, on one thread.
final class PatternMatcher {
  private let patterns: CompiledPatterns
  private let filter: PatternFilter
  private let itemBytes: Int
  private let report: (PatternTrouble, Int) -> Void
  private let marked: UnsafeMutableBufferPointer<UInt64>
  private lazy var workspace = MatchWorkspace(patterns.limits)
  /// The patterns that were compiled so far, by rank.
  private lazy var compiled: [CompiledPattern?] = Array(repeating: nil, count: patterns.count)

  /// What matched.
  struct Found {
    /// The pattern's place in the taxonomy.
    let pattern: Int
    /// The bytes that it matched.
    let span: Range<Int>
  }

  /// - Parameter report: Is told of trouble with the pattern at a place in the taxonomy.
  init(_ patterns: CompiledPatterns, report: @escaping (PatternTrouble, Int) -> Void) {
    self.patterns = patterns
    filter = patterns.index.filter
    itemBytes = patterns.limits.itemBytes
    self.report = report
    marked = .allocate(capacity: (patterns.count + 63) / 64)
    marked.initialize(repeating: 0)
  }

  deinit { marked.deallocate() }

  /// The most confident pattern that matches an item; `nil` for none, and for an item that is too long.
  ///
  /// - Parameter item: Bytes, with `Batch.padding` behind them that can be read.
  @inline(__always)
  func match(_ item: UnsafePointer<UInt8>, count: Int) -> Found? {
    guard count <= itemBytes, count > 0, filter.mark(item, count: count, in: marked) else { return nil }
    return matchMarked(item, count)
  }

  /// All patterns that match an item, the most confident first.
  func matches(_ item: UnsafePointer<UInt8>, count: Int) -> [Found] {
    guard count <= itemBytes, count > 0, filter.mark(item, count: count, in: marked) else { return [] }
    var found: [Found] = []
    for word in marked.indices {
      for bit in 0..<64 where marked[word] >> UInt64(bit) & 1 == 1 {
        if let match = match((word << 6) + bit, item, count) { found.append(match) }
      }
      marked[word] = 0
    }
    return found
  }

  @inline(never)
  private func matchMarked(_ item: UnsafePointer<UInt8>, _ count: Int) -> Found? {
    var found: Found?
    for word in marked.indices where marked[word] != 0 {
      var rest = marked[word]
      marked[word] = 0
      while rest != 0, found == nil {
        let rank = (word << 6) + rest.trailingZeroBitCount
        rest &= rest &- 1
        found = match(rank, item, count)
      }
    }
    return found
  }

  private func match(_ rank: Int, _ item: UnsafePointer<UInt8>, _ count: Int) -> Found? {
    let pattern: CompiledPattern
    if let known = compiled[rank] {
      pattern = known
    } else {
      guard let new = patterns.compiled(rank, report: report) else { return nil }
      compiled[rank] = new
      pattern = new
    }
    switch pattern.match(item, count: count, in: workspace) {
    case .match(let span): return Found(pattern: patterns.place(rank), span: span)
    case .noMatch: return nil
    case .limit(let message):
      if patterns.isFirstLimit(rank) { report(.limit(message), patterns.place(rank)) }
      return nil
    }
  }
}
