import AisleCore
import AisleTesting
import Foundation
import ProcessStrategy
import Testing

struct `An external strategy` {
  @Test func `keeps the promises of a strategy`() async throws {
    let trial = try Trial("none")
    _ = try await trial.strategy.introduce()
    let failures = await StrategyConformance.check(trial.strategy, taxonomy: trial.taxonomy)
    #expect(failures.isEmpty, "\(failures.map(\.description).joined(separator: "\n"))")
    #expect(trial.starts.count == 1, "one program serves all calls")
  }

  @Test func `starts its program for the first item that is asked of it`() async throws {
    let trial = try Trial("none")
    #expect(try await trial.decide([]) == [])
    var decided = Batch(["kale"], taxonomy: trial.taxonomy)
    decided.decide(0, Decision(section: SectionID(rawValue: 1), confidence: 1))
    try await trial.strategy.decide(&decided)
    #expect(trial.starts.isEmpty)
    #expect(try await trial.decide(["kale"]) == ["Produce"])
    #expect(trial.starts.count == 1)
  }

  @Test func `gives the program's section, confidence and evidence`() async throws {
    let trial = try Trial("none")
    var batch = Batch(["kale"], taxonomy: trial.taxonomy)
    try await trial.strategy.decide(&batch)
    let decision = try #require(batch.decisions[0])
    #expect(trial.taxonomy[decision.section].name == "Produce")
    #expect(decision.confidence == 0.75)
    #expect(decision.evidence.note.map { batch.notes[Int($0)] } == "it is kale")
  }

  @Test func `leaves what the program abstains from and what it cannot decide`() async throws {
    let trial = try Trial("none")
    #expect(try await trial.decide(["kale", "kale?", "kale!", "leek"]) == ["Produce", nil, nil, "Produce"])
    #expect(trial.remarks == ["strategy `trial` could not decide an item: too loud"])
  }

  @Test func `asks for at most 64 items at once, in order, and for none of more than 8 KiB`() async throws {
    let (lines, trace) = AsyncStream.makeStream(of: String.self)
    let trial = try Trial("none") { settings in settings.trace = { trace.yield($0) } }
    let long = String(repeating: "k", count: 8 * 1024 + 1)
    let items = (0..<150).map { $0 == 70 ? long : "item \($0)\($0 % 7 == 0 ? "?" : "")" }
    let answers = try await trial.decide(items)
    for (place, answer) in answers.enumerated() {
      #expect(answer == (place == 70 || place % 7 == 0 ? nil : "Produce"), "item \(place)")
    }
    trace.finish()
    var requests: [String] = []
    for await line in lines where line.hasPrefix("> {\"type\":\"decide\"") { requests.append(line) }
    #expect(requests.count == 3)
    #expect(trial.strategy.usage == StrategyUsage(requests: 3))
  }

  @Test func `counts what the program says its answers cost`() async throws {
    let trial = try Trial("costs")
    _ = try await trial.decide((0..<65).map { "item \($0)" })
    #expect(trial.strategy.usage == StrategyUsage(requests: 2, tokens: 650, dollars: 1))
  }

  @Test func `tells a program that wants it which keywords the shelves have`() async throws {
    let trial = try Trial("wants-shelves")
    #expect(try await trial.decide(["kale"]) == ["Produce"])
    await trial.strategy.close()
    #expect(trial.remarks == ["trial: 2 shelves"])
  }

  @Test func `is what its program calls itself, once it has`() async throws {
    let trial = try Trial("none")
    #expect(trial.strategy.metadata.summary == "decisions by the program python3")
    let introduction = try await trial.strategy.introduce()
    #expect(introduction.programName == "faulty")
    #expect(introduction.programVersion == "1.0")
    #expect(introduction.version == 1)
    #expect(trial.strategy.metadata.summary == "plays none")
    #expect(trial.strategy.metadata.id == "trial")
    #expect(trial.strategy.metadata.examples.map(\.item) == ["kale", "kale?"])
  }

  @Test func `ends its program when it goes`() async throws {
    for fault in ["none", "survives-the-end", "forks"] {
      let trial = try Trial(fault)
      #expect(try await trial.decide(["kale"]) == ["Produce"])
      #expect(trial.processCount >= 1)
      await trial.strategy.close()
      #expect(await trial.isGone(), "\(fault)")
    }
  }

  @Test func `starts no program once it is closed`() async throws {
    let trial = try Trial("none")
    await trial.strategy.close()
    #expect(try await trial.decide(["kale"]) == [nil])
    #expect(trial.starts.isEmpty)
  }

  @Test func `has no remark to make of a program that ends when its input does`() async throws {
    let trial = try Trial("none")
    _ = try await trial.decide(["kale"])
    await trial.strategy.close()
    #expect(await trial.isGone())
    #expect(trial.remarks == [])
  }
}
