import AisleCore
@testable import AisleEvaluation
import AisleFiles
import Foundation
import Testing

@Suite("A baseline larger than what is read at a time")
struct LargeBaselineTests {
  private func baseline(longest: Int = 0) -> Baseline {
    let long = ScriptedStore.answer(String(repeating: "n", count: longest), ["Alpha"], "Alpha")
    let answers = (0..<10_000).map { place in
      ScriptedStore.answer("item \"\(place * 7919 % 10_000)\" é", ["Alpha", "Beta"], place % 3 == 0 ? "Gamma" : "Beta")
    }
    return ScriptedStore.baseline(answers + (longest > 0 ? [long] : []))
  }

  private func reading(_ text: [UInt8], _ check: (String) throws -> Void) throws {
    let path = NSTemporaryDirectory() + "/baseline-\(UUID().uuidString).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(text).write(to: URL(fileURLWithPath: path))
    try check(path)
  }

  @Test(
    "It is read as it was written, also with an answer longer than that",
    arguments: [0, FileWindow.sight + 1, 2 * FileWindow.size])
  func large(longest: Int) throws {
    let baseline = baseline(longest: longest)
    let bytes = BaselineFile.write(baseline)
    #expect(bytes.count > FileWindow.size)
    try reading(bytes) { path in
      let again = try BaselineFile.read(path)
      #expect(again.header == baseline.header)
      #expect(again.answers.elementsEqual(baseline.answers))
    }
  }

  @Test("It is read however it is laid out")
  func otherLayout() throws {
    let baseline = baseline()
    let object = try JSONSerialization.jsonObject(with: Data(BaselineFile.write(baseline)))
    for options in [[], [.prettyPrinted, .sortedKeys]] as [JSONSerialization.WritingOptions] {
      let text = [UInt8](try JSONSerialization.data(withJSONObject: object, options: options))
      try reading(text) { path in
        let again = try BaselineFile.read(path)
        #expect(again.answers.elementsEqual(baseline.answers))
      }
    }
  }

  @Test("A fault far into it is told with its line")
  func fault() throws {
    var text = BaselineFile.write(baseline())
    let lines = text.split(separator: 0x0A)
    text = Array(lines.dropLast(3).joined(separator: [0x0A])) + Array("\n    {\"item\": 7}]}".utf8)
    try reading(text) { path in
      let error = #expect(throws: Finding.self) { try BaselineFile.read(path) }
      #expect(error?.location == SourceLocation(path: path, line: lines.count - 2, column: 14))
      #expect(error?.message.hasSuffix("expected a string in double quotes") == true)
    }
  }

  @Test("Items are in the order of their bytes, whatever they share", arguments: [1, 2, 3])
  func order(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let items = (0..<4000).map { _ -> [UInt8] in
      let shared = Array("the same words in all of them".utf8.prefix(Int.random(in: 0...29, using: &random)))
      return shared + (0..<Int.random(in: 0...10, using: &random)).map { _ in UInt8.random(in: 0...2, using: &random) }
    }
    var (bytes, extents) = ([UInt8](), [Batch.Extent]())
    for item in items {
      extents.append(Batch.Extent(start: UInt32(bytes.count), length: UInt32(item.count)))
      bytes += item
    }
    let ranks = items.map { _ in UInt32.random(in: 0...3, using: &random) }
    let order = ItemOrder.sorted(extents, in: bytes, ranks: ranks)
    let expected = items.indices.sorted { left, right in
      items[left] == items[right]
        ? (ranks[left], left) < (ranks[right], right) : items[left].lexicographicallyPrecedes(items[right])
    }
    #expect(order?.map(Int.init) == expected, "seed \(seed)")
    let sorted = expected.map { extents[$0] }
    #expect(ItemOrder.sorted(sorted, in: bytes, ranks: expected.map { ranks[$0] }) == nil, "seed \(seed)")
  }
}
