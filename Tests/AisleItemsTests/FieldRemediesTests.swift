import AisleCore
import AisleItems
import Testing

/// What is said about a record's fields without a command's options, and with them.
struct FieldRemediesTests {
  private static func fault(_ line: String, _ remedies: FieldRemedies) -> RecordFault? {
    var text = Array(line.utf8) + [UInt8](repeating: 0, count: Batch.padding)
    var list = RecordList()
    JSONLineParser(field: "item", added: ["section", "confidence"], remedies: remedies)
      .parse(&text, count: line.utf8.count, into: &list)
    return list.faults[0]
  }

  @Test(
    "Each fault names what whoever asked can do about it",
    arguments: [
      ("{\"name\":\"kale\"}", "no field \"item\"; use F: name"),
      ("{\"item\":\"kale\",\"section\":\"\"}", "there is already a field \"section\"; use T"),
      ("{\"item\":\"kale\",\"confidence\":1}", "there is already a field \"confidence\"; use E"),
    ])
  func named(line: String, message: String) {
    var remedies = FieldRemedies()
    (remedies.missing, remedies.taken, remedies.explained) = ("use F", "use T", "use E")
    #expect(Self.fault(line, remedies)?.message == message)
    #expect(Self.fault(line, FieldRemedies())?.message.contains("--") == false)
  }

  @Test("A record whose item alone is missing can still take the section")
  func sound() {
    #expect(Self.fault("{\"name\":\"kale\"}", FieldRemedies())?.isSound == true)
    #expect(Self.fault("{\"section\":\"\"}", FieldRemedies())?.isSound == false)
  }
}
