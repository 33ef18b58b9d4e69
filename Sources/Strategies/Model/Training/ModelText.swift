/// Writes rounded weights as the text of a model.
enum ModelText {
  static func write(_ shelves: [String], _ weights: KeptWeights, _ numbers: FeatureNumbers, _ line: OddsLine) -> [UInt8] {
    let table = SlotTable(shelfCount: shelves.count, lineCount: numbers.lineCount)
    var text = Array("\(ShelfModel.magic)\n\(table.lineCount) \(shelves.count)\n".utf8)
    text += Array("\(weights.step) \(line.slope) \(line.offset)\n".utf8)
    for shelf in shelves { text += Array("\(shelf)\n".utf8) }
    let first = text.count
    text += [UInt8](repeating: SlotTable.blank, count: table.size + 1)
    text[text.count - 1] = UInt8(ascii: "\n")
    var used = [Int](repeating: 0, count: table.lineCount)
    for (feature, address) in numbers.addresses.enumerated() {
      let line = Int(address.line)
      let rounded = weights[feature].map { ($0.shelf, Int(weights.steps($0.weight))) }.filter { $0.1 != 0 }
      for start in stride(from: 0, to: rounded.count, by: SlotTable.weightsPerSlot) {
        let number = line * SlotTable.slotsPerLine + used[line]
        let (mark, slot) = (first + 2 * number, first + table.slotsStart + number * SlotTable.weightsWidth)
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
    return text + Array(text.withUnsafeBufferPointer { ModelSeal.line($0) }.utf8)
  }
}
