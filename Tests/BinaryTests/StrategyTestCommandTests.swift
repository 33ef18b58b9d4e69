import Foundation
import Testing

/// `aisle strategies test`, which puts a program through the conformance kit.
@Suite struct StrategyTestCommandTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func test(_ arguments: String..., fault: String) throws -> Finished {
    try RunningAisle(["strategies", "test"] + arguments + ["--", "python3", ProgramTests.program, fault], in: folder).finish()
  }

  @Test("A line a case says that a good program keeps its promises")
  func good() throws {
    let finished = try test(fault: "none")
    #expect(finished.ending == .exited(0), "\(finished.text)")
    let lines = finished.text.split(separator: "\n")
    #expect(lines.first == "faulty 1.0, protocol 1: plays none")
    #expect(lines.count == 16)
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("ok        ") }, "\(finished.text)")
  }

  @Test(
    "A program that breaks a promise fails, and the case says how",
    arguments: [
      ("dies-before-the-answer", "failed    one item: "), ("wrong-id", "answered request 8, but was asked request 1"),
      ("confidence-of-7", "answered with confidence 7.0; it must be in 0…1"), ("garbage", "bad JSON at column 1"),
      ("has-no-name", "failed    introduction: said hello without a \"name\""),
      ("dies-at-once", "failed    introduction: ended before it answered (exit code 3)"),
    ])
  func bad(fault: String, message: String) throws {
    let finished = try test(fault: fault)
    #expect(finished.ending == .exited(1))
    #expect(finished.text.contains(message), "\(finished.text)")
  }

  @Test("A program that does not come to an end of its answer fails")
  func slow() throws {
    let finished = try test("--timeout", "0.3", fault: "hangs")
    #expect(finished.ending == .exited(1))
    #expect(finished.text.contains("within 0.3 s"), "\(finished.text)")
  }

  @Test("A program too slow for the budget is asked about fewer items, and a line says how many")
  func budget() throws {
    let finished = try test("--budget", "0.1", fault: "slow")
    #expect(finished.ending == .exited(0), "\(finished.text)")
    let lines = finished.text.split(separator: "\n")
    let note = try #require(lines.first { $0.hasPrefix("note ") }, "\(finished.text)")
    #expect(note.contains(" ms per item: asked about 29 and 200 items; --budget "), "\(note)")
    #expect(lines.contains("ok        200 items"))
    #expect(lines.count == 17)
    #expect(try test("--budget", "0", fault: "none").ending == .exited(64))
  }

  @Test("A program that cannot be started, or will not work, is an error")
  func absent() throws {
    let absent = try aisle("strategies", "test", "--", "./no-such-program", in: folder)
    #expect(absent.ending == .exited(2))
    #expect(absent.diagnostics.contains("cannot start `./no-such-program`: no such file; check the path"))
    let unable = try test(fault: "cannot-work")
    #expect(unable.ending == .exited(2))
    #expect(unable.diagnostics.contains("cannot work: no model"))
    #expect(try aisle("strategies", "test", in: folder).ending == .exited(64))
  }

  @Test("With items, the conversation is shown")
  func conversation() throws {
    let finished = try test("--item", "kale", "--item", "so what?", fault: "none")
    #expect(finished.ending == .exited(0))
    let lines = finished.text.split(separator: "\n")
    try #require(lines.count == 4)
    #expect(
      lines[0].hasPrefix(
        #"> {"type":"hello","protocol":[1],"store":"kroger","sections":["Produce","Dairy & Eggs","Other","Snacks"],"#))
    #expect(lines[1].hasPrefix(#"< {"type": "hello", "protocol": 1,"#))
    #expect(lines[2] == #"> {"type":"decide","id":1,"items":["kale","so what?"]}"#)
    #expect(lines[3].hasPrefix(#"< {"type": "decided", "id": 1, "answers": [{"type": "match", "section": "Produce""#))
    #expect(lines[3].hasSuffix(#"{"type": "abstain"}]}"#))
  }
}
