import AisleCore
import AisleFiles
import AisleItems
import LLMStrategy

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Reads blocks, decides them on as many cores as asked for, and writes the results in the order of the input.
struct Pipeline {
  let categorizer: Categorizer
  let setup: InputSetup
  /// Makes the presenter once the first input's header is known; `nil` where results are only collected.
  let makePresenter: (Header?) -> (any Presenter)?
  let jobs: Int
  let isLineBuffered: Bool
  let diagnostics: Diagnostics
  var onResult: (Workspace) throws -> Void = { _ in }
  var onOversized: (String) throws -> Void = { _ in }

  /// How to go about items that a slow strategy decides: a block is cut where they begin, so that what the quick ones before have
  /// decided is written at once, and into pieces with a request's worth of slow items each, several of which are under way at a time.
  struct Deferral: Sendable {
    /// The quick strategies; empty where every item is slow.
    let local: Chain
    /// The slow items of a piece.
    let items: Int
    /// The most pieces at a time.
    let pieces: Int
  }

  /// What of the input is being worked on, for the messages.
  private struct Position {
    var input = "-"
    var line = 0
    /// How many records came before.
    var records = 0
  }

  /// The size in bytes below which a block is not worth another thread.
  private static let smallBlock = 16 * 1024

  /// Set where the chain asks a slow strategy.
  var deferral: Deferral?
  /// What else a name may have meant that no file has, for the message about it.
  var missingFileHint = ""

  /// Pieces of a block that was cut.
  private var cut: ArraySlice<Block> = []
  /// What was read before there was a pipeline.
  private var readAhead: ArraySlice<FirstBlock.Step> = []

  /// How many inputs could not be read.
  private(set) var failures = 0

  private var position = Position()
  private var firstHeader: Header?
  private var hasBegun = false
  private var output: RecordOutput
  /// The beginning of the oversized record at hand, for showing it; `nil` outside one, and until some of the record is out.
  private var oversizedStart: [UInt8]?
  /// What is wrong with it.
  private var oversizedFault = ""

  init(
    categorizer: Categorizer, setup: InputSetup, makePresenter: @escaping (Header?) -> (any Presenter)?, jobs: Int,
    isLineBuffered: Bool, output: Descriptor, diagnostics: Diagnostics
  ) {
    self.categorizer = categorizer
    self.setup = setup
    self.makePresenter = makePresenter
    self.jobs = jobs
    self.isLineBuffered = isLineBuffered
    self.output = RecordOutput(to: output)
    self.diagnostics = diagnostics
  }

  /// Works through all inputs: files to read, `-` for standard input.
  ///
  /// - Throws: `StreamError` when output cannot be written; what a strategy throws; `Interruption`.
  mutating func run(paths: [String]) async throws {
    var reader = BlockReader(paths: paths, setup: setup, isLineBuffered: isLineBuffered)
    reader.remark = { [diagnostics] in diagnostics.error($0) }
    try await run(reader)
  }

  /// Works through what a reader reads.
  ///
  /// - Throws: what `run(paths:)` throws.
  mutating func run(_ reader: BlockReader) async throws {
    var reader = reader
    try await work(through: &reader)
  }

  /// Works through inputs whose first block was read already.
  ///
  /// - Throws: what `run(paths:)` throws.
  mutating func run(_ first: FirstBlock) async throws {
    readAhead = first.steps[...]
    try await run(first.reader)
  }

  private mutating func work(through reader: inout BlockReader) async throws {
    do {
      let isDone = deferral == nil ? try await runAlone(&reader) : false
      if !isDone { try await runTogether(&reader) }
      try output.end()
    } catch let error where error is Interruption || error is FileError {
      output.endEarly(isWithinRecord: oversizedStart != nil)
      throw error
    }
  }

  /// Works without other threads, which take as long to start as a hundred items: to the end, or up to a block that is worth them.
  ///
  /// - Returns: Whether that was the end; else the block is the next piece.
  private mutating func runAlone(_ reader: inout BlockReader) async throws -> Bool {
    let work = Workspace(taxonomy: categorizer.taxonomy)
    /// Whether other threads are to be had; `nil` until they are wanted.
    var mayShare: Bool?
    while let piece = try await nextPiece(&reader, reusing: work, mayWait: true) {
      guard case .block(let block) = piece else {
        try take(piece, &reader)
        continue
      }
      if mayShare == nil, jobs > 1, block.count >= Self.smallBlock { mayShare = Threads.areGranted(for: jobs) }
      if mayShare == true, block.count >= Self.smallBlock {
        cut = [block]
        return false
      }
      try await Self.decide(block, work, reader.parser, categorizer, output.presenter)
      try finish(work)
    }
    return true
  }

  private mutating func runTogether(_ reader: inout BlockReader) async throws {
    let categorizer = categorizer
    // More than keep all cores busy would only cost memory.
    let workerCount = deferral?.pieces ?? min(jobs, 2 * Environment.processorCount)
    var pool = (0..<workerCount + 1).map { _ in Workspace(taxonomy: categorizer.taxonomy) }
    var (started, finished) = (0, 0)
    var done: [Int: Workspace] = [:]
    try await withThrowingTaskGroup(of: Workspace.self) { group in
      /// Waits for the oldest block at work, and writes it and those after it that are done.
      func settle(_ this: inout Pipeline) async throws {
        while done[finished] == nil, let work = try await group.next() { done[work.order] = work }
        while let work = done.removeValue(forKey: finished) {
          finished += 1
          try this.finish(work)
          pool.append(work)
        }
      }
      while true {
        while pool.isEmpty { try await settle(&self) }
        guard let work = pool.popLast() else { continue }
        guard let piece = try await nextPiece(&reader, reusing: work, mayWait: finished == started) else { break }
        guard case .block(let block) = piece else {
          pool.append(work)
          while finished < started { try await settle(&self) }
          try take(piece, &reader)
          continue
        }
        if deferral == nil, block.count < Self.smallBlock, finished == started {
          // A short input is done before another thread has begun.
          try await Self.decide(block, work, reader.parser, categorizer, output.presenter)
          try finish(work)
          pool.append(work)
          continue
        }
        work.order = started
        started += 1
        group.addTask { [parser = reader.parser, presenter = output.presenter] in
          try await Self.decide(block, work, parser, categorizer, presenter)
          return work
        }
      }
      while finished < started { try await settle(&self) }
    }
  }

  /// The next piece of the input; an input that cannot be read is reported and passed over.
  private mutating func nextPiece(_ reader: inout BlockReader, reusing work: Workspace, mayWait: Bool) async throws -> Piece? {
    while true {
      if let block = cut.popFirst() { return .block(block) }
      // Behind a piece that was read ahead, the reader has gone on already.
      let step = readAhead.popFirst()
      do {
        let piece = try step.map { try $0.get() } ?? reader.next(reusing: work.batch.takeStorage().text, mayWait: mayWait)
        guard let deferral, case .block(let block) = piece else { return piece }
        cut = try await pieces(of: block, work, reader.parser, deferral)[...]
      } catch let error where error is StreamError || error is CommandFailure {
        failures += 1
        let isMissing = (error as? StreamError)?.code == ENOENT
        diagnostics.error("\(error)\(isMissing ? missingFileHint : "")")
        if step == nil { reader.skipInput() }
        if oversizedStart != nil { try take(.oversized(OversizedPart(bytes: [], isFirst: false, isLast: true)), &reader) }
      }
    }
  }

  /// Cuts a block before its first slow item, and after each request's worth of them.
  private func pieces(
    of block: Block, _ work: Workspace, _ parser: any RecordParser, _ deferral: Deferral
  ) async throws -> [Block] {
    var text = block.text
    work.list.removeAll()
    parser.parse(&text, count: block.count, into: &work.list)
    work.batch.setItems(text: text, extents: work.list.extents)
    try await deferral.local.ask(&work.batch)
    var cuts: [(offset: Int, place: Int)] = []
    var slow = 0
    for (place, decision) in work.batch.decisions.enumerated() {
      if let decision, deferral.local.isFinal(decision) { continue }
      if slow == 0 { cuts.append((Int(work.list.records[place].start), place)) }
      slow = (slow + 1) % deferral.items
    }
    var pieces: [Block] = []
    var (start, first) = (0, 0)
    for (end, place) in cuts + [(block.count, 0)] {
      if end > start {
        let bytes = Array(block.text[start..<end]) + [UInt8](repeating: 0, count: Batch.padding)
        var piece = Block(text: bytes, count: end - start)
        piece.preceding = (max(0, first - LanguageModelStrategy.mostNeighbors)..<first).map { work.batch.item($0) }
        pieces.append(piece)
      }
      (start, first) = (end, place)
    }
    return pieces
  }

  /// Cuts a block into records, decides them and writes the results to the workspace's output.
  private static func decide(
    _ block: consuming Block, _ work: Workspace, _ parser: any RecordParser, _ categorizer: Categorizer,
    _ presenter: (any Presenter)?
  ) async throws {
    var text = block.text
    let preceding = block.preceding
    work.inputCount = block.count
    work.list.removeAll()
    parser.parse(&text, count: block.count, into: &work.list)
    work.batch.setItems(text: text, extents: work.list.extents)
    work.batch.preceding = preceding
    do {
      try await categorizer.ask(&work.batch)
    } catch is CancellationError {
      try Interruption.check()
      throw CancellationError()
    }
    work.output.removeAll()
    presenter?.present(work, work.output)
  }

  private mutating func finish(_ work: Workspace) throws {
    for (place, fault) in work.list.faults.sorted(by: { $0.key < $1.key }) {
      diagnostics.error("\(self.place(position.line + fault.line, record: position.records + place))\(fault.message)")
    }
    position.line += work.list.lineCount
    position.records += work.list.records.count
    try output.write(work.output)
    try onResult(work)
  }

  /// Takes in what is no block: the start of an input, or part of an oversized record.
  private mutating func take(_ piece: Piece, _ reader: inout BlockReader) throws {
    switch piece {
    case .input(let name, let header, let lines):
      let shown = name == "-" ? "standard input" : name
      position = Position(input: shown, line: lines)
      do {
        reader.parser = try setup.parser(for: header, of: shown)
        if hasBegun { try checkHeader(header, of: shown) }
      } catch let error as CommandFailure {
        failures += 1
        diagnostics.error(error.description)
        skipInput(&reader)
        return
      }
      if !hasBegun {
        (hasBegun, firstHeader) = (true, header)
        if let remark = setup.remark(on: header, of: shown) { diagnostics.error(remark) }
        try output.begin(makePresenter(header))
      }
    case .oversized(let part):
      if part.isFirst {
        oversizedFault = "record longer than \(BlockReader.capacity / 1024) KiB; not categorized"
        if let lines = part.linesBeforeQuote {
          oversizedFault += "; check that the quote opened on line \(position.line + lines + 1) is closed"
        }
        diagnostics.error("\(place(position.line + part.linesBefore, record: position.records))\(oversizedFault)")
      }
      try output.write(part, fault: oversizedFault)
      if part.isFirst { oversizedStart = Array(part.bytes.prefix(120)) }
      if part.isLast {
        position.line += part.lines
        position.records += 1
        try onOversized(String(decoding: oversizedStart ?? [], as: UTF8.self) + "…")
        oversizedStart = nil
      }
    case .block, .starved: break
    }
  }

  /// Passes over the rest of an input whose header was refused, also where some of it was read ahead.
  private mutating func skipInput(_ reader: inout BlockReader) {
    readAhead = readAhead.drop { step in
      switch step {
      case .success(.input), .failure: false
      case .success: true
      }
    }
    if readAhead.isEmpty { reader.skipInput() }
  }

  /// Where a record stands, both counted from 0. An array may lie in one line, so that its elements are counted too.
  private func place(_ line: Int, record: Int) -> String {
    "\(position.input):\(line + 1): " + (setup.format == .json ? "element \(record + 1): " : "")
  }

  /// Refuses a table whose rows do not go together with those of the first one.
  private func checkHeader(_ header: Header?, of input: String) throws(CommandFailure) {
    guard setup.hasHeader else {
      if let header, let firstHeader, header.columns.count != firstHeader.columns.count {
        throw CommandFailure(
          description: "\(input):1: the first row has \(header.columns.count) fields, but that of the first file "
            + "\(firstHeader.columns.count); categorize this file separately")
      }
      return
    }
    if header?.bytes != firstHeader?.bytes {
      throw CommandFailure(
        description: "\(input):1: the header differs from that of the first file; categorize this file separately")
    }
  }
}
