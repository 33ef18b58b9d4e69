/// Writes weights as the text of a model.
enum ModelText {
  static func write(_ shelves: [String], _ weights: KeptWeights, _ numbers: FeatureNumbers, _ line: OddsLine) -> [UInt8] {
    let table = SlotTable(shelfCount: shelves.count)
    let scale = scale(weights.all, table.stepCount / 2)
    var text = Array("\(ShelfModel.magic)\n\(SlotTable.lineCount) \(shelves.count)\n".utf8)
    text += Array("\(scale) \(line.slope) \(line.offset)\n".utf8)
    for shelf in shelves { text += Array("\(shelf)\n".utf8) }
    let first = text.count
    text += [UInt8](repeating: SlotTable.blank, count: SlotTable.size + 1)
    text[text.count - 1] = UInt8(ascii: "\n")
    var used = [Int](repeating: 0, count: SlotTable.lineCount)
    for (feature, address) in numbers.addresses.enumerated() {
      let line = Int(address.line)
      let rounded = weights[feature].map { ($0.shelf, steps($0.weight / scale, table.stepCount / 2)) }.filter { $0.1 != 0 }
      for start in stride(from: 0, to: rounded.count, by: SlotTable.weightsPerSlot) {
        let number = line * SlotTable.slotsPerLine + used[line]
        let (mark, slot) = (first + 2 * number, first + SlotTable.slotsStart + number * SlotTable.weightsWidth)
        used[line] += 1
        (text[mark], text[mark + 1]) = (UInt8(truncatingIfNeeded: address.mark), UInt8(truncatingIfNeeded: address.mark >> 8))
        for offset in 0..<SlotTable.weightsPerSlot {
          let place = slot + 2 * offset
          let isThere = start + offset < rounded.count
          (text[place], text[place + 1]) =
            isThere
            ? table.characters(shelf: rounded[start + offset].0, steps: rounded[start + offset].1) : SlotTable.noWeight
        }
      }
    }
    return text
  }

  /// What one step is worth, so that all weights but one in a thousand keep their size.
  private static func scale(_ weights: some Sequence<Float>, _ limit: Int) -> Float {
    let sizes = weights.map(\.magnitude).sorted()
    return max(sizes.isEmpty ? 0 : sizes[sizes.count * 999 / 1000], 1e-6) / Float(limit)
  }

  private static func steps(_ weight: Float, _ limit: Int) -> Int {
    Int(min(max(weight, -Float(limit)), Float(limit)).rounded())
  }
}
