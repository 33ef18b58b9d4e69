/// The weights of features, in lines of eight slots.
///
/// A feature's hash says its line and its mark. First come the marks of all slots, two characters each; what no slot of its line is
/// marked with, the table does not know. Then come the slots: three weights of two characters each. A feature with more weights has
/// several slots.
///
/// Of a weight's two characters the first says in which group its shelf is, the second which of the group's shelves and how many steps
/// the weight has, up or down; `~` there is no weight. All characters are from `$` to `~`, which need no escape in a Swift string.
struct SlotTable: Sendable {
  static var slotsPerLine: Int { 8 }
  static var weightsPerSlot: Int { 3 }
  /// The most slots that a feature has.
  static var slotsPerFeature: Int { 3 }
  /// How wide the marks of a line are.
  static var marksWidth: Int { 2 * slotsPerLine }
  /// How wide the weights of a slot are.
  static var weightsWidth: Int { 2 * weightsPerSlot }
  /// The most lines. Twice as many say little more, and do not fit into the second cache of most processors.
  static let maximumLineCount = 15_500
  /// The first of the characters, and how many there are.
  static var firstCharacter: UInt8 { UInt8(ascii: "$") }
  static var characterCount: Int { 91 }
  /// What an empty slot is marked with.
  static let blank = UInt8(ascii: " ")
  /// How many values the second character of a weight has, but that of no weight.
  private static let valueCount = 90
  /// The most shelves that weights of six steps can tell apart.
  static let maximumShelfCount = characterCount * valueCount / 6

  /// How many shelves a group has.
  let groupSize: Int
  /// How many different steps a weight can have, at most 30: half of them up, half down.
  let stepCount: Int
  /// How many lines there are.
  let lineCount: Int

  init(shelfCount: Int, lineCount: Int) {
    self.lineCount = lineCount
    groupSize = max((shelfCount + Self.characterCount - 1) / Self.characterCount, 1)
    stepCount = min(Self.valueCount / groupSize / 2 * 2, 30)
  }

  /// How long the table is, and where its slots begin.
  var size: Int { slotsStart + lineCount * Self.slotsPerLine * Self.weightsWidth }
  var slotsStart: Int { lineCount * Self.marksWidth }

  /// Where the slots of a feature are.
  struct Address: Hashable {
    let line: UInt32
    /// The two characters of the mark, the first in the low byte.
    let mark: UInt16

    /// The address of a feature by its hash, whose bits are all alike good, in a table of so many lines.
    @inline(__always)
    init(_ hash: UInt64, lineCount: UInt64) {
      line = UInt32(truncatingIfNeeded: ((hash &>> 32) &* lineCount) &>> 32)
      let first = ((hash & 0xFFFF) &* UInt64(SlotTable.characterCount)) &>> 16
      let second = ((hash &>> 16 & 0xFFFF) &* UInt64(SlotTable.characterCount)) &>> 16
      let zero = UInt64(SlotTable.firstCharacter)
      mark = UInt16(truncatingIfNeeded: (first &+ zero) | (second &+ zero) &<< 8)
    }
  }

  /// The slots of a line that are a feature's, and after them how many they are.
  typealias Selection = SIMD4<UInt32>

  /// The selection for each pattern of marks: bit 2n is the mark of slot n, bit 2n + 1 that of slot n + 4.
  static func selections() -> ContiguousArray<Selection> {
    ContiguousArray(
      (0..<1 << slotsPerLine).map { pattern in
        var selection = Selection()
        var count = 0
        for bit in 0..<slotsPerLine where pattern >> bit & 1 == 1 && count < slotsPerFeature {
          selection[count] = UInt32(bit / 2 + bit % 2 * 4)
          count += 1
        }
        selection[slotsPerFeature] = UInt32(count)
        return selection
      })
  }

  /// A weight as it is summed: the shelf in the low eleven bits, above them the steps.
  struct Weight {
    let bits: UInt16

    init(shelf: Int, steps: Int) { bits = UInt16(shelf) | UInt16(truncatingIfNeeded: steps << 11) }

    @inline(__always)
    init(bits: UInt16) { self.bits = bits }

    @inline(__always)
    var shelf: Int { Int(bits & 0x7FF) }
    @inline(__always)
    var steps: Int16 { Int16(bitPattern: bits) &>> 11 }
  }

  /// The weights that characters say; pairs that say none are of 0 steps.
  func weights(_ characters: UnsafeBufferPointer<UInt8>, shelfCount: Int) -> ContiguousArray<Weight> {
    // What the second character means: the place of the shelf in its group, and the steps.
    let meanings = (0..<256).map { byte -> (place: Int, steps: Int) in
      let value = byte - Int(Self.firstCharacter)
      guard value >= 0, value < groupSize * stepCount else { return (0, 0) }
      let step = value % stepCount - stepCount / 2
      return (value / stepCount, step < 0 ? step : step + 1)
    }
    return ContiguousArray(unsafeUninitializedCapacity: characters.count / 2) { weights, count in
      for place in 0..<characters.count / 2 {
        let meaning = meanings[Int(characters[2 * place + 1])]
        let shelf = (Int(characters[2 * place]) - Int(Self.firstCharacter)) * groupSize + meaning.place
        weights[place] = 0..<shelfCount ~= shelf ? Weight(shelf: shelf, steps: meaning.steps) : Weight(bits: 0)
      }
      count = characters.count / 2
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
