import AisleCore

/// One JSON object a line; the item is the text of one field.
package struct JSONLineParser: RecordParser {
  private let field: ItemField

  /// Makes a parser.
  ///
  /// - Parameters:
  ///   - field: The field that holds the item; dots lead into objects.
  ///   - added: The fields that the output adds, the section's first; a record must not have them yet.
  package init(field: String, added: [String]) {
    self.field = ItemField(field, added: added)
  }

  package func parse(_ text: inout [UInt8], count: Int, into list: inout RecordList) {
    var lines: [(Int, Int, UInt8)] = []
    text.withUnsafeBufferPointer { bytes in
      if let base = bytes.baseAddress { forEachLine(base, count) { lines.append(($0, $1, $2)) } }
    }
    for (start, end, terminator) in lines {
      let place = list.records.count
      list.records.append(Record(start: UInt32(start), length: UInt32(end - start), terminator: terminator))
      if text[start..<end].allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
        list.blanks.insert(place)
        list.extents.append(Batch.Extent(start: UInt32(start), length: 0))
        continue
      }
      do throws(JSONFault) {
        let item = try text.withUnsafeBufferPointer { bytes throws(JSONFault) in
          // A byte order mark stands at the start of a file, and between files that were put together.
          let mark = ByteOrderMark.length(in: bytes[start..<end])
          var scanner = JSONScanner(UnsafeBufferPointer(rebasing: bytes[start + mark..<end]))
          return try field.text(&scanner)
        }
        list.extents.append(appendDecoded(item, to: &text))
      } catch {
        list.faults[place] = RecordFault(line: place, message: error.message, isSound: error.isSound)
        list.extents.append(Batch.Extent(start: UInt32(start), length: 0))
      }
    }
    list.lineCount = lines.count
  }
}
