import AisleCore
import AisleItems
import Foundation
import Testing

/// An array cut into its elements, compared with Foundation's reader.
@Suite struct JSONArrayParserTests {
  private let parser = JSONArrayParser(field: "item", added: [])

  @Test("The elements and items are those that Foundation reads", arguments: 1...200 as ClosedRange<UInt64>)
  func reference(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let text = Self.array(&random)
    let expected = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Any], "seed \(seed): \(text)")
    let elements = try read(Array(text.utf8))
    try #require(elements.count == expected.count, "seed \(seed): \(text)")
    for (element, value) in zip(elements, expected) {
      let item = value as? String ?? (value as? [String: Any])?["item"] as? String
      #expect(element.item == item, "seed \(seed): \(element.text)")
      let reread = try JSONSerialization.jsonObject(with: Data(element.text.utf8), options: .fragmentsAllowed)
      #expect((reread as? NSObject) == (value as? NSObject), "seed \(seed): \(element.text)")
      if item != nil { #expect(!element.text.contains { $0.isNewline }, "seed \(seed): \(element.text)") }
    }
  }

  @Test("A cut at any byte changes no element", arguments: 1...40 as ClosedRange<UInt64>)
  func cuts(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let text = Array(Self.array(&random, most: 3).utf8)
    let whole = try read(text)
    for cut in 0...text.count {
      // Two reads: what ends in the first one is taken, and the scan goes on in the second.
      let opening = text[..<cut].withUnsafeBufferPointer(JSONArrayParser.opening)
      guard case .array(let length, false) = opening else { continue }
      var scan = RecordScan()
      let first = text[length..<cut].withUnsafeBufferPointer { parser.firstRecordEnd($0, &scan) }
      let end = first ?? text[cut...].withUnsafeBufferPointer { parser.firstRecordEnd($0, &scan) }.map { $0 + cut - length }
      let last = text[length..<cut].withUnsafeBufferPointer { parser.lastRecordEnd($0, limit: .max) }
      let pieces = try parse(Array(text[length..<length + last])) + parse(Array(text[(length + last)...]))
      #expect(pieces.map(\.text) == whole.map(\.text) && pieces.map(\.item) == whole.map(\.item), "seed \(seed), cut at \(cut)")
      #expect(
        end
          == text[length...].withUnsafeBufferPointer { bytes in
            var scan = RecordScan()
            return parser.firstRecordEnd(bytes, &scan)
          }, "seed \(seed), cut at \(cut)")
    }
  }

  @Test("Damage to an array costs no crash, and all of it is told", arguments: 1...200 as ClosedRange<UInt64>)
  func damage(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var text = Array(Self.array(&random).utf8)
    for _ in 0..<3 where !text.isEmpty {
      let place = Int.random(in: 0..<text.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: text.remove(at: place)
      case 1: text[place] = UInt8.random(in: 0...255, using: &random)
      default: text.insert(Array("\"\\{}[],\n".utf8).randomElement(using: &random) ?? 0, at: place)
      }
    }
    let isSound = (try? JSONSerialization.jsonObject(with: Data(text))) is [Any]
    guard let elements = try? read(text) else { return }
    let hasSyntaxFault = elements.contains { $0.fault?.hasPrefix("bad JSON") == true || $0.fault?.contains("missing") == true }
    if isSound { #expect(!hasSyntaxFault, "seed \(seed): \(String(decoding: text, as: UTF8.self))") }
  }

  @Test("The opening is an array's only where it is whole")
  func openings() {
    let cases: [(String, JSONArrayParser.Opening)] = [
      ("", .unfinished), (" \n", .unfinished), ("[", .unfinished), ("[ ", .unfinished), ("\u{FEFF}", .unfinished), ("{", .other),
      ("kale", .other), ("[]", .array(length: 2, isClosed: true)), (" [ ] x", .array(length: 4, isClosed: true)),
      ("\u{FEFF}[\n1", .array(length: 5, isClosed: false)), ("[[", .array(length: 1, isClosed: false)),
    ]
    for (text, opening) in cases {
      #expect(Array(text.utf8).withUnsafeBufferPointer(JSONArrayParser.opening) == opening, "\(text)")
    }
  }

  // MARK: - Support

  private struct Element {
    let text: String
    let item: String?
    let fault: String?
  }

  private struct NoArray: Error {}

  private func read(_ text: [UInt8]) throws -> [Element] {
    guard case .array(let length, let isClosed) = text.withUnsafeBufferPointer(JSONArrayParser.opening) else { throw NoArray() }
    return isClosed ? [] : try parse(Array(text[length...]))
  }

  /// Reads elements as the pipeline does: in blocks of a few.
  private func parse(_ text: [UInt8]) throws -> [Element] {
    var elements: [Element] = []
    var rest = text[...]
    while !rest.isEmpty {
      let end = rest.withUnsafeBufferPointer { parser.lastRecordEnd($0, limit: 3) }
      let count = end == 0 ? rest.count : end
      var block = Array(rest.prefix(count)) + [UInt8](repeating: 0, count: Batch.padding)
      var list = RecordList()
      parser.parse(&block, count: count, into: &list)
      #expect(list.lineCount == rest.prefix(count).count { $0 == 0x0A })
      #expect(list.records.count == list.extents.count)
      for (place, record) in list.records.enumerated() {
        let extent = list.extents[place]
        let fault = list.faults[place]?.message
        let item = block[Int(extent.start)..<Int(extent.start + extent.length)]
        elements.append(
          Element(
            text: String(decoding: block[Int(record.start)..<Int(record.start + record.length)], as: UTF8.self),
            item: fault == nil ? String(decoding: item, as: UTF8.self) : nil, fault: fault))
      }
      rest = rest.dropFirst(count)
      if end > 0, text[rest.startIndex - 1] == UInt8(ascii: "]") { break }
    }
    return elements
  }

  /// A random array whose elements are items and others.
  private static func array(_ random: inout SeededGenerator, most: Int = 12) -> String {
    let count = Int.random(in: 0...most, using: &random)
    let elements = (0..<count).map { _ in
      switch Int.random(in: 0..<4, using: &random) {
      case 0: string(&random)
      case 1: value(&random, depth: 2)
      default: object(&random, members: [("item", string(&random))])
      }
    }
    return blanks(&random) + "[" + elements.map { blanks(&random) + $0 + blanks(&random) }.joined(separator: ",")
      + blanks(&random) + "]"
      + blanks(&random)
  }

  private static func object(_ random: inout SeededGenerator, members: [(String, String)], depth: Int = 2) -> String {
    var members = members
    for number in 0..<Int.random(in: 0...3, using: &random) {
      members.insert(("k\(number)", value(&random, depth: depth - 1)), at: Int.random(in: 0...members.count, using: &random))
    }
    let texts = members.map { "\(blanks(&random))\"\($0.0)\"\(blanks(&random)):\(blanks(&random))\($0.1)\(blanks(&random))" }
    return "{" + texts.joined(separator: ",") + "}"
  }

  private static func value(_ random: inout SeededGenerator, depth: Int) -> String {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
    case 0: string(&random)
    case 1: ["true", "false", "null"].randomElement(using: &random) ?? "null"
    case 2: "\(Int.random(in: -9999...9999, using: &random))"
    case 3: ["0.5", "-1.25e3", "1E-2", "0"].randomElement(using: &random) ?? "0"
    case 4: "\"\""
    case 5: object(&random, members: [], depth: depth)
    default:
      "[" + (0..<Int.random(in: 0...3, using: &random)).map { _ in value(&random, depth: depth - 1) }.joined(separator: ",") + "]"
    }
  }

  private static func string(_ random: inout SeededGenerator) -> String {
    let pieces = [
      "kale", "oat milk", "\\\"", "\\\\", "\\n", "\\u00e9", "\\ud83e\\udd6c", "é", "🥬", "]", "[", "}", "{", ",", ":", "\\/", " ",
    ]
    return "\"" + (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      + "\""
  }

  private static func blanks(_ random: inout SeededGenerator) -> String {
    ["", "", "", " ", "\n", "\r\n  ", "\t"].randomElement(using: &random) ?? ""
  }
}
