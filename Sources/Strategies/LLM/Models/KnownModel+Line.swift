extension KnownModel {
  /// What is wrong with a line.
  struct LineFault: Error {
    /// What is wrong and what to write, in one line.
    let message: String
  }

  /// Reads a line of the form that `models.txt` describes; its comment is cut off already.
  ///
  /// - Throws: `LineFault`.
  init(line fields: [Substring]) throws(LineFault) {
    let usage = LineFault(
      message: "write MODEL and the dollars per million input and output tokens, e.g. `my-model 0.25 1.25`")
    guard let name = fields.first, !name.contains("=") else { throw usage }
    self.init(name: String(name))
    let prices = fields.dropFirst().prefix { !$0.contains("=") }.map { Double($0) }
    let others = fields.dropFirst(1 + prices.count)
    switch prices.count {
    case 0 where !others.isEmpty: break
    case 2, 4:
      let figures = prices.compactMap { $0 }.filter { (0...1_000_000).contains($0) }
      guard figures.count == prices.count else { throw usage }
      price = ModelPrice(
        input: figures[0], output: figures[1], cacheRead: figures.count == 4 ? figures[2] : figures[0],
        cacheWrite: figures.count == 4 ? figures[3] : figures[0])
    default: throw usage
    }
    for field in others {
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 else { throw usage }
      try set(parts[0], parts[1])
    }
  }

  private mutating func set(_ field: String, _ value: String) throws(LineFault) {
    func read<Value>(_ found: Value?, _ rule: String) throws(LineFault) -> Value {
      guard let found else { throw LineFault(message: "`\(field)=` must be \(rule), not `\(value)`") }
      return found
    }
    func number(_ range: ClosedRange<Int>) -> Int? { Int(value).flatMap { range.contains($0) ? $0 : nil } }
    let day = "a day, e.g. 2027-01-14"
    switch field {
    case "also": aliases = value.split(separator: ",").map(String.init)
    case "api": provider = try read(ModelProvider(rawValue: value), "anthropic, openai, or proxy")
    case "default":
      purposes = Set(
        try value.split(separator: ",").map { part throws(LineFault) in
          try read(Purpose(rawValue: String(part)), "text, photo, or text,photo")
        })
    case "cache": cacheableTokens = try read(number(0...1_000_000), "a number of tokens")
    case "photo": photoSide = try read(number(64...10_000), "a number of pixels from 64 to 10000")
    case "effort": effort = try read(Effort(rawValue: value), "one of \(Effort.names)")
    case "ends": end = try read(CalendarDay(value), day)
    case "read": self.read = try read(CalendarDay(value), day)
    default:
      throw LineFault(message: "unknown field `\(field)=`; use also, api, default, cache, photo, effort, ends, or read")
    }
  }
}
