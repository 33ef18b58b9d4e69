import AisleCore

/// A line that a program wrote, read but not judged yet.
struct Message {
  let strategy: String
  private(set) var type = ""
  private(set) var id: Int?
  private(set) var answers: [Answer]?
  private(set) var version: Int?
  private(set) var name: String?
  private(set) var programVersion: String?
  private(set) var summary: String?
  private(set) var examples: [StrategyExample] = []
  private(set) var wants: [String] = []
  private(set) var text: String?
  /// What the answer cost, as the program says: tokens of a language model, and US dollars.
  private(set) var tokens = 0
  private(set) var dollars: Double?

  /// Reads a line.
  ///
  /// - Throws: `Ending` when it is no JSON object, or when a field is not what it must be.
  init(_ line: [UInt8], of strategy: String) throws(Ending) {
    self.strategy = strategy
    let fault = line.withUnsafeBufferPointer { bytes -> JSONFault? in
      var scanner = JSONScanner(bytes)
      do throws(JSONFault) {
        try read(&scanner)
        return nil
      } catch {
        return error
      }
    }
    if let fault {
      throw Ending(strategy, .badReply, "answered `\(Printable.text(line, limit: 60))`: \(fault.message)")
    }
  }

  /// The failure of having said this where something else belongs.
  func unexpected(where expected: String) -> Ending {
    fault("answered with \(type.isEmpty ? "no type" : "the type `\(type)`"); it must be `\(expected)`")
  }

  /// The failure of having said that it cannot work.
  var refusal: Ending { Ending(strategy, .refused, "cannot work: \(text ?? "no reason given")") }

  func fault(_ message: String) -> Ending { Ending(strategy, .badReply, message) }

  private mutating func read(_ scanner: inout JSONScanner) throws(JSONFault) {
    var message = self
    try scanner.object { scanner, key throws(JSONFault) in
      switch String(decoding: key, as: UTF8.self) {
      case "type": message.type = try scanner.text(limit: 40) ?? ""
      case "id": message.id = try scanner.integer()
      case "protocol": message.version = try scanner.integer()
      case "name": message.name = try scanner.text(limit: 100)
      case "version": message.programVersion = try scanner.text(limit: 100)
      case "summary": message.summary = try scanner.text(limit: 200)
      case "message": message.text = try scanner.text(limit: 500)
      case "tokens":
        message.tokens = try scanner.integer()
        if !(0...1_000_000_000).contains(message.tokens) { throw scanner.fault("expected 0 to 1e9 tokens") }
      case "dollars":
        let dollars = try scanner.number()
        if !(0...1_000_000).contains(dollars) { throw scanner.fault("expected 0 to 1e6 dollars") }
        message.dollars = dollars
      case "wants":
        try scanner.array { scanner throws(JSONFault) in
          if let wish = try scanner.text(limit: 40) { message.wants.append(wish) }
        }
      case "answers":
        var answers: [Answer] = []
        try scanner.array { scanner throws(JSONFault) in answers.append(try scanner.answer()) }
        message.answers = answers
      case "examples":
        try scanner.array { scanner throws(JSONFault) in
          if let example = try scanner.example() { message.examples.append(example) }
        }
      default: try scanner.skipValue()
      }
    }
    try scanner.end()
    self = message
  }
}

extension JSONScanner {
  /// Reads a text for people to see, or `null`.
  fileprivate mutating func text(limit: Int) throws(JSONFault) -> String? {
    if peek() == UInt8(ascii: "n") {
      try skipValue()
      return nil
    }
    return Printable.text(try string(), limit: limit)
  }

  fileprivate mutating func integer() throws(JSONFault) -> Int {
    let number = try number()
    guard let integer = Int(exactly: number) else { throw fault("expected a whole number") }
    return integer
  }

  fileprivate mutating func answer() throws(JSONFault) -> Answer {
    var (type, section, evidence, message): (String?, String?, String?, String?)
    var confidence: Double?
    try object { scanner, key throws(JSONFault) in
      switch String(decoding: key, as: UTF8.self) {
      case "type": type = try scanner.text(limit: 40)
      case "section": section = try scanner.text(limit: 200)
      case "confidence": confidence = try scanner.number()
      case "evidence": evidence = try scanner.text(limit: 200)
      case "message": message = try scanner.text(limit: 500)
      default: try scanner.skipValue()
      }
    }
    switch type {
    case "match":
      guard let section, let confidence else { return .invalid("answered with a match without section or confidence") }
      return .match(section: section, confidence: confidence, evidence: evidence ?? "")
    case "abstain": return .abstain
    case "error": return .error(message ?? "no reason given")
    default: return .invalid("answered with the type `\(type ?? "")`; it must be match, abstain, or error")
    }
  }

  fileprivate mutating func example() throws(JSONFault) -> StrategyExample? {
    var (item, section, topic): (String?, String?, String?)
    try object { scanner, key throws(JSONFault) in
      switch String(decoding: key, as: UTF8.self) {
      case "item": item = try scanner.text(limit: 200)
      case "section": section = try scanner.text(limit: 200)
      case "topic": topic = try scanner.text(limit: 200)
      default: try scanner.skipValue()
      }
    }
    return item.map { StrategyExample($0, section, topic: topic ?? "the program's own example") }
  }
}
