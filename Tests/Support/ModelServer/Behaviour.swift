import AisleCore

/// What the server does with one request.
public struct Behaviour: Sendable {
  /// What comes back.
  enum Action: Sendable {
    case answer
    case edit(@Sendable (inout [AnswerItem]) -> Void)
    case outcome(String)
    case fail(Int, type: String, message: String, headers: [(String, String)])
    case body([UInt8])
    case raw([UInt8], thenHangs: Bool)
    case hang
  }

  let action: Action
  /// How the answer is written.
  var style = Style.keyed
  /// How long it waits before, in seconds.
  var latency = 0.0
  /// What it says that the request took; `nil` for the truth.
  var claim: Claim?

  /// How an answer is written.
  public enum Style: Sendable, CaseIterable {
    /// As the schema has it.
    case keyed
    /// With words around it, between fences.
    case fenced
    /// In two blocks.
    case blocks
    /// As a list of objects, by servers that ignore the schema.
    case list
  }

  /// What an answer says in the place of the truth.
  enum Claim: Sendable {
    case nothing
    case usage(JSONValue)
  }

  /// Answers soundly.
  public static let answer = Behaviour(action: .answer)

  /// Answers, with the items changed.
  public static func edit(_ change: @escaping @Sendable (inout [AnswerItem]) -> Void) -> Behaviour {
    Behaviour(action: .edit(change))
  }

  /// Refuses, as models do.
  public static let refuse = Behaviour(action: .outcome("refusal"))

  /// Is cut off in its answer.
  public static let truncate = Behaviour(action: .outcome("max_tokens"))

  /// Fails with a status.
  public static func fail(
    _ status: Int, type: String = "api_error", message: String = "no luck", headers: [(String, String)] = []
  ) -> Behaviour {
    Behaviour(action: .fail(status, type: type, message: message, headers: headers))
  }

  /// Answers 200 with a body of any bytes.
  public static func body(_ bytes: [UInt8]) -> Behaviour { Behaviour(action: .body(bytes)) }

  /// Answers 200 with a body of any text.
  public static func body(_ text: String) -> Behaviour { body(Array(text.utf8)) }

  /// Sends any bytes and closes the connection, or sends nothing more.
  public static func raw(_ text: String, thenHangs: Bool = false) -> Behaviour {
    Behaviour(action: .raw(Array(text.utf8), thenHangs: thenHangs))
  }

  /// Never answers.
  public static let hang = Behaviour(action: .hang)

  /// Says of an answer that it took something else, as JSON of the API's own `usage`; `nil` leaves it out.
  public func claiming(_ usage: String?) -> Behaviour {
    var lying = self
    lying.claim = usage.map { .usage((try? JSONValue(Array($0.utf8))) ?? .null) } ?? .nothing
    return lying
  }

  /// An answer with what is claimed.
  func lie(_ answer: [UInt8]) -> [UInt8] {
    guard let claim, case .object(let members)? = try? JSONValue(answer) else { return answer }
    let others = members.filter { $0.name != "usage" }
    switch claim {
    case .nothing: return JSONValue.object(others).bytes
    case .usage(let usage): return JSONValue.object(others + [.init("usage", usage)]).bytes
    }
  }

  /// Writes the answer in another way.
  public func written(_ style: Style) -> Behaviour {
    var other = self
    other.style = style
    return other
  }

  /// Waits first.
  public func after(seconds: Double) -> Behaviour {
    var later = self
    later.latency = seconds
    return later
  }
}

/// An item of an answer.
public struct AnswerItem: Sendable {
  /// Its id.
  public var id: String
  /// The item as it was asked about.
  public var item: String
  /// Its section.
  public var section: String

  /// Makes an item.
  public init(id: String, item: String = "", section: String) {
    self.id = id
    self.item = item
    self.section = section
  }
}
