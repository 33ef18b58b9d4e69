import AisleCore
import AisleItems

/// Writes what a presenter makes of records, and what stands before, between, and after them.
struct RecordOutput {
  private let descriptor: Descriptor
  private let isOnTerminal: Bool
  private let buffer = OutputBuffer()
  /// Whether some of a record was handed over.
  private var hasRecords = false

  /// What the records are made into; `nil` until the output begins, and where results are only collected.
  private(set) var presenter: (any Presenter)?

  init(to descriptor: Descriptor) {
    self.descriptor = descriptor
    isOnTerminal = descriptor.isTerminal
  }

  /// Writes what comes before all records.
  mutating func begin(_ presenter: (any Presenter)?) throws {
    self.presenter = presenter
    presenter?.begin(buffer)
    try flush()
  }

  /// Writes whole records.
  mutating func write(_ records: OutputBuffer) throws {
    guard let presenter else { return }
    join(records)
    if isOnTerminal { records.makeVisible() }
    let bytes = records.bytes
    try descriptor.write(bytes) { offset in
      if let finder = presenter as? any RecordEndFinder { return finder.recordEnd(from: offset, in: bytes) }
      var end = offset
      while end < bytes.count, !presenter.isRecordEnd(end - 1, in: bytes) { end += 1 }
      return end
    }
  }

  /// Writes part of a record that is too long.
  mutating func write(_ part: OversizedPart, fault: String) throws {
    presenter?.presentOversized(part, fault: fault, buffer)
    join(buffer)
    try flush()
  }

  /// Writes what comes after all records.
  func end() throws {
    presenter?.end(buffer, isEmpty: !hasRecords)
    try flush()
  }

  /// Ends what an interruption, or an index that changed, cut: only whole records are out, in a text that is whole.
  ///
  /// - Parameter isWithinRecord: Whether part of a record that is too long is out.
  mutating func endEarly(isWithinRecord: Bool) {
    buffer.removeAll()
    if isWithinRecord {
      presenter?.presentOversized(OversizedPart(bytes: [], isFirst: false, isLast: true), fault: "interrupted", buffer)
    }
    presenter?.end(buffer, isEmpty: !hasRecords)
    descriptor.finish(buffer.bytes)
  }

  /// Takes away the separator before the first record of all.
  private mutating func join(_ records: OutputBuffer) {
    guard !hasRecords, records.count > 0 else { return }
    hasRecords = true
    records.removeFirst(presenter?.separator.utf8CodeUnitCount ?? 0)
  }

  /// Writes what is no whole number of records, all or nothing.
  private func flush() throws {
    if isOnTerminal { buffer.makeVisible() }
    let bytes = buffer.bytes
    try descriptor.write(bytes) { _ in bytes.count }
    buffer.removeAll()
  }
}
