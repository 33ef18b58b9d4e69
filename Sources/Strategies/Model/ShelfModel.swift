public import AisleCore

/// A linear classifier of items into shelves, as training leaves it.
///
/// Each feature of an item has weights for a few shelves, those that it speaks for or against most; a shelf's sum makes its share. A
/// model is a text, so that it can be compiled in, mapped from a file, and compared byte by byte: a header of lines, then the weights
/// as `SlotTable` arranges them. Nothing of it is unpacked.
public struct ShelfModel: Sendable {
  /// The first line of every model.
  static let magic = "aisle-model 2"
  /// The shelf of what is no good of any shelf: errands, remarks, gifts.
  static let nothing = "none"

  /// The shelves that it knows, by name.
  public let shelves: [String]
  let table: SlotTable
  private let text: FlatTable<UInt8>
  private let firstLine: Int
  /// The table's lines; valid as long as the model is.
  var lines: UnsafePointer<UInt8> { text.address + firstLine }
  /// What a step of a weight is worth.
  let scale: Float
  /// What makes a confidence of a share: see `confidence`.
  let slope: Float
  let offset: Float

  /// Why a text is no model.
  public struct Fault: Error, Sendable, CustomStringConvertible {
    /// The line, from 1.
    public let line: Int
    /// What is wrong and what to do.
    public let description: String
  }

  /// Reads a model.
  ///
  /// - Complexity: O(header and shelves); the features' weights stay where they are.
  /// - Throws: `Fault`.
  public init(_ text: FlatTable<UInt8>) throws(Fault) {
    var reader = HeaderReader(text)
    guard try reader.line("the name of the format") == Self.magic else {
      throw Fault(line: 1, description: "not a model of this version; make one with `aisle train`")
    }
    let sizes = try reader.numbers("two sizes", count: 2)
    guard sizes[0] == Float(SlotTable.lineCount), (1...Float(SlotTable.maximumShelfCount)).contains(sizes[1]) else {
      throw Fault(line: reader.number, description: "sizes of another version; make a new model with `aisle train`")
    }
    let numbers = try reader.numbers("three numbers", count: 3)
    (scale, slope, offset) = (numbers[0], numbers[1], numbers[2])
    var shelves: [String] = []
    for _ in 0..<Int(sizes[1]) { shelves.append(try reader.line("a shelf")) }
    guard text.count - reader.place >= SlotTable.lineWidth * SlotTable.lineCount else {
      throw Fault(line: reader.number + 1, description: "the weights are cut off; make the model anew with `aisle train`")
    }
    (self.text, firstLine) = (text, reader.place)
    (self.shelves, table) = (shelves, SlotTable(shelfCount: shelves.count))
  }

  /// A model that knows nothing, so that every item is left undecided.
  static let empty = ShelfModel()

  private init() {
    (text, firstLine, shelves, table) = (FlatTable([]), 0, [], SlotTable(shelfCount: 0))
    (scale, slope, offset) = (0, 1, 0)
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
      throw ShelfModel.Fault(line: number, description: "\(what) should stand here; make a model with `aisle train`")
    }
    defer { place = end + 1 }
    return String(decoding: text[place..<end], as: UTF8.self)
  }

  mutating func numbers(_ what: String, count: Int) throws(ShelfModel.Fault) -> [Float] {
    let numbers = try line(what).split(separator: " ").compactMap { Float($0) }
    guard numbers.count == count, numbers.allSatisfy(\.isFinite) else {
      throw ShelfModel.Fault(line: number, description: "\(what) should stand here; make a model with `aisle train`")
    }
    return numbers
  }
}
