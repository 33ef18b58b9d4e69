import Foundation
import ModelServer
import Testing

/// `aisle read`.
@Suite struct ReadCommandTests {
  private let folder: ScratchFolder
  private static let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
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

  @Test("An item a line comes out, all but crossed-out ones", arguments: [ModelServer.API.anthropic, .openai])
  func lines(api: ModelServer.API) throws {
    let photo = Self.png + Data((0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    let (run, server) = try read(photo, api: api)
    #expect(run.ending == .exited(0), "\(run.diagnostics)")
    #expect(run.text == "oat milk\ndragon fruit [2J\nMonday: tacos\ncall mom\n")
    #expect(server.faults.isEmpty, "\(server.faults)")
    #expect(server.received.first?.photo == Photo(type: "image/png", data: photo.base64EncodedString()))
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
    #expect(server.received.first?.text.contains("claude-sonnet-4-5-20250929") == true)
  }

  @Test(
    "What no model takes is an error that says how to mend it, and is not sent",
    arguments: [
      (
        png + Data(count: 5 << 20),
        "the photo has 5.1 MB, but models accept at most 5 MB; shrink it: magick photo.png -resize 2000x2000 small.jpg"
      ),
      (
        Data("\0\0\0 ftypheic".utf8),
        "the file is HEIC, but models accept only jpeg, png, webp, or gif; convert it: magick photo.png"
      ),
      (Data("%PDF-1.7".utf8), "the file is PDF"), (Data("hello".utf8), "the file is not an image"), (Data(), "the file is empty"),
    ])
  func badPhotos(photo: Data, words: String) throws {
    let (run, server) = try read(photo)
    #expect(run.ending == .exited(2))
    #expect(run.diagnostics.contains("photo.png: \(words)"), "\(run.diagnostics)")
    #expect(server.count == 0)
  }

  @Test("The largest photo that is allowed is sent")
  func largest() throws {
    let (run, server) = try read(Self.png + Data(count: (5 << 20) - 8))
    #expect(run.ending == .exited(0), "\(run.diagnostics)")
    #expect(server.count == 1)
  }

  @Test("One that is too large for the server says how to shrink it")
  func tooLargeThere() throws {
    try folder.write(Self.png, to: "photo.png")
    let message = "messages.0.content.0.image.source.base64: image exceeds 5 MB maximum: 6990508 bytes > 5242880 bytes"
    for behaviour in [Behaviour.fail(400, type: "invalid_request_error", message: message), .fail(413, message: "too much")] {
      let server = try ModelServer(.anthropic) { _ in behaviour }
      let run = try RunningAisle(["read", "photo.png"] + ModelRun.options(server), in: folder, environment: ModelRun.key).finish()
      #expect(run.ending == .exited(2) && server.count == 1)
      #expect(run.diagnostics.contains("; shrink it: magick photo.jpg -resize 2000x2000 small.jpg"), "\(run.diagnostics)")
    }
  }

  @Test(
    "Each format goes out by its name, by what is in the file",
    arguments: [
      ("image/jpeg", Data([0xFF, 0xD8, 0xFF, 0xE0])), ("image/png", png), ("image/gif", Data("GIF87a".utf8)),
      ("image/gif", Data("GIF89a".utf8)), ("image/webp", Data("RIFF\0\0\0\0WEBP".utf8)),
    ])
  func mediaTypes(type: String, photo: Data) throws {
    let (run, server) = try read(photo)
    #expect(run.ending == .exited(0), "\(run.diagnostics)")
    #expect(server.received.map(\.photo) == [Photo(type: type, data: photo.base64EncodedString())])
  }

  @Test("A photo with nothing on it, a refusal and a proxy are told apart")
  func nothing() throws {
    let (empty, _) = try read(Self.png, written: "[]")
    #expect(empty.ending == .exited(1) && empty.text.isEmpty && empty.diagnostics.contains("no text found in the photo"))
    let (bad, _) = try read(Self.png, written: "7")
    #expect(bad.ending == .exited(2) && bad.diagnostics.contains("the answer does not fit the schema"))
    let (proxy, server) = try read(Self.png, api: .proxy)
    #expect(proxy.ending == .exited(2) && proxy.diagnostics.contains("a proxy cannot read photos"))
    #expect(server.count == 0)
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
