internal import CBytes

/// Where words begin and end, and what their keys are.
///
/// There are few branches, since what stands where in an item is not to be foreseen: what a branch would choose is masked instead.
extension Words {
  /// Finds where words begin and end. Answers `false` when the text needs folding first.
  func cut(_ item: UnsafePointer<UInt8>, _ length: Int, isFolded: Bool) -> Bool {
    var (boundCount, breakCount, lastLetter) = (0, 0, UInt64(0))
    var offset = 0
    while offset < length, boundCount < 2 * Words.capacity {
      let remaining = min(length &- offset, 64)
      let kinds = aisle_sort(item + offset, remaining)
      let valid = UInt64.max &>> UInt64(64 &- remaining)
      if !isFolded, kinds.beyond & valid != 0 { return false }
      let letters = (kinds.letters | (isFolded ? kinds.beyond : 0)) & valid
      let others = ~(letters | kinds.blanks) & valid
      guard let breaks = Words.breaks(among: others, item, offset, length, isFolded) else { return false }
      self.breaks[offset &>> 6] = breaks
      breaksBefore[offset &>> 6] = breakCount
      breakCount &+= breaks.nonzeroBitCount
      var edges = letters ^ (letters &<< 1 | lastLetter)
      lastLetter = letters &>> 63
      while edges != 0 {
        // Four at a time; what is written past the last is not counted.
        for _ in 0..<4 {
          bounds[boundCount] = UInt32(truncatingIfNeeded: offset &+ edges.trailingZeroBitCount)
          boundCount &+= Int(truncatingIfNeeded: (edges | (0 &- edges)) &>> 63)  // 1 while there is an edge
          edges &= edges &- 1
        }
      }
      offset &+= 64
    }
    bounds[boundCount] = UInt32(truncatingIfNeeded: length)
    count = min((boundCount &+ 1) / 2, Words.capacity)
    hasBreaks = breakCount > 0
    if hasBreaks { numberSegments() }
    return true
  }

  /// Which of the 64 bytes from an offset on break, given those that belong to no word and are no blank; `nil` where one needs folding.
  @inline(__always)
  private static func breaks(
    among others: UInt64, _ item: UnsafePointer<UInt8>, _ offset: Int, _ length: Int, _ isFolded: Bool
  ) -> UInt64? {
    var (others, breaks, doubtful) = (others, UInt64(0), UInt64(0))
    while others != 0 {
      let bit = others & (0 &- others)
      let byte = item[offset &+ others.trailingZeroBitCount]
      breaks |= bit & (0 &- Separator.breaks(byte))
      doubtful |= bit & (0 &- Separator.isDoubtful(byte))
      others &= others &- 1
    }
    while doubtful != 0 {
      switch Separator.at(offset &+ doubtful.trailingZeroBitCount, of: item, count: length) {
      case .needsFolding where !isFolded: return nil
      case .breaks: breaks |= doubtful & (0 &- doubtful)
      default: break
      }
      doubtful &= doubtful &- 1
    }
    return breaks
  }

  private func numberSegments() {
    for word in 0..<count {
      let start = Int(bounds[2 &* word])
      let before = breaks[start &>> 6] & ((1 &<< UInt64(start & 63)) &- 1)
      segments[word] = UInt8(truncatingIfNeeded: min(breaksBefore[start &>> 6] &+ before.nonzeroBitCount, Words.capacity))
    }
  }

  /// Reads the keys and marks of the words that were found.
  func readKeys(caseBits: UInt64) {
    let text = text
    for word in 0..<count {
      let start = Int(bounds[2 &* word])
      let (key, isPlural) = WordKey.key(text + start, Int(bounds[2 &* word &+ 1]) &- start, caseBits: caseBits)
      keys[word] = key
      let isDigit = text[start].isASCIIDigit
      marks[word] = Marks(rawValue: (isPlural ? 1 : 0) | (isDigit ? 2 : 0))
    }
  }
}
