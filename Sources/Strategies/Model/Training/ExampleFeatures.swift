import AisleCore

/// Numbers features from 0, in the order they were first seen.
struct FeatureNumbers {
  private var numbers: [SlotTable.Address: UInt32] = [:]
  /// Each feature's address.
  private(set) var addresses: [SlotTable.Address] = []
  var count: Int { addresses.count }
  /// How many lines the table has that the addresses are in.
  let lineCount: Int

  init(lineCount: Int) { self.lineCount = lineCount }

  /// Numbers the words that so many items have.
  init(words items: some Sequence<String>, leastMentions: Int, lineCount: Int) {
    self.init(lineCount: lineCount)
    var mentions: [SlotTable.Address: Int] = [:]
    let reader = FeatureReader()
    for item in items {
      reader.read(item) { hash, kind in
        guard kind == .word else { return true }
        let address = address(of: hash)
        mentions[address, default: 0] += 1
        if mentions[address] == leastMentions { add(address) }
        return true
      }
    }
  }

  func address(of hash: UInt64) -> SlotTable.Address { SlotTable.Address(hash, lineCount: UInt64(lineCount)) }

  func number(of address: SlotTable.Address) -> UInt32? { numbers[address] }

  /// The number of a feature, a new one if it has none.
  @discardableResult
  mutating func add(_ address: SlotTable.Address) -> UInt32 {
    if let number = numbers[address] { return number }
    let number = UInt32(addresses.count)
    numbers[address] = number
    addresses.append(address)
    return number
  }
}

/// The features of examples, one example's after the other's.
struct ExampleFeatures {
  private var features: [UInt32] = []
  private var starts: [Int] = [0]

  subscript(example: Int) -> ArraySlice<UInt32> { features[starts[example]..<starts[example + 1]] }

  /// Reads the examples' features.
  ///
  /// - Parameters:
  ///   - isAdding: Whether features without a number, other than words, get one; else they are left out, as are those that only composed
  ///     items have, since most of their pairs of words nobody ever writes.
  ///   - isHidden: Says of each word in turn whether it is taken for unknown.
  init(
    _ examples: [ModelTrainer.Example], _ numbers: inout FeatureNumbers, isAdding: Bool, isHidden: () -> Bool = { false }
  ) {
    let reader = FeatureReader()
    starts.reserveCapacity(examples.count + 1)
    for example in examples {
      reader.read(example.item) { hash, kind in
        if kind == .word && isHidden() { return false }
        let address = numbers.address(of: hash)
        let isNew = isAdding && kind != .word && example.origin != .composed
        guard let number = isNew ? numbers.add(address) : numbers.number(of: address) else { return false }
        features.append(number)
        return true
      }
      starts.append(features.count)
    }
  }

  /// Reads the examples twice: as they are, and with a share of their words taken for unknown, so that parts of words are learned from
  /// all words.
  static func readings(
    _ examples: [ModelTrainer.Example], _ numbers: inout FeatureNumbers, isAdding: Bool, hiding share: Float,
    using generator: inout SeededGenerator
  ) -> [ExampleFeatures] {
    let plain = ExampleFeatures(examples, &numbers, isAdding: isAdding)
    let hidden = ExampleFeatures(examples, &numbers, isAdding: isAdding) { Float.random(in: 0..<1, using: &generator) < share }
    return [plain, hidden]
  }
}

extension FeatureReader {
  /// Reads a text.
  func read(_ item: String, _ take: (UInt64, Kind) -> Bool) {
    var bytes = Array(item.utf8)
    let length = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: Batch.padding))
    bytes.withUnsafeBufferPointer { bytes in
      if let start = bytes.baseAddress { _ = read(start, count: length, take) }
    }
  }
}
