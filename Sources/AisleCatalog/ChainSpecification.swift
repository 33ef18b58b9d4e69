import AisleCore

/// A chain as people write it: `learned,keyword(mode=substring)>=0.6`.
///
/// Strategies are separated by commas. Options go in parentheses as `name=value`, separated by commas. `>=` and a number in 0…1 give
/// the confidence at which a decision is final.
public struct ChainSpecification: Sendable, Hashable {
  /// A strategy as written.
  public struct Link: Sendable, Hashable {
    /// The strategy's id.
    public var strategy: String
    /// Its options, in the order they were written.
    public var options: [Option]
    /// The confidence at which its decision is final; `nil` if any decision is final.
    public var threshold: Float?

    /// Makes a link.
    public init(_ strategy: String, options: [Option] = [], threshold: Float? = nil) {
      self.strategy = strategy
      self.options = options
      self.threshold = threshold
    }

    /// Whether it is the language model, whose answers cost money.
    package var isModel: Bool { strategy == "llm" }

    /// The link as written.
    public var text: String {
      var text = strategy
      for (place, option) in options.enumerated() { text += "\(place == 0 ? "(" : ",")\(option.name)=\(option.value)" }
      if !options.isEmpty { text += ")" }
      return text + (threshold.map { ">=\($0)" } ?? "")
    }
  }

  /// An option of a strategy.
  public struct Option: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// Its value.
    public var value: String

    /// Makes an option.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The links, in the order they are asked; at least one.
  public let links: [Link]

  /// Makes a chain of links; `nil` without any.
  package init?(_ links: [Link]) {
    if links.isEmpty { return nil }
    self.links = links
  }

  /// The chain without the language model; `nil` where it is the only strategy.
  package var local: ChainSpecification? { Self(links.filter { !$0.isModel }) }

  /// The chain as it is written.
  public var text: String { links.map(\.text).joined(separator: ",") }

  /// Reads a chain.
  ///
  /// - Throws: `ChainError`, which names the part that is wrong. The catalog checks whether the strategies exist.
  public init(_ text: String) throws(ChainError) {
    var links: [Link] = []
    for part in try Self.split(text) { links.append(try Self.link(part)) }
    if links.isEmpty { throw ChainError("chain: no strategy; write strategy names separated by commas, e.g. keyword") }
    if links.count > 32 { throw ChainError("chain: more than 32 strategies") }
    self.links = links
  }

  /// Cuts at the commas outside parentheses.
  private static func split(_ text: String) throws(ChainError) -> [String] {
    var parts: [String] = []
    var part = ""
    var depth = 0
    for character in text {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if depth < 0 || depth > 1 { throw ChainError("chain `\(text)`: unbalanced parentheses; write name(option=value)") }
      if character == ",", depth == 0 {
        parts.append(part)
        part = ""
      } else {
        part.append(character)
      }
    }
    if depth != 0 { throw ChainError("chain `\(text)`: unbalanced parentheses; write name(option=value)") }
    parts.append(part)
    return parts == [""] ? [] : parts
  }

  private static func link(_ text: String) throws(ChainError) -> Link {
    var rest = Substring(text)
    var threshold: Float?
    if let sign = rest.range(of: ">=") {
      let number = rest[sign.upperBound...].trimmed
      guard let value = Float(number), (0...1).contains(value) else {
        throw ChainError(
          "chain: `\(number)` after >= is not a confidence; write a number in 0…1, e.g. \(rest[..<sign.lowerBound].trimmed)>=0.6"
        )
      }
      threshold = value
      rest = rest[..<sign.lowerBound]
    } else if let sign = rest[(rest.lastIndex(of: ")") ?? rest.startIndex)...].firstIndex(of: ">") {
      let number = rest[rest.index(after: sign)...].trimmed
      let written = rest[..<sign].trimmed
      let name = written.hasSuffix("=") ? written.dropLast().trimmed : written
      throw ChainError(
        "chain: `\(rest.trimmed)`: write >= before the confidence, e.g. \(name)>=\(Float(number) == nil ? "0.6" : number)")
    }
    var options: [Option] = []
    if let open = rest.firstIndex(of: "(") {
      guard rest.trimmed.hasSuffix(")") else {
        throw ChainError(
          "chain: unexpected text after the options of `\(rest[..<open].trimmed)`; put a comma between strategies")
      }
      let inside = rest[rest.index(after: open)...].trimmed.dropLast()
      for pair in inside.split(separator: ",", omittingEmptySubsequences: false) {
        guard let sign = pair.firstIndex(of: "="), sign != pair.startIndex else {
          throw ChainError("chain: bad option `\(pair.trimmed)` of `\(rest[..<open].trimmed)`; write option=value")
        }
        options.append(Option(name: pair[..<sign].trimmed, value: pair[pair.index(after: sign)...].trimmed))
      }
      rest = rest[..<open]
    }
    let name = rest.trimmed
    if name.isEmpty { throw ChainError("chain: a strategy's name is missing; write e.g. keyword>=0.6") }
    return Link(name, options: options, threshold: threshold)
  }
}

/// A chain that cannot be built.
public struct ChainError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong and what to write instead, in one line.
  public let description: String

  init(_ description: String) { self.description = description }

  /// The same error, with the place that set the chain before it.
  package init(_ description: String, at origin: String?) {
    self.description = origin.map { "\($0): \(description)" } ?? description
  }
}
