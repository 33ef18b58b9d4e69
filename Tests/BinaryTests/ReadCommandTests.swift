import Foundation
import ModelServer
import Testing

/// `aisle read`.
@Suite struct ReadCommandTests {
  private let folder: ScratchFolder
  private static let png = SamplePhoto.png
  private static let written = """
    [{"name":"Groceries","type":"grocery","items":["oat milk","dragon fruit\\u001b[2J"]},
     {"name":"Dinner","type":"meal_plan","items":["Monday: tacos"]},
     {"name":"Done","type":"crossed_out","items":["kale"]},
     {"name":"Other\\tThings","type":"notes","items":["call mom",7,""]},
     {"name":"Odd","type":"unheard_of","items":["x"]}, 7]
    """

  init() throws { folder = try ScratchFolder() }

  private func read(
    _ photo: Data, _ arguments: [String] = [], api: ModelServer.API = .anthropic, written: String = written
  ) throws -> (run: Finished, server: ModelServer) {
    try folder.write(photo, to: "photo.png")
    let server = try ModelServer(api, photo: written)
    let process = try RunningAisle(
      ["read", "photo.png"] + ModelRun.options(server) + arguments, in: folder, environment: ModelRun.key)
    return (try process.finish(), server)
  }

  @Test("An item a line comes out, all but crossed-out ones", arguments: ModelServer.API.allCases)
  func lines(api: ModelServer.API) throws {
    let (run, server) = try read(Self.png, api: api)
    #expect(run.ending == .exited(0), "\(run.diagnostics)")
    #expect(run.text == "oat milk\ndragon fruit [2J\nMonday: tacos\ncall mom\n")
    #expect(server.faults.isEmpty, "\(server.faults)")
    #expect(server.received.first?.photo?.type == "image/jpeg")
  }

  @Test(
    "Sections are chosen by type or name",
    arguments: [
      ("grocery", ["oat milk", "dragon fruit [2J"]), ("crossed_out", ["kale"]), ("done,meal_plan", ["Monday: tacos", "kale"]),
    ])
  func sections(choice: String, items: [String]) throws {
    let (run, _) = try read(Self.png, ["--sections", choice])
    #expect(run.text.split(separator: "\n").map(String.init) == items)
  }

  @Test("A line that is too long is cut off, and a line on stderr says so")
  func longLine() throws {
    let long = String(repeating: "é", count: 300)
    let (run, _) = try read(Self.png, written: #"[{"name":"L","type":"notes","items":["kale","a\#(long)"]}]"#)
    #expect(run.ending == .exited(0) && run.text == "kale\na\(String(repeating: "é", count: 255))\n", "\(run.text)")
    #expect(run.diagnostics.contains("photo.png: a line with more than 512 bytes is cut off"), "\(run.diagnostics)")
  }

  @Test("An unknown section is an error that suggests one")
  func unknownSection() throws {
    let (run, _) = try read(Self.png, ["--sections", "grocry"])
    #expect(run.ending == .exited(2))
    #expect(run.diagnostics.contains("no section `grocry`; did you mean `grocery`"), "\(run.diagnostics)")
  }

  @Test(
    "Other formats have the section and its type",
    arguments: [
      ("tsv", "Monday: tacos\tDinner\tmeal_plan\n"),
      ("jsonl", "{\"item\":\"call mom\",\"section\":\"Other Things\",\"type\":\"notes\"}\n"),
      ("list", "Dinner (meal_plan)\n  Monday: tacos\n"),
    ])
  func formats(format: String, part: String) throws {
    let (run, _) = try read(Self.png, ["--format", format])
    #expect(run.text.contains(part), "\(run.text)")
  }

  @Test("A photo from standard input and its items to categorize are the whole app")
  func pipe() throws {
    let server = try ModelServer(.anthropic, photo: Self.written)
    let process = try RunningAisle(["read", "-"] + ModelRun.options(server), in: folder, environment: ModelRun.key)
    process.feed([Self.png])
    let items = try process.finish(endingInput: false)
    let run = try aisle("categorize", input: items.output, in: folder)
    #expect(run.text.hasPrefix("oat milk\tDairy & Eggs\n"))
    #expect(server.received.first?.text.contains("claude-haiku-5-5") == true)
  }

  @Test(
    "What is no photo is an error that says what to do, and is not sent",
    arguments: [
      (Data("GIF89a".utf8), "the file is a GIF; save the photo as jpeg, png, webp, or heic"),
      (Data("%PDF-1.7".utf8), "the file is a PDF"), (Data("hello".utf8), "the file is not an image"),
      (Data(), "the file is empty"), (png.dropLast(100), "the png cannot be read"),
    ])
  func badPhotos(photo: Data, words: String) throws {
    let (run, server) = try read(photo)
    #expect(run.ending == .exited(2))
    #expect(run.diagnostics.contains("photo.png: \(words)"), "\(run.diagnostics)")
    #expect(server.count == 0)
  }

  @Test(
    "Whatever the file, what goes out is a small upright JPEG without the place where it was taken",
    arguments: ModelServer.API.allCases)
  func sent(api: ModelServer.API) throws {
    for name in ["turned-3.jpg", "turned-6.jpg", "turned-6.png", "turned-6.webp", "turned-6.heic"] {
      let (run, server) = try read(SamplePhoto.named(name), api: api)
      #expect(run.ending == .exited(0), "\(name): \(run.diagnostics)")
      let photo = try #require(server.received.first?.photo)
      let bytes = try #require(Data(base64Encoded: photo.data))
      let parts = JPEGParts(Array(bytes))
      #expect(photo.type == "image/jpeg" && parts.width == 96 && parts.height == 64, "\(name)")
      #expect(parts.segments.isSubset(of: [0xE0, 0xDB, 0xC0, 0xC4, 0xDA]), "\(name): \(parts.segments)")
      for word in ["Exif", "Secret"] { #expect(bytes.range(of: Data(word.utf8)) == nil, "\(name): \(word)") }
    }
  }

  @Test("A photo that is too large for the server is sent smaller, then given up")
  func tooLargeThere() throws {
    try folder.write(SamplePhoto.named("wide.png"), to: "photo.png")
    let message = "messages.0.content.0.image.source.base64: image exceeds 5 MB maximum: 6990508 bytes > 5242880 bytes"
    for failure in [Behaviour.fail(400, type: "invalid_request_error", message: message), .fail(413, message: "too much")] {
      let patient = try ModelServer(.anthropic, photo: Self.written) { $0.number == 0 ? failure : .answer }
      let read = try RunningAisle(["read", "photo.png"] + ModelRun.options(patient), in: folder, environment: ModelRun.key)
        .finish()
      #expect(read.ending == .exited(0) && read.text.hasPrefix("oat milk\n"), "\(read.diagnostics)")
      let widths = patient.received.map { JPEGParts(Array(Data(base64Encoded: $0.photo?.data ?? "") ?? Data())).width }
      #expect(widths == [1_568, 1_092])
      let server = try ModelServer(.anthropic) { _ in failure }
      let run = try RunningAisle(["read", "photo.png"] + ModelRun.options(server), in: folder, environment: ModelRun.key).finish()
      #expect(run.ending == .exited(2) && server.count == 2)
      #expect(run.diagnostics.contains("photograph the list in parts"), "\(run.diagnostics)")
    }
  }

  @Test("The model's best size and effort are data: aisle.yaml changes them, and the answer gets room for the effort")
  func configured() throws {
    try folder.write(SamplePhoto.named("wide.png"), to: "photo.png")
    try folder.write("llm:\n  photo-model: my-eyes\n  models:\n    my-eyes: 1 2 photo=800\n", to: "aisle.yaml")
    for api in [ModelServer.API.anthropic, .openai] {
      let server = try ModelServer(api, photo: Self.written)
      let options = ModelRun.options(server) + ["--llm-effort", "high", "--summary"]
      let run = try RunningAisle(["read", "photo.png"] + options, in: folder, environment: ModelRun.key).finish()
      #expect(run.ending == .exited(0) && run.diagnostics.contains("my-eyes: 1 request"), "\(run.diagnostics)")
      let request = try #require(server.received.first)
      #expect(JPEGParts(Array(Data(base64Encoded: request.photo?.data ?? "") ?? Data())).width == 800)
      #expect(request.text.contains(api == .openai ? #""reasoning_effort":"high""# : #""output_config":{"effort":"high","#))
      #expect(request.answerLimit == 4_096 + 16_384)
    }
  }

  @Test("A server that does not know schemas is asked with a tool")
  func oldServer() throws {
    try folder.write(Self.png, to: "photo.png")
    let server = try ModelServer(.anthropic, photo: Self.written, schemaRejection: 400)
    let run = try RunningAisle(["read", "photo.png"] + ModelRun.options(server), in: folder, environment: ModelRun.key).finish()
    #expect(run.ending == .exited(0) && run.text.hasPrefix("oat milk\n"), "\(run.diagnostics)")
    #expect(server.count == 2)
  }

  private static let refusals: [(ModelServer.API, Set<String>)] = [
    (.anthropic, ["output_config", "tools"]), (.openai, ["json_schema"]), (.openai, ["json_schema", "schema"]),
    (.openai, ["json_schema", "schema", "json_object"]),
  ]

  @Test("A server is asked in the strictest form that it takes, and told the form where it takes none", arguments: refusals)
  func forms(api: ModelServer.API, refusing: Set<String>) throws {
    try folder.write(Self.png, to: "photo.png")
    let server = try ModelServer(api, photo: Self.written, refusing: refusing)
    let run = try RunningAisle(["read", "photo.png"] + ModelRun.options(server), in: folder, environment: ModelRun.key).finish()
    #expect(run.ending == .exited(0) && run.text.hasPrefix("oat milk\n"), "\(run.diagnostics)")
    #expect(server.count == 1 + refusing.count)
    #expect(server.received.map { $0.text.contains("one JSON object of this form") }.last == true)
  }

  @Test("A proxy's expired key is read anew once, and the photo sent again")
  func expiredKey() throws {
    try folder.write(Self.png, to: "photo.png")
    let (file, fresh) = ("\(folder.path)/key", ModelServer.key)
    func write(_ key: String) throws {
      try folder.write(key, to: "key")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    }
    try write("expired-sentinel-1")
    let server = try ModelServer(.proxy, photo: Self.written) { request in
      if request.number == 0 { try? fresh.write(toFile: file, atomically: false, encoding: .utf8) }
      return .answer
    }
    let options = ModelRun.options(server) + ["--llm-key-file", "key"]
    let run = try RunningAisle(["read", "photo.png"] + options, in: folder, environment: [:]).finish()
    #expect(run.ending == .exited(0) && run.text.hasPrefix("oat milk\n"), "\(run.diagnostics)")
    #expect(server.received.map { $0.headers["authorization"] ?? "" } == ["Bearer expired-sentinel-1", "Bearer \(fresh)"])
    // The same key again would get the same answer, so it is not sent.
    try write("expired-sentinel-2")
    let stern = try ModelServer(.proxy, photo: Self.written)
    let refused = try RunningAisle(
      ["read", "photo.png"] + ModelRun.options(stern) + ["--llm-key-file", "key"], in: folder, environment: [:]
    ).finish()
    #expect(refused.ending == .exited(2) && stern.count == 1 && refused.diagnostics.contains("401"), "\(refused.diagnostics)")
    #expect(!refused.diagnostics.contains("sentinel-2"))
  }

  @Test("A proxy that counts scans says how many are left")
  func scans() throws {
    try folder.write(Self.png, to: "photo.png")
    let server = try ModelServer(.proxy) { _ in .fail(403, type: "scan_limit_reached") }
    let run = try RunningAisle(["read", "photo.png"] + ModelRun.options(server), in: folder, environment: ModelRun.key).finish()
    #expect(run.ending == .exited(2) && server.count == 1)
    #expect(
      run.diagnostics.contains("5 of 5 scans have been used, 0 left; subscribe in the app, or wait for the next month"),
      "\(run.diagnostics)")
  }

  @Test("A photo with nothing on it and an answer that is none are told apart")
  func nothing() throws {
    let (empty, _) = try read(Self.png, written: "[]")
    #expect(empty.ending == .exited(1) && empty.text.isEmpty && empty.diagnostics.contains("no text found in the photo"))
    let (bad, _) = try read(Self.png, written: "7")
    #expect(bad.ending == .exited(2) && bad.diagnostics.contains("the answer does not fit the schema"))
    let (proxy, _) = try read(Self.png, api: .proxy, written: "7")
    #expect(proxy.ending == .exited(2) && proxy.diagnostics.contains("the answer has no sections"))
  }

  @Test("Ctrl-C ends the wait for the model, also between two attempts", arguments: [false, true])
  func interruption(isBetween: Bool) throws {
    try folder.write(Self.png, to: "photo.png")
    let server = try ModelServer(.anthropic) { _ in isBetween ? .fail(529, headers: [("retry-after", "50")]) : .hang }
    let process = try RunningAisle(["read", "photo.png"] + ModelRun.options(server), in: folder, environment: ModelRun.key)
    while server.count == 0, process.isRunning { usleep(1_000) }
    if isBetween { usleep(100_000) }
    process.signal(SIGINT)
    let run = try process.finish(endingInput: false)
    #expect(run.ending == .exited(130), "\(run.diagnostics)")
    #expect(run.text.isEmpty)
  }
}
