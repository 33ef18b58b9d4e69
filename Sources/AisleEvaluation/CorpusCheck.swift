public import AisleCore
public import AisleFiles

/// Finds what makes a corpus a bad yardstick.
public struct CorpusCheck: Sendable {
  /// What is certainly wrong: an item that stands twice, or under labels that contradict each other.
  public private(set) var errors: [Finding] = []
  /// What a person should look at: items of both splits that are nearly the same, and labels that all strategies speak against.
  public private(set) var notes: [Finding] = []

  /// The tag of items whose label a person has confirmed against the strategies.
  public static let confirmedTag = "confirmed"

  private let corpus: Corpus
  private let expectations: Expectations
  private let names: [String]

  /// Checks a corpus for duplicates, contradictions, and pairs across the splits.
  ///
  /// - Complexity: O(items), each normalized once.
  public init(_ corpus: Corpus, _ expectations: Expectations, in taxonomy: Taxonomy) {
    self.corpus = corpus
    self.expectations = expectations
    names = taxonomy.sections.map(\.name)
    findRepeats()
  }

  /// Adds the items whose label every one of several strategies speaks against, where they agree and the first is sure.
  ///
  /// - Parameter opinions: Evaluations of the same items, each by one strategy.
  public mutating func addSuspects(_ opinions: [Evaluation]) {
    guard let first = opinions.first else { return }
    for (place, item) in first.items.enumerated() {
      guard !item.isRight, item.confidence >= Metrics.sureConfidence,
        opinions.allSatisfy({ $0.items[place].decision != nil && $0.items[place].answer == item.answer })
      else { continue }
      let entry = first.entry(item)
      if corpus.tags[Int(entry.tags)].contains(Self.confirmedTag) { continue }
      let labels = corpus.labels[Int(entry.labels)].joined(separator: "|")
      let reason = first.explanation(item).reason
      notes.append(
        Finding(
          corpus.location(entry),
          "`\(corpus.item(entry))` is labelled \(labels), but all strategies say \(first.name(item.answer)) (\(reason)); "
            + "mend the label, or tag the item `\(Self.confirmedTag)`"))
    }
  }

  private mutating func findRepeats() {
    var written: [[UInt8]: Int] = [:]
    var meant: [String: Int] = [:]
    var near: [String: [Corpus.Split: Int]] = [:]
    for (place, entry) in corpus.entries.enumerated() {
      let plain = corpus.bytes(entry).map { $0.lowercasedASCII }
      if let first = written[plain] {
        errors.append(Finding(corpus.location(entry), "`\(corpus.item(entry))` stands already at \(spot(first)); remove one"))
        continue
      }
      written[plain] = place
      let normalized = Normalizer.normalize(corpus.item(entry))
      if normalized.isEmpty { continue }
      if let first = meant[normalized], contradict(first, place) {
        errors.append(
          Finding(
            corpus.location(entry),
            "`\(corpus.item(entry))` is \(sections(place)), but the same item at \(spot(first)) is \(sections(first)); give both the same labels"
          ))
      }
      meant[normalized] = meant[normalized] ?? place
      let key = Self.key(normalized)
      if key.isEmpty { continue }
      let other: Corpus.Split = entry.split == .tune ? .holdout : .tune
      if let twin = near[key]?[other] {
        notes.append(
          Finding(
            corpus.location(entry),
            "`\(corpus.item(entry))` is nearly `\(corpus.item(corpus.entries[twin]))` at \(spot(twin)), which is in the other split; "
              + "tuning on one is tuning on the other"))
      }
      near[key, default: [:]][entry.split] = near[key]?[entry.split] ?? place
    }
  }

  /// What two ways to write an item have in common: the words without plural, units and numbers, in any order.
  private static func key(_ normalized: String) -> String {
    normalized.split(separator: " ").filter { $0.utf8.count > 2 && $0 != "and" && !($0.first?.isNumber ?? true) }
      .map { $0.utf8.count > 3 && $0.hasSuffix("s") ? $0.dropLast() : $0 }.sorted().joined(separator: " ")
  }

  private func contradict(_ first: Int, _ second: Int) -> Bool {
    let (left, right) = (accepted(first), accepted(second))
    return !left.isEmpty && !right.isEmpty && Set(left).isDisjoint(with: right)
  }

  private func accepted(_ place: Int) -> [SectionID] { expectations.accepted[Int(corpus.entries[place].labels)] }

  private func sections(_ place: Int) -> String {
    accepted(place).map { names[Int($0.rawValue)] }.joined(separator: " or ")
  }

  private func spot(_ place: Int) -> String { corpus.location(corpus.entries[place]).description }
}
