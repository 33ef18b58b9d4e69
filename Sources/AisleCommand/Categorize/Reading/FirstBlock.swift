import AisleCore
import AisleItems

/// The beginning of the inputs, up to the first block, read before anything is opened: what the list is in may depend on its words.
struct FirstBlock {
  /// What came next from the inputs, or why it did not.
  typealias Step = Result<Piece, any Error>

  /// The reader, which goes on after the block.
  private(set) var reader: BlockReader
  /// What was read, the block last; without one where there are no items, or the first is too long for a block.
  private(set) var steps: [Step] = []
  /// The items of the block.
  private(set) var items = RecordList()
  /// The bytes that the items are in.
  private(set) var text: [UInt8] = []

  /// Reads up to the first block, or the end.
  ///
  /// - Throws: `Interruption`. What is wrong with an input is one of the steps.
  init(_ reader: BlockReader, _ setup: InputSetup) throws {
    self.reader = reader
    while true {
      do {
        guard let piece = try self.reader.next(reusing: [], mayWait: true) else { return }
        steps.append(.success(piece))
        switch piece {
        case .input(let name, let header, _):
          // What is wrong with its header is said when its turn comes.
          do { self.reader.parser = try setup.parser(for: header, of: name) } catch { self.reader.skipInput() }
        case .block(let block):
          text = block.text
          self.reader.parser.parse(&text, count: block.count, into: &items)
          return
        case .oversized: return
        case .starved: break
        }
      } catch let error where error is StreamError || error is CommandFailure {
        steps.append(.failure(error))
        self.reader.skipInput()
      }
    }
  }
}
