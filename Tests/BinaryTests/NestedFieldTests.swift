import Testing

/// `--field product.name` leads into objects.
@Suite struct NestedFieldTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test(
    "A name with dots leads into objects, and the section stands beside them",
    arguments: [
      ("product.name", #"{"product":{"id":7,"name":"oat milk"}"#), ("a.b.c", #"{"a":{"b":{"x":[{"c":1}],"c":"oat milk"}},"b":1"#),
      ("product.name", #"{"product":{"name":"kale"},"product.name":"oat milk""#),
      ("product.name", #"{"product.name":"oat milk","product":{"name":"kale"}"#),
      ("product.name", #"{ "pr\u006fduct" : { "n\u0061me" : "o\u0061t milk" }"#),
      ("product.section", #"{"product":{"section":"oat milk"}"#), (".", #"{"":{"":"oat milk"}"#),
      ("product.name", #"{"product":[{"name":"kale"}],"x":{"name":"kale"},"product":{"name":"oat milk"}"#),
    ])
  func found(field: String, start: String) throws {
    for (inputFormat, before, after) in [("jsonl", "", "\n"), ("json", "[\n", "\n]\n")] {
      let finished = try aisle(
        "categorize", "--input-format", inputFormat, "--field", field, input: "\(before)\(start)}\(after)", in: folder)
      #expect(finished.ending == .exited(0) && finished.errors.isEmpty, "\(finished.diagnostics)")
      #expect(finished.text == "\(before)\(start),\"section\":\"Dairy & Eggs\"}\(after)")
    }
  }

  @Test(
    "An object that lacks the field is named, and still takes the section",
    arguments: [
      (
        "product.name", #"{"product":{"title":"kale"}"#,
        "no field \"product.name\"; name the item's field with --field: product.title\n"
      ),
      ("product.name", #"{"product":"kale""#, "no field \"product.name\""),
      ("product.name", #"{"product":{"name":7}"#, "field \"product.name\" is not a string; write the item in double quotes"),
      ("product.name", #"{"product":{"name":"kale"},"product.name":7"#, "field \"product.name\" is not a string"),
      (
        "product", #"{"product":{"name":"kale"}"#,
        "field \"product\" is not a string but an object; name a field in it, such as product.name"
      ),
    ])
  func missing(field: String, start: String, message: String) throws {
    let finished = try aisle("categorize", "--input-format", "jsonl", "--field", field, input: "\(start)}\n", in: folder)
    #expect(finished.ending == .exited(2))
    #expect(finished.diagnostics.hasPrefix("aisle: standard input:1: \(message)"), "\(finished.diagnostics)")
    #expect(finished.text.hasPrefix("\(start),\"section\":\"Other\",\"error\":"))
  }

  @Test("Nesting is as deep as elsewhere, and no deeper")
  func depth() throws {
    func line(_ depth: Int) -> String {
      String(repeating: "{\"a\":", count: depth) + "{\"b\":\"kale\"}" + String(repeating: "}", count: depth) + "\n"
    }
    for (depth, code) in [(5, Int32(0)), (60, 0), (5000, 2)] {
      let field = (Array(repeating: "a", count: min(depth, 60)) + ["b"]).joined(separator: ".")
      let finished = try aisle("categorize", "--input-format", "jsonl", "--field", field, input: line(depth), in: folder)
      #expect(finished.ending == .exited(code), "\(depth)")
    }
  }

  @Test("--field needs JSON")
  func usage() throws {
    let finished = try aisle("categorize", "--field", "a.b", "list.csv", in: folder)
    #expect(finished.ending == .exited(64))
    #expect(finished.diagnostics.contains("--field needs jsonl or json input; add --input-format jsonl or --input-format json."))
  }
}
