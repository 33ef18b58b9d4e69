import AisleCore
import Testing

/// Objects, one a line, are read as fields and written back.
struct JSONFieldsTests {
  private static func items(_ text: String) throws(JSONLineFault) -> [String] {
    try JSONFields.lines(Array(text.utf8)) { fields throws(JSONFault) in try fields.text("item") }
  }

  @Test("Blank lines are passed over, and the last line needs no end")
  func blanks() throws {
    #expect(try Self.items("{\"item\":\"kale\"}\n\n \t\r\n{\"item\":\"oat milk\"}") == ["kale", "oat milk"])
  }

  @Test("The first line that is wrong is named, blank ones counted")
  func faults() {
    let fault = #expect(throws: JSONLineFault.self) { try Self.items("{\"item\":\"kale\"}\n\n{\"name\":\"x\"}\n{") }
    #expect(fault?.line == 3)
    #expect(fault?.message == "field `item` is missing")
  }

  @Test("What was written is read back, whatever the text", arguments: ["kale", "a \"b\"\\\n\t\u{1}é🥬", ""])
  func roundTrip(text: String) throws {
    let writer = JSONLineWriter()
    writer.add([("item", .text(text)), ("left-out", nil), ("number", .number(0.25))])
    let read = try JSONFields.lines(writer.bytes) { fields throws(JSONFault) in
      (try fields.text("item"), try fields.optionalText("left-out"), try fields.optionalNumber("number"))
    }
    #expect(read.count == 1)
    #expect(read.first?.0 == text)
    #expect(read.first?.1 == nil)
    #expect(read.first?.2 == 0.25)
  }

  @Test("A text that may be null is not the same as none")
  func nullIsNotMissing() throws {
    let fields = try JSONFields(Array(#"{"section":null,"item":"kale"}"#.utf8)[...])
    #expect(try fields.textOrNull("section") == nil)
    #expect(try fields.textOrNull("item") == "kale")
    let fault = #expect(throws: JSONFault.self) { try fields.textOrNull("store") }
    #expect(fault?.message == "field `store` is missing")
  }
}
