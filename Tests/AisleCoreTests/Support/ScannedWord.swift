import AisleCore

/// A word as `Words` found it, in plain values.
struct ScannedWord: Equatable, CustomStringConvertible {
  var folded: [UInt8]
  var span: Range<Int>
  var segment: Int
  var key: UInt64
  var marks: Words.Marks

  var description: String { "\(String(decoding: folded, as: UTF8.self)) \(span) #\(segment)" }
}

extension Words {
  /// Scans bytes and gives the words; `trailing` is what lies behind the item in memory.
  func words(in item: [UInt8], trailing: [UInt8] = []) -> [ScannedWord] {
    let padding = trailing + [UInt8](repeating: 0, count: max(Batch.padding - trailing.count, 0))
    return (item + padding).withUnsafeBufferPointer { buffer -> [ScannedWord] in
      guard let base = buffer.baseAddress else { return [] }
      scan(base, count: item.count)
      return (0..<count).map { word in
        let folded = (Int(bounds[2 * word])..<Int(bounds[2 * word + 1])).map {
          text[$0] &- 0x41 < 26 ? text[$0] | 0x20 : text[$0]
        }
        return ScannedWord(
          folded: folded, span: span(first: word, last: word), segment: hasBreaks ? Int(segments[word]) : 0, key: keys[word],
          marks: marks[word])
      }
    }
  }

  func words(in item: String) -> [ScannedWord] { words(in: Array(item.utf8)) }

  /// The key that a text of one word has.
  func key(_ word: String) -> UInt64 { key(ofWord: Array(word.utf8)) }
}
