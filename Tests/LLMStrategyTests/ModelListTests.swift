import LLMStrategy
import Testing

/// What is known of models, as data.
@Suite struct ModelListTests {
  private static let today = CalendarDay("2026-11-23")

  @Test("Every built-in line can be read, says when it was, and whose the model is")
  func builtIn() {
    #expect(ModelList.read(ModelList.builtInText).faults.isEmpty)
    #expect(ModelList.builtIn.models.count > 10)
    for model in ModelList.builtIn.models {
      #expect(model.read != nil && model.provider != nil, "\(model.name)")
      #expect(model.aliases.allSatisfy { ModelList.builtIn[$0]?.name == model.name }, "\(model.name)")
    }
  }

  @Test("What is asked where nothing is named will be there in a year", arguments: [ModelProvider.anthropic, .openai])
  func defaults(provider: ModelProvider) throws {
    for purpose in KnownModel.Purpose.allCases {
      let model = try #require(ModelList.builtIn.standard(provider, for: purpose))
      let read = try #require(model.read)
      #expect(model.end.map { read.days(until: $0) >= 365 } ?? true, "\(model.name)")
    }
  }

  @Test(
    "A model that ends within 60 days is ending, and after its last day ended",
    arguments: [("2026-11-22", "ended"), ("2026-11-23", "ending"), ("2027-01-22", "ending"), ("2027-01-23", "lasting")])
  func outlook(end: String, expected: String) throws {
    let model = try #require(ModelList.read("m 1 2 ends=\(end)").list["m"])
    switch model.outlook(on: try #require(Self.today)) {
    case .lasting: #expect(expected == "lasting")
    case .ending(let day): #expect(expected == "ending" && day.description == end)
    case .ended(let day): #expect(expected == "ended" && day.description == end)
    }
  }

  @Test("A line of one's own says what changes, and the rest stays")
  func overriding() throws {
    let own = ModelList.read("gpt-4.1-mini-2025-04-14 9 8\nmine* 1 2\nmine-large 3 4").list
    let list = ModelList.builtIn.overridden(by: own)
    let model = try #require(list["gpt-4.1-mini"])
    #expect(model.price?.input == 9 && model.end == CalendarDay("2027-01-14") && model.photoSide == 1_568)
    #expect(list["mine-small"]?.price?.input == 1 && list["mine-large"]?.price?.input == 3)
    #expect(list["unheard-of"] == nil)
  }

  @Test(
    "A wrong line is named with what to write",
    arguments: [
      ("m", "write MODEL"), ("m 1", "write MODEL"), ("m 1 -2", "write MODEL"), ("m 1 2 3", "write MODEL"),
      ("m 1 two", "write MODEL"), ("m 1 2 ends=tomorrow", "`ends=` must be a day"), ("m 1 2 ends=2026-02-30", "`ends=`"),
      ("m 1 2 colour=red", "unknown field `colour=`"), ("m 1 2 photo=1", "`photo=` must be"), ("m effort=some", "`effort=`"),
    ])
  func faults(line: String, words: String) {
    let faults = ModelList.read("# first\n\(line)").faults
    #expect(faults.count == 1 && faults.first?.line == 2 && faults.first?.message.contains(words) == true, "\(faults)")
  }

  @Test("Days are numbered as the calendar has them")
  func days() {
    for (text, number) in [("1970-01-01", 0), ("2000-02-29", 11_016), ("2026-11-23", 20_780), ("2100-03-01", 47_541)] {
      #expect(CalendarDay(text)?.daysSince1970 == number && CalendarDay(daysSince1970: number).description == text, "\(text)")
    }
    for text in ["2100-02-29", "2026-13-01", "2026-1-1", "x026-01-01", "", "2026-01-01-"] { #expect(CalendarDay(text) == nil) }
  }
}
