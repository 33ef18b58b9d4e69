import AisleCore
import Foundation
import Testing

@testable import ProcessStrategy

struct `A program that failed` {
  @Test func `is started again and answers the next request`() async throws {
    let trial = try Trial("dies-once")
    let answers = try await trial.decide((0..<128).map { "item \($0)" })
    #expect(answers == Array(repeating: nil, count: 64) + Array(repeating: "Produce", count: 64))
    #expect(trial.starts.count == 2)
    #expect(trial.remarks == ["strategy `trial` ended before it answered (exit code 5)"])
  }

  @Test func `is started five times, each time after a longer pause, and then never again`() async throws {
    let trial = try Trial("dies-before-the-answer")
    for _ in 0..<3 { #expect(try await trial.decide((0..<640).map { "item \($0)" }).allSatisfy { $0 == nil }) }
    let starts = trial.starts
    // Where a machine is so busy that five failures take more than the window, there is another start.
    let isSlow = starts.count > 5 && starts[4] - starts[0] > RestartPolicy.window / .seconds(1) * 0.9
    try #require(starts.count == 5 || isSlow)
    for (place, pause) in [0.1, 0.2, 0.4, 0.8].enumerated() {
      #expect(starts[place + 1] - starts[place] >= pause, "the pause before start \(place + 2)")
    }
    if isSlow { return }
    #expect(
      trial.remarks == [
        "strategy `trial` ended before it answered (exit code 4)",
        "strategy `trial` failed 5 times within 3 minutes and is switched off; its items go to the next strategy",
      ])
    #expect(await trial.isGone())
  }

  @Test func `may be started at once when it had not failed for three minutes`() {
    var restarts = RestartPolicy()
    var now = ContinuousClock.now
    #expect(restarts.earliestStart == nil)
    for count in 1...4 {
      restarts.fail(at: now)
      #expect(!restarts.isOpen)
      #expect(restarts.earliestStart == now + .milliseconds(100 << (count - 1)))
      now += .seconds(1)
    }
    now += RestartPolicy.window
    restarts.fail(at: now)
    #expect(!restarts.isOpen)
    #expect(restarts.earliestStart == now + .milliseconds(100))
  }

  @Test func `is switched off by the fifth failure within three minutes, not by five in a longer time`() {
    for (gap, isOpen) in [(44, true), (46, false)] {
      var restarts = RestartPolicy()
      let start = ContinuousClock.now
      for count in 0..<5 { restarts.fail(at: start + .seconds(gap * count)) }
      #expect(restarts.isOpen == isOpen, "a failure every \(gap) s")
    }
  }
}

struct `Waiting for a program` {
  @Test func `ends when the task is cancelled, and the program is there for the next`() async throws {
    let trial = try Trial("hangs", timeout: .seconds(3_000))
    let task = Task { try await trial.decide(["kale"]) }
    while trial.starts.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `ends when the caller is interrupted, and nothing is left`() async throws {
    let pipe = Pipe()
    let trial = try Trial(
      "hangs-and-ignores-sigterm", timeout: .seconds(3_000), interruption: pipe.fileHandleForReading.fileDescriptor)
    let task = Task { try await trial.decide(["kale"]) }
    while trial.starts.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    try pipe.fileHandleForWriting.write(contentsOf: Data([1]))
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(await trial.isGone())
    await #expect(throws: CancellationError.self) { try await trial.decide(["kale"]) }
    #expect(trial.starts.count == 1)
  }

  @Test func `is over once the strategy is closed`() async throws {
    let trial = try Trial("none")
    #expect(try await trial.decide(["kale"]) == ["Produce"])
    await trial.strategy.close()
    #expect(try await trial.decide(["kale"]) == [nil])
    #expect(trial.starts.count == 1)
  }
}
