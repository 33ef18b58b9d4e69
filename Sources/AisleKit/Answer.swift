package import AisleCore

/// Where an item belongs, how sure that is, and why.
///
/// As JSON it has the fields of the command's `--format jsonl --explain`, with the same names and values, and in addition `section_id`,
/// `color`, `shelf`, `match`, and `note`; fields without a value are left out:
///
/// ```json
/// {"item":"2 lbs chicken thighs","section":"Meat & Seafood","section_id":"meat-seafood","color":"red","shelf":"chicken",
///  "confidence":0.98,"strategy":"keyword","keyword":"chicken thigh","match":"chicken thighs","span":"6-20","rule":"head",
///  "source":"taxonomies/shelves/chicken.txt:12"}
/// ```
public struct Answer: Sendable, Hashable {
  /// The item as it was given.
  public var item: String
  /// The section's name, as people read it.
  public var section: String
  /// The section's id, to keep in a database: see `Taxonomy.stableSectionIDs`.
  public var sectionID: String
  /// The hue that the section is shown in.
  public var color: SectionColor
  /// The shelf that the item is on, e.g. `plant-milk`; `nil` if only the section is known.
  public var shelf: String?
  /// How likely the section is right, in 0…1; 0 where nothing decided. The command's output has two decimals of it.
  public var confidence: Float
  /// The id of the strategy that decided: `learned`, `keyword`, `model`, or `regex`; `nil` where nothing did, and the section is the fallback.
  public var strategy: String?
  /// What decided: the keyword, after the sign of its strength, or the name of the pattern; for a correction, its note.
  public var keyword: String?
  /// The part of the item that the keyword or pattern matched.
  public var match: String?
  /// Where that part stands, in bytes of the item's UTF-8.
  public var span: Range<Int>?
  /// The rule that let it win, e.g. `head`.
  public var rule: String?
  /// The file and line of the keyword or pattern.
  public var source: String?
  /// The best keyword that spoke for another section, with that section's name.
  public var runnerUp: String?
  /// What another strategy said, with its confidence and section, where several were weighed: `model 0.93 (Snacks)`.
  public var secondOpinion: String?
  /// What the strategy says in its own words: which correction it was, who made it, and when.
  public var note: String?

  /// Why, in a few words: `oat milk (head)`; empty where nothing decided.
  public var explanation: String {
    [keyword, rule.map { keyword == nil ? $0 : "(\($0))" }].compactMap(\.self).joined(separator: " ")
  }

  /// The answer about an item of a batch.
  ///
  /// - Parameters:
  ///   - sections: The sections of the batch's taxonomy.
  ///   - strategies: Those of the chain that decided.
  package init(_ index: Int, in batch: Batch, sections: [Aisle.Section], strategies: [StrategyMetadata]) {
    let decision = batch.decisions[index]
    let number = Int((decision?.section ?? batch.taxonomy.fallback).rawValue)
    let place = sections[number < sections.count ? number : Int(batch.taxonomy.fallback.rawValue)]
    let explanation = Explanation(index, in: batch, metadata: strategies)
    func text(_ text: String) -> String? { text.isEmpty ? nil : text }
    item = batch.item(index)
    section = place.name
    sectionID = place.id
    color = place.color
    confidence = explanation.confidence
    strategy = decision?.strategy == nil ? nil : explanation.strategy
    keyword = text(explanation.keyword)
    span = decision?.evidence.span
    match = span.flatMap { span in
      let bytes = batch.bytes(index)
      guard span.upperBound <= bytes.count else { return nil }
      return String(decoding: bytes[bytes.startIndex + span.lowerBound..<bytes.startIndex + span.upperBound], as: UTF8.self)
    }
    rule = text(explanation.rule)
    source = text(explanation.sourceText)
    runnerUp = text(explanation.runnerUp)
    secondOpinion = text(explanation.secondOpinion)
    note = decision.flatMap { batch.note(of: $0) }
    shelf = decision.flatMap { Self.shelf($0, batch.taxonomy) }
  }

  /// The shelf that a decision rests on, where it stands in the section that was decided.
  private static func shelf(_ decision: Decision, _ taxonomy: Taxonomy) -> String? {
    let evidence = decision.evidence
    let keyword = evidence.keyword.flatMap { taxonomy.keywords.keyword($0)?.shelf }
    let shelf = evidence.move.flatMap { taxonomy.move($0)?.to } ?? evidence.shelf ?? keyword
    let found = (shelf ?? evidence.pattern.flatMap { taxonomy.pattern($0)?.shelf }).flatMap { taxonomy.shelf($0) }
    return found?.section == decision.section ? found?.name : nil
  }
}

extension Answer: Codable {
  private enum CodingKeys: String, CodingKey {
    case item, section, color, shelf, confidence, strategy, keyword, match, span, rule, source, note
    case sectionID = "section_id"
    case runnerUp = "runner_up"
    case secondOpinion = "second_opinion"
  }

  /// What the command writes for the strategy where none decided.
  private static let undecided = "none"

  /// Reads an answer as `encode` writes it.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    item = try fields.decode(String.self, forKey: .item)
    section = try fields.decode(String.self, forKey: .section)
    sectionID = try fields.decode(String.self, forKey: .sectionID)
    color = SectionColor(rawValue: try fields.decode(String.self, forKey: .color)) ?? .forUnknownSection(named: section)
    shelf = try fields.decodeIfPresent(String.self, forKey: .shelf)
    confidence = try fields.decode(Float.self, forKey: .confidence)
    let strategy = try fields.decode(String.self, forKey: .strategy)
    self.strategy = strategy == Self.undecided ? nil : strategy
    keyword = try fields.decodeIfPresent(String.self, forKey: .keyword)
    match = try fields.decodeIfPresent(String.self, forKey: .match)
    span = try fields.decodeIfPresent(String.self, forKey: .span).map { text in
      let ends = text.split(separator: "-").compactMap { Int($0) }
      guard ends.count == 2, ends[0] <= ends[1] else {
        throw DecodingError.dataCorruptedError(
          forKey: .span, in: fields, debugDescription: "`\(text)` is no span; write e.g. 2-10")
      }
      return ends[0]..<ends[1]
    }
    rule = try fields.decodeIfPresent(String.self, forKey: .rule)
    source = try fields.decodeIfPresent(String.self, forKey: .source)
    runnerUp = try fields.decodeIfPresent(String.self, forKey: .runnerUp)
    secondOpinion = try fields.decodeIfPresent(String.self, forKey: .secondOpinion)
    note = try fields.decodeIfPresent(String.self, forKey: .note)
  }

  /// Writes the answer with the command's names of fields.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(item, forKey: .item)
    try fields.encode(section, forKey: .section)
    try fields.encode(sectionID, forKey: .sectionID)
    try fields.encode(color.rawValue, forKey: .color)
    try fields.encodeIfPresent(shelf, forKey: .shelf)
    try fields.encode(confidence, forKey: .confidence)
    try fields.encode(strategy ?? Self.undecided, forKey: .strategy)
    try fields.encodeIfPresent(keyword, forKey: .keyword)
    try fields.encodeIfPresent(match, forKey: .match)
    try fields.encodeIfPresent(span.map { "\($0.lowerBound)-\($0.upperBound)" }, forKey: .span)
    try fields.encodeIfPresent(rule, forKey: .rule)
    try fields.encodeIfPresent(source, forKey: .source)
    try fields.encodeIfPresent(runnerUp, forKey: .runnerUp)
    try fields.encodeIfPresent(secondOpinion, forKey: .secondOpinion)
    try fields.encodeIfPresent(note, forKey: .note)
  }
}
