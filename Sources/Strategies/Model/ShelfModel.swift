public import AisleCore

/// A trained linear classifier of items into shelves.
///
/// Each feature of an item has weights for the few shelves that it favors or disfavors most; the sum for a shelf gives its share. A
/// model is a text, so that it can be compiled in and compared byte by byte: header lines, the weights in the layout of `SlotTable`,
/// and the `ModelSeal`.
public struct ShelfModel: Sendable {
  /// The first line of every model.
  static let magic = "aisle-model 3"
  /// The shelf of what is no good of any shelf: errands, remarks, gifts.
  static let nothing = "none"

  /// The shelves that it knows, by name.
  public let shelves: [String]
  /// The marks of the table's slots, and their weights.
  let marks: FlatTable<UInt8>
  let weights: FlatTable<SlotTable.Weight>
  /// How many lines the table has.
  let lineCount: Int
  /// What a step of a weight is worth.
  let scale: Float
  /// The confidence for each thousandth of a share.
  private let confidences: [Float]

  /// Why a text is not a model.
  public struct Fault: Error, Sendable, CustomStringConvertible {
    /// The line, from 1.
    public let line: Int
    /// What is wrong and what to do.
    public let description: String
  }

  /// Reads a model.
  ///
  /// - Complexity: O(size), a millisecond or two.
  /// - Throws: `Fault`.
  public init(_ text: FlatTable<UInt8>) throws(Fault) { try self.init(text, isSealed: true) }

  /// - Parameter isSealed: `false` for a text that is known to be as it was written, and has no seal.
  init(_ text: FlatTable<UInt8>, isSealed: Bool) throws(Fault) {
    var reader = HeaderReader(text)
    guard try reader.line("the name of the format") == Self.magic else {
      throw Fault(line: 1, description: "not a model of this version; train one with `aisle train`")
    }
    if isSealed, !ModelSeal.holds(text.elements) {
      throw Fault(
        line: text.elements.count(where: { $0 == UInt8(ascii: "\n") }),
        description:
          "the checksum is wrong: the file is damaged or was edited; train it again with `aisle train`")
    }
    let sizes = try reader.numbers("two sizes", count: 2)
    guard (1...Float(SlotTable.maximumLineCount)).contains(sizes[0]), (1...Float(SlotTable.maximumShelfCount)).contains(sizes[1])
    else {
      throw Fault(line: reader.number, description: "the model is from another version; train it again with `aisle train`")
    }
    let numbers = try reader.numbers("three numbers", count: 3)
    scale = max(numbers[0], 1e-6)
    confidences = (0...1000).map { Self.confidence(Float($0) / 1000, slope: numbers[1], offset: numbers[2]) }
    var shelves: [String] = []
    for _ in 0..<Int(sizes[1]) { shelves.append(try reader.line("a shelf")) }
    lineCount = Int(sizes[0])
    let table = SlotTable(shelfCount: shelves.count, lineCount: lineCount)
    let rest = text.count - reader.place
    guard isSealed ? rest == table.size + 1 + ModelSeal.size : rest >= table.size else {
      throw Fault(
        line: reader.number + 1, description: "the weights are cut off, or too many; train the model again with `aisle train`")
    }
    let marks = UnsafeBufferPointer(rebasing: text.elements[reader.place..<reader.place + table.slotsStart])
    let slots = UnsafeBufferPointer(
      rebasing: text.elements[reader.place + table.slotsStart..<reader.place + table.size])
    self.marks = FlatTable(ContiguousArray(marks))
    weights = FlatTable(table.weights(slots, shelfCount: shelves.count))
    self.shelves = shelves
  }

  /// A model that knows nothing, so that every item is left undecided.
  static let empty = ShelfModel()

  private init() {
    (marks, weights, shelves) = (FlatTable([]), FlatTable([]), [])
    (lineCount, scale, confidences) = (1, 0, [])
  }

  /// How likely a section with this share, in 0…1, is right.
  func confidence(_ share: Float) -> Float { confidences[Int(share * 1000 + 0.5)] }

  /// A line through the logarithm of a share's odds, fitted on goods that were left out of training.
  private static func confidence(_ share: Float, slope: Float, offset: Float) -> Float {
    min(1 / (1 + Exponential.of(-(slope * OddsLine.logOdds(share) + offset))), 0.99)
  }
}

/// Reads the lines before the weights.
private struct HeaderReader {
  private let text: UnsafeBufferPointer<UInt8>
  /// Where the next line begins, and after the last one the weights.
  private(set) var place = 0
  private(set) var number = 0

  init(_ text: FlatTable<UInt8>) { self.text = text.elements }

  mutating func line(_ what: String) throws(ShelfModel.Fault) -> String {
    number += 1
    var end = place
    while end < text.count, end - place < 4096, text[end] != UInt8(ascii: "\n") { end += 1 }
    guard end < text.count, text[end] == UInt8(ascii: "\n") else {
      throw ShelfModel.Fault(line: number, description: "\(what) expected here; train a model with `aisle train`")
    }
    defer { place = end + 1 }
    return String(decoding: text[place..<end], as: UTF8.self)
  }

  mutating func numbers(_ what: String, count: Int) throws(ShelfModel.Fault) -> [Float] {
    let numbers = try line(what).split(separator: " ").compactMap { Float($0) }
    guard numbers.count == count, numbers.allSatisfy(\.isFinite) else {
      throw ShelfModel.Fault(line: number, description: "\(what) expected here; train a model with `aisle train`")
    }
    return numbers
  }
}
