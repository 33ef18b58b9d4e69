import AisleCore
import FileDamage
import Foundation
import Testing

/// The files that the tool writes for itself: whole, or said not to be.
@Suite struct OwnFilesTests {
  private let folder: ScratchFolder
  private var cache: String { folder.path + "/cache" }

  init() throws { folder = try ScratchFolder() }

  private var environment: [String: String] { ["AISLE_CACHE": cache, "AISLE_TAXONOMIES": Self.store.path + "/taxonomies"] }

  /// A store with some thousand keywords. An index is kept of one only when its files have not changed for a while.
  private static let store = SettledStore()

  private struct SettledStore {
    private let folder = Result {
      let folder = try ScratchFolder()
      var random = SeededGenerator(seed: 1)
      let keywords = (0..<2500).map { _ in
        (0...Int.random(in: 0...2, using: &random)).map { _ in OwnFilesTests.word(&random) }.joined(separator: " ")
      }
      try folder.write(Set(keywords).sorted().joined(separator: "\n") + "\n", to: "taxonomies/shelves/candy.txt")
      sleep(4)
      return folder
    }

    var path: String { (try? folder.get().path) ?? "(no store)" }
  }

  /// A word that reads like none, and is one of a few hundred.
  private static func word(_ random: inout SeededGenerator) -> String {
    let syllables = ["ba", "ke", "li", "mo", "nu", "pra"]
    return (0..<4).map { _ in syllables.randomElement(using: &random) ?? "" }.joined()
  }

  private func categorize(_ items: String = Self.items, _ options: String...) throws -> Finished {
    let process = try RunningAisle(["categorize"] + options, in: folder, environment: environment)
    process.feed([Data(items.utf8)])
    return try process.finish(endingInput: false)
  }

  private static let items =
    ["oat milk", "kale", "2 lbs spinach", "buter", "nothing at all", "milk with licorice"]
    .joined(separator: "\n") + "\n"

  /// The index of the store.
  private func storeIndex() throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: cache).filter { $0.hasSuffix(".index") }
    return "\(cache)/\(try #require(names.first))"
  }

  private var correctionIndex: String { folder.path + "/data/aisle/aisle.db-index" }

  private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

  // MARK: Damage before a run

  @Test(arguments: Damage.allCases)
  func `a store's index that a disk changed is told, made anew, and changes no answer`(damage: Damage) throws {
    let right = try categorize().text
    let path = try storeIndex()
    let sound = try bytes(path)
    #expect(try categorize().text == right)
    var random = SeededGenerator(seed: 70 + UInt64(Damage.allCases.firstIndex(of: damage) ?? 0))
    try Damage.put(damage.done(to: sound, &random), into: path)
    let run = try categorize()
    #expect(run.text == right && run.ending == .exited(0))
    #expect(run.diagnostics == "aisle: \(path): damaged; rebuilt from the store's files\n")
    #expect(try bytes(path) == sound, "it is made anew")
    #expect(try categorize().diagnostics.isEmpty)
  }

  @Test func `what a run does not need of a store's index is not checked by it, and what it needs is`() throws {
    let right = try categorize().text
    let (path, sound) = (try storeIndex(), try bytes(storeIndex()))
    func word(_ place: Int) -> Int { sound.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: 8 * place, as: UInt64.self)) } }
    // Behind the notes, two words a block: the seventh are the slips.
    let slips = 5 + word(2) + 2 * 6
    var damaged = sound
    damaged[1024 + word(slips) + word(slips + 1) / 2] ^= 4
    try Damage.put(damaged, into: path)
    #expect(try categorize("oat milk\n").diagnostics.isEmpty)
    #expect(try bytes(path) == damaged)
    let run = try categorize()
    #expect(run.text == right && run.diagnostics == "aisle: \(path): damaged; rebuilt from the store's files\n")
    #expect(try bytes(path) == sound)
  }

  @Test func `an index of corrections that a disk changed is told, made anew, and changes no answer`() throws {
    #expect(try aisle("correct", "oat milk", "Snacks", in: folder, environment: environment).ending == .exited(0))
    let right = try categorize().text
    #expect(right.hasPrefix("oat milk\tSnacks\n"))
    let sound = try bytes(correctionIndex)
    var random = SeededGenerator(seed: 80)
    for damage in Damage.allCases {
      try Damage.put(damage.done(to: sound, &random), into: correctionIndex)
      let run = try categorize()
      #expect(run.text == right && run.ending == .exited(0), "\(damage)")
      #expect(run.diagnostics == "aisle: \(correctionIndex): damaged; rebuilt from the corrections\n", "\(damage)")
      #expect(try bytes(correctionIndex) == sound, "\(damage)")
    }
  }

  @Test func `doctor checks every index in full, whether it is used or not, and a model that no chain asks`() throws {
    func doctor() throws -> (lines: [[String]], ending: Ending) {
      let run = try aisle("doctor", "--offline", input: "", in: folder, environment: environment)
      return (run.text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }, run.ending)
    }
    let empty = try doctor().lines
    #expect(empty.contains(["off", "cache", "\(cache), no indexed stores yet"]))
    #expect(!empty.contains { $0[1] == "index" || $0[1] == "model" })
    #expect(try aisle("correct", "oat milk", "Snacks", in: folder, environment: environment).ending == .exited(0))
    _ = try categorize()
    let (path, sound) = (try storeIndex(), try bytes(storeIndex()))
    let well = try doctor()
    #expect(
      well.lines.contains(["ok", "cache", "\(cache), 1 indexed store, \((sound.count + 1023) / 1024) KiB"]), "\(well.lines)")
    #expect(well.lines.contains { $0[..<2] == ["ok", "index"] && $0[2].hasPrefix(correctionIndex) }, "\(well.lines)")
    #expect(well.ending == .exited(0))
    // One that no run has used, of another store.
    let other = "\(cache)/other-1f.index"
    try sound.write(to: URL(fileURLWithPath: other))
    try #require(chmod(other, 0o600) == 0)
    #expect(try doctor().lines.contains(["ok", "cache", "\(cache), 2 indexed stores, \((2 * sound.count + 1023) / 1024) KiB"]))
    var damaged = sound
    damaged[sound.count / 3] ^= 1
    try Damage.put(damaged, into: other)
    let ill = try doctor()
    #expect(ill.lines.contains(["wrong", "cache", "\(other): damaged; the next run that needs it rebuilds it"]))
    #expect(ill.ending == .exited(1))
    try FileManager.default.removeItem(atPath: other)
    try #require(mkfifo(other, 0o600) == 0)
    #expect(
      try doctor().lines.contains {
        $0[..<2] == ["wrong", "cache"] && $0[2].hasPrefix("\(other): is not a regular file; remove it")
      })
    try FileManager.default.removeItem(atPath: other)
    var correction = try bytes(correctionIndex)
    correction[correction.count - 100] ^= 1
    try Damage.put(correction, into: correctionIndex)
    #expect(try doctor().lines.contains { $0[..<2] == ["wrong", "index"] && $0[2].hasPrefix("\(correctionIndex): damaged") })
    try Damage.put(Data(count: sound.count), into: path)
    #expect(try doctor().lines.contains { $0[..<2] == ["wrong", "cache"] && $0[2].hasPrefix("\(path): damaged") })
    try folder.write("aisle-model 3\n1 2\n", to: "taxonomies/shelves.model")
    let run = try aisle("doctor", "--offline", in: folder)
    #expect(run.text.contains("wrong\tmodel\ttaxonomies/shelves.model: line 2: the checksum is wrong"), "\(run.text)")
    #expect(run.ending == .exited(1))
  }

  @Test func `a model that was edited or is of another version is an error with the file and the remedy`() throws {
    for (text, words) in [
      ("aisle-model 3\n1 2\nchecksum 0123456789abcdef\n", "line 3: the checksum is wrong"),
      ("aisle-model 2\n15500 223\n", "line 1: not a model of this version"),
    ] {
      try folder.write(text, to: "my.model")
      let run = try aisle("categorize", "--chain", "model(file=my.model)", input: "kale\n", in: folder)
      #expect(run.ending == .exited(2) && run.output.isEmpty)
      #expect(
        run.diagnostics.hasPrefix("aisle: my.model: \(words)") && run.diagnostics.contains("`aisle train`"), "\(run.diagnostics)")
    }
  }

  // MARK: What is no file

  @Test(arguments: ["pipe", "socket", "link", "device", "folder"])
  func `what stands in the place of an index is not waited for, whatever it is`(kind: String) throws {
    #expect(try aisle("correct", "oat milk", "Snacks", in: folder, environment: environment).ending == .exited(0))
    let right = try categorize().text
    for path in [try storeIndex(), correctionIndex] {
      let name = URL(fileURLWithPath: path).lastPathComponent
      for place in [path, path.dropLast(name.count) + ".\(name).new"] {
        try? FileManager.default.removeItem(atPath: path)
        try put(kind, at: place)
        let run = try categorize()
        #expect(run.ending == .exited(0) && run.text == right, "\(place): \(run.diagnostics)")
        try? FileManager.default.removeItem(atPath: place)
      }
    }
  }

  private func put(_ kind: String, at path: String) throws {
    switch kind {
    case "pipe": try #require(mkfifo(path, 0o600) == 0)
    case "socket":
      // The path of a socket may be no longer than 108 bytes.
      let short = NSTemporaryDirectory() + "aisle-\(UUID().uuidString.prefix(8))"
      try #require(mknod(short, S_IFSOCK | 0o600, 0) == 0)
      try FileManager.default.moveItem(atPath: short, toPath: path)
    case "link": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
    case "device":
      guard mknod(path, S_IFCHR | 0o600, makeDevice(1, 5)) == 0 else { return print("skipped: no device can be made here") }
    default: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
  }

  private func makeDevice(_ major: UInt64, _ minor: UInt64) -> dev_t { dev_t(major << 8 | minor) }

  // MARK: Damage during a run

  /// Items enough that their answers need every part of an index.
  private func manyItems(_ random: inout SeededGenerator) -> [String] {
    (0..<200).map { number in
      let item = (0..<Int.random(in: 1...4, using: &random)).map { _ in Self.word(&random) }.joined(separator: " ")
      return number % 3 == 0 ? "zork\(number) \(item)" : item
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64], [true, false])
  func `a store's index that is cut or written to during a run ends it with one error, after whole and right records`(
    seed: UInt64, isCut: Bool
  ) throws {
    var random = SeededGenerator(seed: seed)
    let items = manyItems(&random)
    let right = try categorize(items.joined(separator: "\n") + "\n", "--explain").text.split(separator: "\n")
    #expect(right.count == items.count)
    let path = try storeIndex()
    let sound = try bytes(path)
    for round in 0..<2 {
      let process = try RunningAisle(
        ["categorize", "--line-buffered", "--explain"], in: folder, environment: environment)
      process.send(items[0] + "\n")
      try process.waitForLines(1)
      let place = Int.random(in: 0..<sound.count, using: &random)
      let rest = isCut ? Data() : Data((place..<sound.count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
      if isCut { try file.truncate(atOffset: UInt64(place)) }
      try file.seek(toOffset: UInt64(place))
      try file.write(contentsOf: rest)
      try file.close()
      process.feed(items.dropFirst().map { Data("\($0)\n".utf8) })
      let run = try process.finish(endingInput: false)
      let note: Comment = "seed \(seed), round \(round), from \(place) of \(sound.count)"
      #expect(run.ending == .exited(2), note)
      #expect(
        run.diagnostics == "aisle: \(path): changed while it was in use; run the command again to rebuild it\n", note)
      #expect(run.text.split(separator: "\n").elementsEqual(right.prefix(run.text.split(separator: "\n").count)), note)
      #expect(run.text.last == "\n", note)
      let again = try categorize(items.joined(separator: "\n") + "\n", "--explain")
      #expect(again.text.split(separator: "\n") == right && again.ending == .exited(0), note)
    }
  }

  @Test(arguments: [1, 2] as [UInt64], [true, false])
  func `an index of corrections that is cut or written to during a run changes no answer`(seed: UInt64, isCut: Bool) throws {
    var random = SeededGenerator(seed: seed)
    let corrections = (0..<1500).map {
      #"{"store":"kroger","item":"zork\#($0) ware","section":"Snacks","by":"jane","time":"2026-01-02T03:04:05Z"}"#
    }.joined(separator: "\n")
    let taken = try aisle("corrections", "import", "-", input: corrections + "\n", in: folder, environment: environment)
    #expect(taken.ending == .exited(0), "\(taken.diagnostics)")
    let items = (0..<200).map { _ in "zork\(Int.random(in: 0..<1600, using: &random)) ware" }
    let right = try categorize(items.joined(separator: "\n") + "\n", "--explain").text.split(separator: "\n")
    let sound = try bytes(correctionIndex)
    for round in 0..<2 {
      let process = try RunningAisle(["categorize", "--line-buffered", "--explain"], in: folder, environment: environment)
      process.send(items[0] + "\n")
      try process.waitForLines(1)
      let place = Int.random(in: 0..<sound.count, using: &random)
      let rest = isCut ? Data() : Data((place..<sound.count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
      try Damage.put(sound[..<place] + rest, into: correctionIndex)
      process.feed(items.dropFirst().map { Data("\($0)\n".utf8) })
      let run = try process.finish(endingInput: false)
      let note: Comment = "seed \(seed), round \(round), from \(place) of \(sound.count): \(run.diagnostics)"
      #expect(run.ending == .exited(0) && run.text.split(separator: "\n") == right, note)
      #expect(["", "aisle: \(correctionIndex): damaged; rebuilt from the corrections\n"].contains(run.diagnostics), note)
      if place < sound.count / 2 { #expect(!run.diagnostics.isEmpty, note) }
      _ = try categorize()
      try Damage.put(sound, into: correctionIndex)
    }
  }

  // MARK: Any clock

  @Test(arguments: [-1, -62_135_596_800, 0, 253_402_300_800, .max, .min])
  func `indexes are made and used at any time that a clock shows`(time: Int) throws {
    guard let library = try FakeClock.library(in: folder) else { return print("skipped: no C compiler") }
    var environment = environment
    environment["LD_PRELOAD"] = library
    environment["AISLE_TEST_TIME"] = "\(time)"
    // Times of which a number of milliseconds is no number are tried on stores alone.
    let isDatabaseAsked = time.magnitude < 1 << 50
    if !isDatabaseAsked { environment["AISLE_DB"] = "off" }
    #expect(try aisle("correct", "oat milk", "Snacks", in: folder, environment: self.environment).ending == .exited(0))
    for _ in 0..<2 {
      let run = try aisle("categorize", input: "oat milk\nkale\n", in: folder, environment: environment)
      let right = "oat milk\t\(isDatabaseAsked ? "Snacks" : "Dairy & Eggs")\nkale\tProduce\n"
      #expect(run.ending == .exited(0) && run.text == right, "\(run.ending) \(run.diagnostics)")
    }
    #expect(try bytes(storeIndex()).count > 1 << 16)
    // One is in the way that somebody left there, whenever that was.
    try FileManager.default.removeItem(atPath: cache)
    try folder.makeFolder("cache")
    try folder.write("a text", to: "cache/.kroger-1f.index.new")
    #expect(try aisle("categorize", input: "kale\n", in: folder, environment: environment).ending == .exited(0))
    #expect(try aisle("doctor", "--offline", in: folder, environment: environment).ending == .exited(0))
  }
}
