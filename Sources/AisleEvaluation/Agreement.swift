public import AisleCore
public import AisleFiles

/// How far the labels of two people agree on the items that both have labeled.
///
/// Items are the same if they are written the same, except for the case of letters. Where a file has an item twice, its first line
/// counts. Of several labels the first one counts: the one that a careful person would choose.
public struct Agreement: Sendable {
  /// What two labels must share to agree.
  public enum Kind: String, Sendable, CaseIterable {
    /// The section that they stand for in the store.
    case section
    /// The label itself.
    case shelf
  }

  /// An item on which the two disagree.
  public struct Disagreement: Sendable {
    /// The item, as the first person's file has it.
    public let item: String
    /// The first person's section or label.
    public let first: String
    /// The second person's section or label.
    public let second: String
    /// Where the first person's label is.
    public let firstLocation: SourceLocation
    /// Where the second person's label is.
    public let secondLocation: SourceLocation
  }

  /// What the labels must share.
  public let kind: Kind
  /// The first person's files.
  public let firstFiles: [String]
  /// The second person's files.
  public let secondFiles: [String]
  /// The share of compared items on which the two agree.
  public let share: Proportion
  /// The same beyond chance.
  public let kappa: CohensKappa
  /// How many items only the first person has labeled.
  public let onlyFirst: Int
  /// How many items only the second person has labeled.
  public let onlySecond: Int
  /// How many items that both have were not compared, since a label has no section in the store. They count nowhere else.
  public let inapplicable: Int
  /// The items on which the two disagree, in the order of the first person's files.
  public let disagreements: [Disagreement]

  /// Compares two people's labels.
  ///
  /// - Parameters:
  ///   - first: The first person's labels with the sections that they stand for.
  ///   - second: The second person's.
  ///   - taxonomy: The store.
  /// - Complexity: O(items + categories²).
  public init(
    _ first: (corpus: Corpus, expectations: Expectations), _ second: (corpus: Corpus, expectations: Expectations),
    by kind: Kind, in taxonomy: Taxonomy
  ) {
    let theirs = Self.items(second.corpus)
    let mine = Self.items(first.corpus)
    func category(_ entry: Corpus.Entry, _ side: (corpus: Corpus, expectations: Expectations)) -> String? {
      switch kind {
      case .section: side.expectations.accepted[Int(entry.labels)].first.map { taxonomy[$0].name }
      case .shelf: side.corpus.labels[Int(entry.labels)].first
      }
    }
    var pairs: [(String, String)] = []
    var disagreements: [Disagreement] = []
    var inapplicable = 0
    for entry in mine.entries {
      guard let other = theirs.places[Corpus.key(of: first.corpus.bytes(entry))].map({ theirs.entries[$0] }) else { continue }
      guard let one = category(entry, first), let two = category(other, second) else {
        inapplicable += 1
        continue
      }
      pairs.append((one, two))
      if one == two { continue }
      disagreements.append(
        Disagreement(
          item: first.corpus.item(entry), first: one, second: two, firstLocation: first.corpus.location(entry),
          secondLocation: second.corpus.location(other)))
    }
    self.kind = kind
    (firstFiles, secondFiles) = (first.corpus.files, second.corpus.files)
    share = Proportion(pairs.count - disagreements.count, of: pairs.count)
    kappa = CohensKappa(pairs)
    let both = pairs.count + inapplicable
    (onlyFirst, onlySecond) = (mine.entries.count - both, theirs.entries.count - both)
    (self.inapplicable, self.disagreements) = (inapplicable, disagreements)
  }

  /// Each item once, and where it is among them.
  private static func items(_ corpus: Corpus) -> (entries: [Corpus.Entry], places: [[UInt8]: Int]) {
    var entries: [Corpus.Entry] = []
    var places: [[UInt8]: Int] = [:]
    for entry in corpus.entries {
      let key = Corpus.key(of: corpus.bytes(entry))
      if places[key] != nil { continue }
      places[key] = entries.count
      entries.append(entry)
    }
    return (entries, places)
  }
}
