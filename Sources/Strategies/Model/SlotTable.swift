/// The weights of features: lines of eight slots.
///
/// A feature's hash says its line and its mark. A line has the marks of its slots, two characters each, and then the slots: three
/// weights of two characters each. A feature with more weights has several slots. What no slot of its line is marked with, the table
/// does not know.
///
/// Of a weight's two characters the first says in which group its shelf is, the second which of the group's shelves and how many steps
/// the weight has, up or down; `~` there is no weight. All characters are from `$` to `~`, which need no escape in a Swift string.
struct SlotTable: Sendable {
  static let (slotsPerLine, weightsPerSlot) = (8, 3)
  /// How wide the marks of a line and the weights of a slot are.
  static let (marksWidth, weightsWidth) = (2 * slotsPerLine, 2 * weightsPerSlot)
  static let lineWidth = marksWidth + slotsPerLine * weightsWidth
  /// How many lines there are, so that a model has less than two million bytes.
  static let lineCount = 31_000
  /// The first of the characters, and how many there are.
  static let firstCharacter = UInt8(ascii: "$")
  static let characterCount = 91
  /// What an empty slot is marked with.
  static let blank = UInt8(ascii: " ")
  /// How many values the second character of a weight has, but that of no weight.
  private static let valueCount = 90
  /// The most shelves that weights of six steps can tell apart.
  static let maximumShelfCount = characterCount * valueCount / 6

  /// How many shelves a group has.
  let groupSize: Int
  /// How many different steps a weight can have: half of them up, half down.
  let stepCount: Int
  /// How many sums are needed for all shelves that characters can name.
  var sumCount: Int { groupSize * 256 }

  init(shelfCount: Int) {
    groupSize = max((shelfCount + Self.characterCount - 1) / Self.characterCount, 1)
    stepCount = Self.valueCount / groupSize / 2 * 2
  }

  /// Where the slots of a feature are.
  struct Address: Hashable {
    let line: UInt32
    /// The two characters of the mark, the first in the low byte.
    let mark: UInt16

    /// The address of a feature by its hash.
    @inline(__always)
    init(_ hash: UInt64) {
      var hash = hash &* 0xFF51_AFD7_ED55_8CCD
      hash ^= hash &>> 33
      hash = hash &* 0xC4CE_B9FE_1A85_EC53
      line = UInt32(truncatingIfNeeded: ((hash &>> 32) &* UInt64(SlotTable.lineCount)) &>> 32)
      let first = ((hash & 0xFFFF) &* UInt64(SlotTable.characterCount)) &>> 16
      let second = ((hash &>> 16 & 0xFFFF) &* UInt64(SlotTable.characterCount)) &>> 16
      let zero = UInt64(SlotTable.firstCharacter)
      mark = UInt16(truncatingIfNeeded: (first &+ zero) | (second &+ zero) &<< 8)
    }
  }

  /// What the second character of a weight means, by its byte: the weight's steps times 16, and the shelf's place in its group.
  func meanings() -> [Int16] {
    (0..<256).map { byte in
      let value = byte - Int(Self.firstCharacter)
      guard value >= 0, value < groupSize * stepCount else { return 0 }
      let step = value % stepCount - stepCount / 2
      return Int16((step < 0 ? step : step + 1) * 16 + value / stepCount)
    }
  }

  /// The two characters of a weight of -`stepCount`/2…`stepCount`/2 steps, not 0, for a shelf.
  func characters(shelf: Int, steps: Int) -> (UInt8, UInt8) {
    let value = shelf % groupSize * stepCount + steps + stepCount / 2 - (steps > 0 ? 1 : 0)
    return (Self.firstCharacter + UInt8(shelf / groupSize), Self.firstCharacter + UInt8(value))
  }

  /// The characters of no weight.
  static let noWeight = (firstCharacter, UInt8(ascii: "~"))
}
