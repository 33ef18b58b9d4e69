import AisleCore
import Testing

@Suite("JSON is scanned")
struct JSONScannerTests {
  private static func scan<Result>(_ text: String, _ body: (inout JSONScanner) throws -> Result) throws -> Result {
    try Array(text.utf8).withUnsafeBufferPointer {
      var scanner = JSONScanner($0)
      return try body(&scanner)
    }
  }

  @Test("A number is the one nearest to what is written", arguments: [1, 2, 3])
  func numbers(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func digits(_ count: Int) -> String { (0..<count).map { _ in "\(Int.random(in: 0...9, using: &random))" }.joined() }
    for _ in 0..<5000 {
      let decimals = Int.random(in: 0...12, using: &random)
      let exponent = Int.random(in: 0..<8, using: &random) == 0 ? "e\(Int.random(in: -30...30, using: &random))" : ""
      let text =
        (Bool.random(using: &random) ? "-" : "") + "\(Int.random(in: 1...9, using: &random))"
        + digits(Int.random(in: 0...9, using: &random)) + (decimals == 0 ? "" : "." + digits(decimals)) + exponent
      #expect(try Self.scan(text) { try $0.number() } == Double(text), "seed \(seed), \(text)")
    }
  }

  @Test(
    "Numbers at the edges of what is exact",
    arguments: ["0", "-0", "0.99", "999999999999999", "9999999999999999", "0.1", "1e22", "18446744073709551617.5"])
  func edges(text: String) throws {
    let number = try Self.scan(text) { try $0.number() }
    #expect(number.bitPattern == Double(text)?.bitPattern)
  }

  @Test("A text ends at its quote and is decoded, however long it is and whatever stands where")
  func texts() throws {
    for length in 0...40 {
      let plain = String(repeating: "é", count: length % 3) + String(repeating: "a", count: length)
      for (written, meant) in [("", ""), ("\\n", "\n"), ("\\u00e9", "é"), ("\\\"", "\"")] {
        let text = "\"\(plain)\(written)\(plain)\", 1"
        let decoded = try Self.scan(text) { scanner in
          (String(decoding: try scanner.string(), as: UTF8.self), scanner.offset)
        }
        #expect(decoded == (plain + meant + plain, text.utf8.count - 3), "\(text)")
        let lent = try Self.scan(text) { try $0.string { String(decoding: $0, as: UTF8.self) } }
        #expect(lent == plain + meant + plain, "\(text)")
        let key = try Self.scan("{\(text.dropLast(3)): 1}") { scanner in
          var key = ""
          try scanner.object { scanner, bytes throws(JSONFault) in
            key = String(decoding: bytes, as: UTF8.self)
            try scanner.skipValue()
          }
          return key
        }
        #expect(key == plain + meant + plain, "\(text)")
      }
      #expect(throws: JSONFault.self) { try Self.scan("\"\(plain)\n\"") { try $0.string() } }
      #expect(throws: JSONFault.self) { try Self.scan("\"\(plain)") { try $0.string() } }
    }
  }
}
