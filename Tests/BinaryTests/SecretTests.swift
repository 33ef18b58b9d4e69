import Foundation
import ModelServer
import Testing

/// A key is looked for in everything that is written.
@Suite struct SecretTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// The files of the folder, but for the one with the key.
  private func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for case let name as String in FileManager.default.enumerator(atPath: folder.path) ?? .init() where name != "key" {
      if let data = FileManager.default.contents(atPath: "\(folder.path)/\(name)") { files[name] = data }
    }
    return files
  }

  @Test(
    "No run writes the key: not its output, its messages, the database and its index, the log, an export or a job, even where the server repeats it",
    arguments: ["AISLE_LLM_KEY", "ANTHROPIC_API_KEY", "key file"])
  func sentinel(origin: String) throws {
    let key = ModelServer.key
    let server = try ModelServer(.anthropic, photo: #"[{"name":"List","type":"grocery","items":["kale"]}]"#) { request in
      switch request.number % 4 {
      case 1: .fail(400, type: "x \(key)", message: "the key \(key) is odd", headers: [("request-id", key), ("x-odd", key)])
      case 2 where !request.items.isEmpty: .edit { for place in $0.indices { $0[place].section = "Produce" } }
      default: .answer
      }
    }
    try folder.write("\(key)\n", to: "key")
    chmod("\(folder.path)/key", 0o600)
    try folder.write("rope\nkale\noat milk\n", to: "list.txt")
    try folder.write("rope\tOther\t\nnails\tOther\t\n", to: "corpus/list.tsv")
    try folder.write(SamplePhoto.named("turned-1.jpg"), to: "photo.jpg")
    let environment = origin == "key file" ? [:] : [origin: key]
    let options = ModelRun.options(server) + (origin == "key file" ? ["--llm-key-file", "key"] : [])
    var written: [String: Data] = [:]
    for (number, command) in [
      ["categorize", "list.txt", "--summary", "--explain"] + options,
      ["categorize", "list.txt", "--summary", "--llm-cache", "refresh", "--format", "jsonl"] + options,
      ["check", "list.txt", "--summary"] + options,
      ["check", "list.txt", "--format", "jsonl", "--llm-cache", "refresh"] + options,
      ["check", "list.txt", "--accept-all", "--llm-cache", "refresh"] + options,
      ["eval", "--reporter", "json"] + options, ["read", "photo.jpg", "--summary"] + options, ["doctor"] + options,
      ["chain", "show"], ["llm", "batch", "submit", "list.txt"] + options, ["llm", "log"], ["llm", "log", "--format", "jsonl"],
      ["llm", "cache", "list", "--items"], ["llm", "cache", "export"], ["suggestions", "export"], ["corrections", "export"],
      ["categorize", "list.txt", "--llm", "anthropic", "--llm-url", "http://127.0.0.1:1"]
        + (origin == "key file" ? ["--llm-key-file", "key"] : []),
    ].enumerated() {
      let run = try RunningAisle(command, in: folder, environment: environment).finish()
      written["\(number) \(command[0]) out"] = run.output
      written["\(number) \(command[0]) err"] = Data(run.diagnostics.utf8)
    }
    #expect(server.received.contains { $0.headers["x-api-key"] == key } && server.count >= 8)
    written.merge(try files()) { $1 }
    #expect(written.keys.contains("data/aisle/aisle.db") && written.keys.contains("list.txt.batch"), "\(written.keys.sorted())")
    for (name, data) in written {
      #expect(data.range(of: Data(key.utf8)) == nil, "\(name): \(String(decoding: data.prefix(2_000), as: UTF8.self))")
    }
    // The test itself finds what is there.
    #expect(written["data/aisle/aisle.db"]?.range(of: Data("oat milk".utf8)) != nil)
  }

  @Test(
    "Nor does any run let most of the key be read from another form in which the server gives it back",
    arguments: ModelServer.API.allCases)
  func otherForms(api: ModelServer.API) throws {
    let forms = KeyForm.allCases.map { $0(ModelServer.key) }
    let photo = forms.map { #""\#($0)""# }.joined(separator: ",")
    // Each request gets the next form, as a failure or as a section of the model's own, which has a capital first.
    let server = try ModelServer(
      api, sections: ScratchFolder.sections, photo: #"[{"name":"\#(forms[0])","type":"grocery","items":["kale",\#(photo)]}]"#
    ) { request in
      let form = forms[request.number / 2 % forms.count]
      if request.photo != nil, request.number % 2 == 1 { return .answer }
      return request.items.isEmpty || request.number % 2 == 0
        ? .fail(400, type: "x \(form)", message: "the key \(form) is odd", headers: [("request-id", form)])
        : .edit { for place in $0.indices { $0[place].section = "X" + form.filter { $0.isLetter || $0.isNumber }.prefix(38) } }
    }
    try folder.write((0..<30).map { "odd thing \($0)\n" }.joined(), to: "list.txt")
    try folder.write(SamplePhoto.named("turned-1.jpg"), to: "photo.jpg")
    let options = ModelRun.options(server) + ["--llm-cache", "refresh", "--llm-batch", "1", "--llm-parallel", "1"]
    let categorize = ["categorize", "list.txt", "--summary", "--explain", "--new-sections"] + options
    var commands = [categorize, categorize, ["check", "list.txt", "--new-sections"] + options, ["doctor"] + options]
    commands += [["read", "photo.jpg"] + options, ["read", "photo.jpg"] + options]
    if api == .anthropic { commands.append(["llm", "batch", "submit", "list.txt"] + options) }
    var written: [String: Data] = [:]
    for (number, command) in (commands + [["llm", "log"], ["llm", "cache", "export"]]).enumerated() {
      let run = try RunningAisle(command, in: folder, environment: ModelRun.key).finish()
      written["\(number) \(command[0]) out"] = run.output
      written["\(number) \(command[0]) err"] = Data(run.diagnostics.utf8)
    }
    #expect(server.count > 2 * forms.count)
    #expect(written["0 categorize err"]?.range(of: Data("the key (key) is odd".utf8)) != nil)
    written.merge(try files().filter { !$0.key.hasPrefix("taxonomies/") && $0.key != "photo.jpg" }) { $1 }
    for (name, data) in written {
      for form in forms {
        #expect(!KeyForm.share(data, form, run: 8), "\(name): \(form): \(String(decoding: data.prefix(2_000), as: UTF8.self))")
      }
    }
  }
}
