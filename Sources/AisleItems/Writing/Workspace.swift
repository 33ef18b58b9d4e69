package import AisleCore

/// What a worker did with one block: the batch with its decisions, the records they came from, and the output.
///
/// Unchecked, since a workspace is only ever in one task's hands: the pool hands it out and gets it back.
package final class Workspace: @unchecked Sendable {
  package var batch: Batch
  package var list = RecordList()
  package let output = OutputBuffer()
  /// Where the block's input ends in the batch's text; decoded items follow.
  package var inputCount = 0
  /// The block's place in the order of blocks.
  package var order = 0

  package init(taxonomy: Taxonomy) { batch = Batch(taxonomy: taxonomy) }

  /// A record as it was written, without its line end.
  package func record(_ index: Int) -> ArraySlice<UInt8> {
    let record = list.records[index]
    return batch.text[Int(record.start)..<Int(record.start) + Int(record.length)]
  }

  /// A record's item, and of one that has none the record.
  package func item(_ index: Int) -> ArraySlice<UInt8> { list.faults[index] == nil ? batch.bytes(index) : record(index) }
}
