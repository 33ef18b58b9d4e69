public import AisleCore
public import AisleFiles

/// Finds problems that make a corpus unreliable.
public struct CorpusCheck: Sendable {
  /// Definite errors: duplicate items, and items with contradicting labels.
  public private(set) var errors: [Finding] = []
  /// Findings for a person to judge: nearly the same item in both splits, and labels with which all strategies disagree.
  public private(set) var notes: [Finding] = []

  /// The tag for items whose label a person has confirmed although the strategies disagree.
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

  /// Adds the items with whose label several strategies disagree, if they agree with each other and the first one is sure.
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
          "`\(corpus.item(entry))` is labeled \(labels), but all strategies say \(first.name(item.answer)) (\(reason)); "
            + "correct the label, or tag the item `\(Self.confirmedTag)`"))
    }
  }

  private mutating func findRepeats() {
    var written: [[UInt8]: Int] = [:]
    var meant: [String: Int] = [:]
    var near: [String: [Corpus.Split: Int]] = [:]
    for (place, entry) in corpus.entries.enumerated() {
      let plain = Corpus.key(of: corpus.bytes(entry))
      if let first = written[plain] {
        errors.append(Finding(corpus.location(entry), "`\(corpus.item(entry))` already exists at \(spot(first)); remove one"))
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
            "`\(corpus.item(entry))` is nearly the same as `\(corpus.item(corpus.entries[twin]))` at \(spot(twin)), which is in the other split; "
              + "tuning on one also tunes on the other, so remove one"))
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
