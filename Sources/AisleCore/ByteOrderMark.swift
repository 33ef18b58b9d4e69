/// The mark with which some programs begin a text in UTF-8. It is not part of the text.
package enum ByteOrderMark {
  /// Its three bytes.
  package static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// How many bytes of a text are the mark that it begins with: 3 or 0.
  @inlinable @inline(__always)
  package static func length(in text: some Sequence<UInt8>) -> Int {
    var text = text.makeIterator()
    return text.next() == 0xEF && text.next() == 0xBB && text.next() == 0xBF ? 3 : 0
  }
}
