/// A regular expression that points to a shelf or a section, for text that keywords cannot express: `93/7`, `12pk`, `2%`.
///
/// The expression is a caseless PCRE2 pattern in UTF mode. It sees the item as written. Here it is plain text; `RegexStrategy` matches it.
public struct Pattern: Sendable, Hashable {
  /// The name that explanations show: lowercase letters, digits, and hyphens, unique within a store.
  public let name: String
  /// The expression as written in its file; at most `maximumBytes` long.
  public let expression: String
  /// The shelf it points to; `nil` for a section's own pattern.
  public let shelf: ShelfID?
  /// The section it points to.
  public let section: SectionID
  /// How likely the section is right when the pattern matches, in 0…1. If several patterns match, the highest confidence wins.
  public let confidence: Float
  /// Items that it must match.
  public let matches: [Example]
  /// Items that it must not match.
  public let rejects: [Example]
  /// The location of the expression's first byte.
  public let location: SourceLocation

  /// Describes a pattern; `TaxonomyBuilder.addPattern` checks it.
  public init(
    name: String, expression: String, shelf: ShelfID?, section: SectionID, confidence: Float = Pattern.usualConfidence,
    matches: [Example] = [], rejects: [Example] = [], location: SourceLocation
  ) {
    self.name = name
    self.expression = expression
    self.shelf = shelf
    self.section = section
    self.confidence = confidence
    self.matches = matches
    self.rejects = rejects
    self.location = location
  }

  /// An item that shows what a pattern does.
  public struct Example: Sendable, Hashable {
    /// The item.
    public let item: String
    /// Where it is written.
    public let location: SourceLocation

    /// Makes an example.
    public init(_ item: String, at location: SourceLocation) {
      self.item = item
      self.location = location
    }
  }

  /// The longest expression, in bytes.
  public static let maximumBytes = 1024
  /// The most patterns that a store may have, including shared ones.
  public static let maximumCount = 4096
  /// The default confidence of a pattern.
  public static let usualConfidence: Float = 0.9
}

/// A pattern's number: its place in `Taxonomy.patterns`, from 0.
public struct PatternID: Sendable, Hashable, RawRepresentable {
  /// The place in `Taxonomy.patterns`.
  public let rawValue: UInt16

  /// Makes the id of the pattern at a place in `Taxonomy.patterns`.
  public init(rawValue: UInt16) { self.rawValue = rawValue }
}

extension Pattern {
  /// What is wrong with the pattern beside its expression's grammar, each with its place.
  func faults(at nameLocation: SourceLocation) -> [Finding] {
    var faults: [Finding] = []
    if !Shelf.isValid(name: name) {
      faults.append(Finding(nameLocation, "pattern name `\(name)` must have 1 to 64 characters: a-z, 0-9, and hyphens"))
    }
    if expression.isEmpty { faults.append(Finding(location, "the expression of pattern `\(name)` is empty")) }
    if expression.utf8.count > Pattern.maximumBytes {
      faults.append(
        Finding(
          location,
          "the expression has \(expression.utf8.count) bytes; at most \(Pattern.maximumBytes) are allowed (put words on shelves, not in patterns)"
        ))
    }
    if expression.hasPrefix("(*") {
      faults.append(Finding(location, "an expression must not begin with `(*`, which sets options; remove it"))
    }
    if let control = expression.unicodeScalars.first(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      let code = String(control.value, radix: 16)
      faults.append(Finding(location, "a control character in the expression; write it as \\x{\(code)}"))
    }
    if !(confidence > 0 && confidence <= 1) {
      faults.append(Finding(nameLocation, "the confidence of pattern `\(name)` must be more than 0 and at most 1"))
    }
    if matches.isEmpty || rejects.isEmpty {
      let field = matches.isEmpty ? "`matches`" : "`rejects`"
      faults.append(
        Finding(nameLocation, "pattern `\(name)` has no \(field); list items that it must \(matches.isEmpty ? "" : "not ")match"))
    }
    for example in matches + rejects where example.item.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\t" }) {
      faults.append(Finding(example.location, "a control character in an example; an item is one line"))
    }
    return faults
  }
}
