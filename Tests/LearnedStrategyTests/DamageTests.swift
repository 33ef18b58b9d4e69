import AisleCore
import Foundation
import Testing

@testable import CorrectionMatching
@testable import LearnedStrategy

/// Bits that flip and sectors and pages that are lost or mixed up, wherever in the file: what is read is as it was, or there is an error.
///
/// By default in a size that takes seconds; AISLE_TEST_DAMAGES=2000 for all that a release is held against.
@Suite(.serialized) struct `A damaged database` {
  private let folder: ScratchFolder
  private let path: String

  init() throws {
    folder = try ScratchFolder(inMemory: true)
    path = folder.file("aisle.db")
    try fill()
  }

  /// Something of everything that a database holds, with deleted rows in between.
  private func fill() throws {
    let store = try CorrectionStore(path)
    let corrections = (0..<120).map { number in
      Correction(
        "thing \(number) of \(number * number)", ["Snacks", "Bakery", "Produce"][number % 3],
        store: number % 4 == 0 ? "corner" : "kroger", shelf: number % 5 == 0 ? "milk" : nil, model: number % 7 == 0 ? "m" : nil,
        time: 1_000 + number)
    }
    _ = try store.take(corrections, winner: .taken, time: 2_000)
    try store.propose((0..<60).map { Suggestion("ware \($0)", "Other", $0 % 2 == 0 ? "Snacks" : "Bakery", time: 2_000 + $0) })
    try store.decide(Array(1...20), .accept, time: 3_000)
    try store.decide(Array(21...30), .dismiss, time: 3_001)
    _ = try store.forget(items: (0..<20).map { "thing \($0) of \($0 * $0)" }, .init(), time: 3_002)
    try store.keep(
      (0..<60).map {
        KeptAnswer(source: source, question: .init("ware \($0)"), section: $0 % 9 == 0 ? nil : "Snacks", time: 4_000 + $0)
      })
    let check = ListCheck(store: "kroger", list: "list.txt", fingerprint: "f", agreed: "a", time: 5_000)
    _ = try store.record(check, proposing: [Suggestion("leek", "Snacks", "Produce", time: 5_000)])
    for number in 0..<10 { try store.correct(Correction("late \(number)", "Bakery", time: 6_000 + number)) }
  }

  private let source = KeptAnswer.Source(
    task: "categorize", provider: "anthropic", model: "m", prompt: 1, sections: "0123456789abcdef", allowsNewSections: false)

  /// What can be asked of a database, each on its own; what it gives is compared as text.
  private var uses: [(name: String, use: () throws -> String)] {
    func reading() throws -> CorrectionStore { try CorrectionStore(path, access: .reading) }
    return [
      ("categorize", { try learned() }), ("list", { "\(try reading().corrections())" }),
      (
        "export",
        {
          var all: [Correction] = []
          try reading().forEachGroup(of: 50) { all += $0 }
          return "\(all)"
        }
      ), ("suggestions", { "\(try reading().suggestions())" }), ("all suggestions", { "\(try reading().suggestions(nil))" }),
      (
        "answers",
        {
          let answers = try reading().answers(to: (0..<70).map { .init("ware \($0)") }, from: source)
          return "\(answers.map { "\($0)" }.sorted())"
        }
      ),
      (
        "check",
        {
          let store = try reading()
          return "\(String(describing: try store.lastCheck(of: "list.txt", store: "kroger")))"
            + "\(try store.suggestions(ofList: "list.txt", store: "kroger"))"
        }
      ),
      (
        "undo",
        {
          let store = try CorrectionStore(path)
          let what = try (0..<12).map { _ in String(describing: try store.undo(time: 7_000)) }
          return "\(what) \(try store.corrections()) \(try store.suggestions(nil))"
        }
      ),
      (
        "correct",
        {
          let store = try CorrectionStore(path)
          let before = try store.correct(Correction("thing 40 of 1600", "Produce", store: "corner", time: 8_000))
          try store.correct(Correction("something new", "Produce", time: 8_001))
          return "\(String(describing: before)) \(try learned())"
        }
      ),
    ]
  }

  /// What a categorization would know.
  private func learned() throws -> String {
    let layers = try LearnedCorrections.open(path)?.layers ?? []
    return layers.flatMap { layer in
      (0..<layer.index.count).compactMap { layer.index.entry($0) }.filter { !layer.outdated.contains($0.id) }
        .map { "\($0.id) \($0.key) \($0.correction)" }
    }.joined(separator: "\n")
  }

  private func put(_ bytes: Data) throws {
    for suffix in ["-index", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    try bytes.write(to: URL(filePath: path))
  }

  @Test func `whatever is asked, the answer is as before, or an error names the file`() throws {
    let sound = try Data(contentsOf: URL(filePath: path))
    var expected: [String: String] = [:]
    for (name, use) in uses {
      try put(sound)
      expected[name] = try use()
    }
    let count = ProcessInfo.processInfo.environment["AISLE_TEST_DAMAGES"].flatMap { Int($0) } ?? 40
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    var random = SeededGenerator(seed: seed)
    var (silent, errors, harmless): ([String], Int, Int) = ([], 0, 0)
    for _ in 0..<count {
      let damage = Damage(of: sound, &random)
      for (name, use) in uses {
        try put(damage.bytes)
        do {
          if try use() == expected[name] { harmless += 1 } else { silent.append("\(name): \(damage.what)") }
        } catch let error as CorrectionStoreError {
          errors += 1
          #expect(error.description.hasPrefix(path + ": "), "seed \(seed): \(damage.what)")
        }
      }
    }
    #expect(silent.isEmpty, "seed \(seed): \(silent.count) silent, e.g. \(silent.prefix(20))")
    print("\(count) damages: \(errors) uses ended with an error, \(harmless) were as before (seed \(seed))")
  }

  @Test func `with an index of the same state, items are answered as before`() throws {
    let expected = try learned()
    let sound = try Data(contentsOf: URL(filePath: path))
    var status = stat()
    #expect(stat(path, &status) == 0)
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let damage = Damage(of: sound, &random)
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      try file.write(contentsOf: damage.bytes)
      try file.close()
      var times = [status.st_atim, status.st_mtim]
      #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
      do {
        #expect(try learned() == expected, "seed \(seed): \(damage.what)")
      } catch let error as CorrectionStoreError {
        #expect(error.description.hasPrefix(path + ": "), "seed \(seed): \(damage.what)")
      }
    }
  }

  @Test func `a file of which the end is missing is as before, or an error; nothing is written into it`() throws {
    let sound = try Data(contentsOf: URL(filePath: path))
    let expected = try CorrectionStore(path, access: .reading).corrections()
    for missing in [1, 8, 512, 4096, 5000, sound.count / 2] {
      try put(sound.dropLast(missing))
      do {
        #expect(try CorrectionStore(path, access: .reading).corrections() == expected, "\(missing) bytes missing")
      } catch { #expect(error.kind == .damaged, "\(error)") }
      let problems = Result { try CorrectionStore(path, access: .reading).problems() }
      #expect((try? problems.get())?.isEmpty != true, "\(missing) bytes missing")
      #expect(throws: CorrectionStoreError.self) { try CorrectionStore(path) }
      #expect(try Data(contentsOf: URL(filePath: path)) == sound.dropLast(missing))
    }
  }

  @Test func `every changed bit of a page that is used is found by the check of everything`() throws {
    let sound = try Data(contentsOf: URL(filePath: path))
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    var random = SeededGenerator(seed: seed)
    #expect(try CorrectionStore(path, access: .reading).problems() == [])
    for page in 0..<sound.count / 4096 {
      var bytes = sound
      bytes[page * 4096 + Int(random.next() % 4096)] ^= 1 << (random.next() % 8)
      try put(bytes)
      let problems = Result { try CorrectionStore(path, access: .reading).problems() }
      // What was deleted left pages behind that nobody reads.
      let isFound = (try? problems.get())?.isEmpty != true
      if !isFound { #expect(try unusedPages(sound).contains(page + 1), "seed \(seed): page \(page + 1)") }
    }
  }

  /// The pages on the list of free pages: the chain of trunks begins at byte 32 of the file.
  private func unusedPages(_ bytes: Data) throws -> Set<Int> {
    func number(_ offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    var (trunk, found): (Int, Set<Int>) = (number(32), [])
    while trunk > 0, found.insert(trunk).inserted {
      let start = (trunk - 1) * 4096
      for leaf in 0..<number(start + 4) { found.insert(number(start + 8 + 4 * leaf)) }
      trunk = number(start)
    }
    return found
  }
}

/// A change of a file that nobody meant.
private struct Damage {
  let bytes: Data
  let what: String

  init(of sound: Data, _ random: inout SeededGenerator) {
    var bytes = sound
    let kind = random.next() % 8
    let size = kind % 2 == 0 ? 512 : 4096
    func part(_ place: Int) -> Range<Int> { place * size..<(place + 1) * size }
    let (one, other) = (
      Int(random.next() % UInt64(sound.count / size)), Int(random.next() % UInt64(sound.count / size))
    )
    switch kind {
    case 0, 1:
      let (place, bit) = (Int(random.next() % UInt64(sound.count)), random.next() % 8)
      bytes[place] ^= 1 << bit
      what = "bit \(bit) of byte \(place) flipped"
    case 2, 3:
      bytes.resetBytes(in: part(one))
      what = "\(part(one)) zeroed"
    case 4, 5:
      bytes.replaceSubrange(part(one), with: sound[part(other)])
      what = "\(part(other)) copied over \(part(one))"
    default:
      bytes.replaceSubrange(part(one), with: sound[part(other)])
      bytes.replaceSubrange(part(other), with: sound[part(one)])
      what = "\(part(one)) and \(part(other)) swapped"
    }
    self.bytes = bytes
  }
}
