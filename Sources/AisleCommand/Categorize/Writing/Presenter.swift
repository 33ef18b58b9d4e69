import AisleCore

/// How results are written.
enum OutputFormat: String, CaseIterable, Sendable {
  case tsv, jsonl, csv, list
}

/// What a worker did with one block: the batch with its decisions, the records they came from, and the output.
///
/// Unchecked, since a workspace is only ever in one task's hands: the pool hands it out and gets it back.
final class Workspace: @unchecked Sendable {
  var batch: Batch
  var list = RecordList()
  let output = OutputBuffer()
  /// Where the block's input ends in the batch's text; decoded items follow.
  var inputCount = 0
  /// The block's place in the order of blocks.
  var order = 0

  init(taxonomy: Taxonomy) { batch = Batch(taxonomy: taxonomy) }

  /// A record as it was written, without its line end.
  func record(_ index: Int) -> ArraySlice<UInt8> {
    let record = list.records[index]
    return batch.text[Int(record.start)..<Int(record.start) + Int(record.length)]
  }

  /// A record's item, and of one that has none the record.
  func item(_ index: Int) -> ArraySlice<UInt8> { list.faults[index] == nil ? batch.bytes(index) : record(index) }
}

/// Writes a block's results.
protocol Presenter: Sendable {
  /// What comes before all records.
  func begin(_ output: OutputBuffer)

  /// Writes the records of a workspace, in order, one for each.
  func present(_ work: Workspace, _ output: OutputBuffer)

  /// Writes part of a record that was too long to categorize.
  func presentOversized(_ part: OversizedPart, fault: String, _ output: OutputBuffer)

  /// Whether output may stop after the byte at an offset of what was written at once.
  func isRecordEnd(_ offset: Int, in bytes: UnsafeRawBufferPointer) -> Bool
}

extension Presenter {
  func begin(_ output: OutputBuffer) {}

  func isRecordEnd(_ offset: Int, in bytes: UnsafeRawBufferPointer) -> Bool { bytes[offset] == 0x0A }
}
