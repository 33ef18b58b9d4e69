import ModelServer
import Testing

/// Short items go out with their neighbors on the list.
@Suite struct NeighborTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func server() throws -> ModelServer {
    try ModelServer(.anthropic, sections: ScratchFolder.sections, answers: ["til": "Snacks", "dragon fruit": "Produce"])
  }

  @Test("What is known of the list goes along with a short item, and is not asked about")
  func goesAlong() throws {
    let server = try server()
    let run = try ModelRun.categorize(["kale", "oat milk", "til", "butter", "dragon fruit"], server, in: folder)
    #expect(run.sections == ["Produce", "Dairy & Eggs", "Snacks", "Dairy & Eggs", "Produce"], "\(run.diagnostics)")
    #expect(server.faults.isEmpty, "\(server.faults)")
    #expect(server.received.map { $0.items.map(\.item) } == [["til", "dragon fruit"]])
    #expect(server.received.map(\.context) == [["kale", "oat milk", "butter"]])
  }

  @Test("Longer items go out alone, and so does a short one without a list")
  func alone() throws {
    let server = try server()
    _ = try ModelRun.categorize(["kale", "dragon fruit"], server, in: folder)
    _ = try ModelRun.categorize(["til"], server, in: folder)
    #expect(server.received.map(\.context) == [[], []])
  }

  @Test("No more than the 20 nearest go along, also of those that were written before the model was asked")
  func nearest() throws {
    let server = try server()
    let items = (1...30).map { "kale \($0)" } + ["til"] + (31...60).map { "kale \($0)" }
    _ = try ModelRun.categorize(items, server, in: folder)
    #expect(server.received.map(\.context) == [(21...40).map { "kale \($0)" }])
  }

  @Test("An answer is used again beside the same neighbors, in any order, and not beside others")
  func cache() throws {
    let server = try server()
    for (items, count) in [(["kale", "butter", "til"], 1), (["Butter", "TIL", "kale"], 1), (["kale", "til"], 2), (["til"], 3)] {
      #expect(try ModelRun.categorize(items, server, in: folder).sections.contains("Snacks"))
      #expect(server.count == count, "\(items)")
    }
    let export = try aisle("llm", "cache", "export", in: folder).text
    #expect(export.matches(of: /"present":"\(beside [0-9a-f]{16}\)"/).count == 2, "\(export)")
    try folder.write(export, to: "answers.jsonl")
    #expect(
      try aisle("llm", "cache", "import", "answers.jsonl", in: folder).diagnostics == "answers: 0 new, 0 changed, 3 unchanged\n")
  }

  @Test("Two lists that are asked about together do not mix")
  func twoLists() throws {
    let server = try ModelServer(.anthropic, sections: ScratchFolder.sections) { _ in .answer.after(seconds: 0.1) }
    let items = ["kale"] + (0..<4).map { "odd thing \($0)" } + ["til"] + ["milk"] + (4..<8).map { "odd thing \($0)" } + ["rai"]
    _ = try ModelRun.categorize(items, server, ["--llm-batch", "5"], in: folder)
    #expect(server.faults.isEmpty)
    for request in server.received where !request.items.contains(where: { ["til", "rai"].contains($0.item) }) {
      #expect(request.context == [])
    }
  }

  @Test("An evaluation asks about each item alone, since a corpus is no list")
  func corpus() throws {
    try folder.write("kale\tgreens\t\ntil\tSnacks\t\n", to: "corpus/list.tsv")
    let server = try server()
    let run = try RunningAisle(["eval"] + ModelRun.options(server), in: folder, environment: ModelRun.key).finish()
    #expect(run.ending == .exited(0), "\(run.diagnostics)")
    #expect(server.received.map(\.context) == [[]])
  }
}
