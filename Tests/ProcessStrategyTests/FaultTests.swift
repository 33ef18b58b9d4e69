import AisleCore
import Foundation
import ProcessStrategy
import Testing

/// What a program can do wrong, with what is said of it. Whatever it is, its items stay undecided and nothing is thrown.
struct `A program with a fault` {
  struct Fault: Sendable, CustomTestStringConvertible {
    let name: String
    let remark: String
    var testDescription: String { name }

    init(_ name: String, _ remark: String) { (self.name, self.remark) = (name, remark) }
  }

  /// Faults of the conversation: the program is started again for the next request.
  private static let lapses = [
    Fault("dies-at-once", "ended before it answered (exit code 3)"),
    Fault("dies-before-the-answer", "ended before it answered (exit code 4)"),
    Fault("dies-mid-line", "ended in the middle of an answer (signal 9)"),
    Fault("closes-its-output", "ended before it answered"),
    Fault("garbage", "answered ` � [31mnonsense`: bad JSON at column 1: expected `{`"),
    Fault("wrong-id", "answered request 8, but was asked request 1"),
    Fault("no-id", "answered request without \"id\", but was asked request 1"),
    Fault("one-answer-less", "gave 2 answers for 3 items"),
    Fault("one-answer-more", "gave 4 answers for 3 items"),
    Fault("another-type", "answered with the type `answer`; it must be `decided`"),
    Fault("an-array", "bad JSON at column 1: expected `{`"),
    Fault("deep", "bad JSON at column 1: expected `{`"),
    Fault("huge-numbers", "expected a whole number"),
    Fault("speaks-first", "answered with the type `decided`; it must be `hello`"),
    Fault("has-no-name", "said hello without a \"name\""),
    Fault("endless-line", "wrote a line of more than 1 MiB"),
  ]

  /// Faults that starting again cannot mend.
  private static let lastingFaults = [
    Fault("speaks-protocol-2", "speaks protocol 2, but aisle speaks 1"),
    Fault("cannot-work", "cannot work: no model"),
  ]

  /// Faults of single answers: the program goes on.
  private static let wrongAnswers = [
    Fault("unknown-section", "answered with section `Prodce`, which small does not have; did you mean `Produce`?"),
    Fault("confidence-of-7", "answered with confidence 7.0; it must be in 0…1"),
    Fault("no-confidence", "answered with a match without section or confidence"),
    Fault("request-error", "could not decide an item: overloaded"),
  ]

  @Test(arguments: lapses)
  func `loses its own answers only, and says why`(fault: Fault) async throws {
    let trial = try Trial(fault.name)
    #expect(try await trial.decide(["kale", "leek", "beet"]) == [nil, nil, nil])
    let first = try #require(trial.remarks.first { !$0.hasPrefix("trial:") })
    #expect(first.hasPrefix("strategy `trial` ") && first.contains(fault.remark), "\(trial.remarks)")
    await trial.strategy.close()
    #expect(await trial.isGone())
  }

  @Test(arguments: lastingFaults)
  func `is not started again when that would not help`(fault: Fault) async throws {
    let trial = try Trial(fault.name)
    for _ in 0..<3 { #expect(try await trial.decide(["kale"]) == [nil]) }
    #expect(trial.starts.count == 1)
    #expect(
      trial.remarks == [
        "strategy `trial` \(fault.remark)", "strategy `trial` is switched off; its items go to the next strategy",
      ])
    #expect(await trial.isGone())
  }

  @Test(arguments: wrongAnswers)
  func `goes on after a wrong answer, which is told once`(fault: Fault) async throws {
    let trial = try Trial(fault.name)
    for _ in 0..<8 { #expect(try await trial.decide(["kale", "leek"]) == [nil, nil]) }
    #expect(trial.remarks == ["strategy `trial` \(fault.remark)"])
    #expect(trial.starts.count == 1)
  }

  @Test(arguments: ["hangs", "hangs-before-hello", "hangs-and-ignores-sigterm", "stops-reading"])
  func `gets its time and no more`(fault: String) async throws {
    let trial = try Trial(fault, timeout: .milliseconds(500))
    // More than a pipe holds, so that a program that does not read is noticed.
    let items = (0..<200).map { "\($0) " + String(repeating: "kale ", count: 1_000) }
    #expect(try await trial.decide(items).allSatisfy { $0 == nil })
    // One that is killed while it starts may say so first.
    let remark = try #require(trial.remarks.first { !$0.hasPrefix("trial:") })
    #expect(remark.contains(" within 0.5 s"), "\(trial.remarks)")
    #expect(trial.starts.count <= 1, "after one time limit the next strategy has its turn")
    await trial.strategy.close()
    #expect(await trial.isGone())
  }

  @Test func `that answers twice has its second answer taken for none`() async throws {
    let trial = try Trial("repeats")
    #expect(try await trial.decide(["kale"]) == ["Produce"])
    let next = try await trial.decide(["leek"])
    #expect(next == [nil] || next == ["Produce"], "its second answer may come after the next question")
    let told = ["wrote an unexpected line", "answered request 1, but was asked request 2"]
    for _ in 0..<3 where trial.remarks.isEmpty { _ = try await trial.decide(["beet"]) }
    #expect(trial.remarks.contains { remark in told.contains { remark.contains($0) } }, "\(trial.remarks)")
  }

  @Test func `that writes 1 GB to standard error has its answer all the same, and is cut short`() async throws {
    let trial = try Trial("floods-stderr", timeout: .seconds(120))
    #expect(try await trial.decide(["kale"]) == ["Produce"])
    await trial.strategy.close()
    #expect(trial.remarks.count == 1)
    #expect(trial.remarks.allSatisfy { $0.utf8.count < 2_000 })
  }

  @Test func `that remarks without end is quoted for 200 lines`() async throws {
    let trial = try Trial("floods-stderr-in-lines")
    #expect(try await trial.decide(["kale"]) == ["Produce"])
    await trial.strategy.close()
    #expect(trial.remarks.count == 201)
    #expect(trial.remarks.dropLast().allSatisfy { $0 == "trial: a remark" })
    #expect(trial.remarks.last == "trial: … (only its first 200 lines are shown)")
  }

  @Test func `cannot send control characters to a terminal`() async throws {
    let trial = try Trial("control-characters")
    var batch = Batch(["kale"], taxonomy: trial.taxonomy)
    try await trial.strategy.decide(&batch)
    #expect(batch.notes.map { Array($0.utf8) } == [Array(" [31m  red ".utf8)])
  }

  @Test(arguments: lapses + lastingFaults)
  func `ends the run where it is required`(fault: Fault) async throws {
    let trial = try Trial(fault.name) { $0.isRequired = true }
    let failure = await #expect(throws: ProcessFailure.self) { _ = try await trial.decide(["kale", "leek", "beet"]) }
    #expect(failure?.description.contains(fault.remark) == true)
    #expect(!trial.remarks.contains { $0.hasPrefix("strategy") }, "who requires it is told by the failure: \(trial.remarks)")
  }

  @Test func `that is not there is told by its name, once`() async throws {
    let trial = try Trial("none") { $0.command = ["no-such-program-here"] }
    for _ in 0..<3 { #expect(try await trial.decide(["kale"]) == [nil]) }
    #expect(
      trial.remarks == [
        "strategy `trial` cannot start `no-such-program-here`: no such program in PATH; write its path, or move it to a folder in PATH",
        "strategy `trial` is switched off; its items go to the next strategy",
      ])
  }
}
