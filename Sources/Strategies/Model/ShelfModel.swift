public import AisleCore

/// A linear classifier of items into shelves, as training leaves it.
///
/// The weights of a feature are a row of `width` numbers; an item's rows are averaged, and the average is weighed once more for each
/// shelf. A model is a text, so that it can be compiled in, mapped from a file, and compared byte by byte: a header of lines, then one
/// character a weight.
///
/// - Source: the arrangement is that of Joulin, Grave, Bojanowski and Mikolov, "Bag of Tricks for Efficient Text Classification",
///   2016.
public struct ShelfModel: Sendable {
  /// How many weights a feature has.
  static let width = 32
  /// How many rows of features there are.
  static let bucketCount = 60_000
  /// The first line of every model.
  static let magic = "aisle-model 1"
  /// The shelf of what is no good of any shelf: errands, remarks, gifts.
  static let nothing = "none"
  /// Weights are the characters `$` to `~`, 0 in the middle: 91 values that need no escape in a Swift string.
  static let lowest = UInt8(ascii: "$")
  static let zero: Int = 81
  static let limit: Int = 45

  /// The shelves that it knows, by name.
  public let shelves: [String]
  private let text: FlatTable<UInt8>
  private let firstRow: Int
  /// One character a weight, `width` a feature; valid as long as the model is.
  var rows: UnsafePointer<UInt8> { text.address + firstRow }
  /// What a step of a row's character is worth.
  let rowScale: Float
  /// For each of the row's weights one weight a shelf, `stride` apart, ready to be summed for all shelves at once.
  let columns: [Float]
  /// What each shelf has before anything is known.
  let bias: [Float]
  /// How far columns lie apart: the number of shelves, rounded up so that no remainder is left.
  let stride: Int
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
    let sizes = try reader.numbers("three sizes", count: 3).map { Int($0) }
    guard sizes[0] == Self.width, sizes[1] == Self.bucketCount, sizes[2] > 0, sizes[2] <= 4096 else {
      throw Fault(line: reader.number, description: "sizes of another version; make a new model with `aisle train`")
    }
    let scales = try reader.numbers("four scales", count: 4)
    (rowScale, slope, offset) = (scales[0], scales[2], scales[3])
    let width = Self.width
    let stride = (sizes[2] + 15) / 16 * 16
    var (shelves, bias, columns): ([String], [Float], [Float]) = (
      [], [Float](repeating: -.greatestFiniteMagnitude, count: stride), [Float](repeating: 0, count: stride * width)
    )
    for shelf in 0..<sizes[2] {
      let parts = try reader.line("a shelf").split(separator: " ")
      guard parts.count == 3, let start = Float(parts[1]), parts[2].utf8.count == width else {
        throw Fault(line: reader.number, description: "a shelf is a name, a number and \(width) weights")
      }
      shelves.append(String(parts[0]))
      bias[shelf] = start
      for (place, byte) in parts[2].utf8.enumerated() {
        columns[place * stride + shelf] = Float(Int(byte) - Self.zero) * scales[1]
      }
    }
    guard text.count - reader.place >= width * Self.bucketCount else {
      throw Fault(line: reader.number + 1, description: "the weights are cut off; make the model anew with `aisle train`")
    }
    (self.text, firstRow) = (text, reader.place)
    (self.shelves, self.bias, self.columns, self.stride) = (shelves, bias, columns, stride)
  }

  /// A model that knows nothing, so that every item is left undecided.
  static let empty = ShelfModel()

  private init() {
    (text, firstRow, shelves) = (FlatTable([]), 0, [])
    (rowScale, columns, bias, stride, slope, offset) = (0, [], [], 0, 1, 0)
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
