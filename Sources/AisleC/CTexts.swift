/// Texts as C reads them: each ends in a zero byte, and stays where it is as long as the list does.
final class CTexts: Sendable {
  /// How many there are.
  let count: Int
  // Nothing writes to them once they are made.
  nonisolated(unsafe) private let texts: UnsafeMutablePointer<UnsafeMutablePointer<CChar>>

  init(_ texts: [String]) {
    count = texts.count
    self.texts = .allocate(capacity: max(count, 1))
    for (place, text) in texts.enumerated() {
      let bytes = text.utf8CString
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
      bytes.withUnsafeBufferPointer { bytes in
        if let base = bytes.baseAddress { copy.initialize(from: base, count: bytes.count) }
      }
      (self.texts + place).initialize(to: copy)
    }
  }

  deinit {
    for place in 0..<count { texts[place].deallocate() }
    texts.deallocate()
  }

  /// The text at a place; `nil` where there is none.
  subscript(place: Int32) -> UnsafePointer<CChar>? {
    place >= 0 && Int(place) < count ? UnsafePointer(texts[Int(place)]) : nil
  }
}
