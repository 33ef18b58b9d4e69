public import AisleCore
public import AisleFiles
import KeywordStrategy

/// Finds keyword changes that fix mistakes, tries each on all items, and keeps those that gain.
///
/// Candidates come from the words of items with a wrong answer or none, and from the keywords that misled. Each try needs an index
/// of all keywords, so candidates that share no items are tried together: a few indexes serve thousands of candidates. The changes
/// that gain are tried again, each on its own.
public struct ProposalSearch {
  /// A store without errors: as it is, or as it would be after a change.
  public typealias Opening = (TaxonomyFolder) throws -> (taxonomy: Taxonomy, chain: NamedChain)

  /// Receives the progress of a search: the current task, the steps done, and the total. Throwing ends the search.
  public typealias Progress = (_ what: String, _ done: Int, _ all: Int) throws -> Void

  /// The most candidates that are taken of one item's words.
  static let maximumOfItem = 12

  private let folder: TaxonomyFolder
  private let open: Opening
  private let items: TuningItems
  private let progress: Progress

  /// The answers without any change.
  public private(set) var taxonomy: Taxonomy
  private var chain: NamedChain
  private var answers: [SectionID] = []

  /// Prepares a search.
  ///
  /// - Parameters:
  ///   - open: Opens the store from a folder.
  ///   - progress: Receives the progress of the search.
  /// - Throws: Whatever `open` or a strategy throws.
  public init(
    _ items: TuningItems, in folder: TaxonomyFolder, open: @escaping Opening,
    progress: @escaping Progress = { _, _, _ in }
  ) async throws {
    (self.items, self.folder, self.open, self.progress) = (items, folder, open, progress)
    (taxonomy, chain) = try open(folder)
    answers = try await items.answers(of: chain, taxonomy)
  }

  /// How many items of a split are currently right, and how many there are.
  public func right(_ split: Corpus.Split) -> (right: Int, total: Int) {
    let places = items.items.indices.filter { items.items[$0].split == split }
    return (places.count { items.isRight(answers[$0], for: $0) }, places.count)
  }

  /// Searches for changes. Does not propose to remove a keyword that, as an item on its own, would lose its section.
  ///
  /// - Parameter limit: The most proposals.
  /// - Returns: The proposals, greatest gain first, each fixing a different mistake; and how many others gain on the tune split but
  ///   lose on the holdout.
  /// - Throws: Whatever opening the store, a strategy, or `progress` throws.
  public func run(limit: Int) async throws -> (proposals: [Proposal], refused: Int) {
    var mining = CandidateMiner(items, answers, taxonomy, ownWin: folder.isLayered(taxonomy.store))
    let decisions = try await items.decisions(of: chain, taxonomy)
    if let keywords = chain.chain.links.lazy.compactMap({ $0.strategy as? KeywordStrategy }).first {
      mining.addStrengths(keywords, decisions)
      mining.addPhrases(keywords)
    }
    var tried = try await tryTogether(mining.candidates)
    tried.sort(by: Self.isBetter)
    var (found, refused): ([(proposal: Proposal, rank: Int)], Int) = ([], 0)
    var covered: Set<Int> = []
    for (place, candidate) in tried.enumerated() where candidate.proposal.gain > 0 {
      if found.count == limit { break }
      if candidate.proposal.won.allSatisfy({ covered.contains($0.item) }) { continue }
      try progress("checking", min(found.count, limit), min(limit, tried.count - place + found.count))
      guard let proposal = try await evaluate(candidate.proposal.edits), proposal.gain > 0, proposal.stranded.isEmpty,
        !proposal.won.allSatisfy({ covered.contains($0.item) })
      else { continue }
      if proposal.holdoutGain < 0 {
        refused += 1
        continue
      }
      covered.formUnion(proposal.won.map(\.item))
      found.append((proposal, candidate.rank))
    }
    found.sort { Self.isBetter($0, $1) }
    return (found.map(\.proposal), refused)
  }

  private static func isBetter(_ one: (proposal: Proposal, rank: Int), _ other: (proposal: Proposal, rank: Int)) -> Bool {
    func key(_ it: (proposal: Proposal, rank: Int)) -> (Int, Int, Int, Int) {
      (-it.proposal.gain, -it.proposal.holdoutGain, it.proposal.lost.count, it.rank)
    }
    if key(one) != key(other) { return key(one) < key(other) }
    return (one.proposal.edits.first?.description ?? "") < (other.proposal.edits.first?.description ?? "")
  }

  // MARK: Trying

  /// The effect of changes on their own; `nil` if they cannot be made, e.g. because the keyword already exists elsewhere.
  ///
  /// - Throws: Whatever a strategy throws.
  public func evaluate(_ edits: [KeywordEdit]) async throws -> Proposal? {
    guard let change = try? StoreChange(edits, to: taxonomy, in: folder), let opened = try? open(change.folder(folder)) else {
      return nil
    }
    var proposal = Proposal(edits)
    for (item, after) in try await items.answers(of: opened.chain, opened.taxonomy).enumerated() where after != answers[item] {
      add(item, after, to: &proposal)
    }
    let won = Set(proposal.won.map { Normalizer.normalize(items.text($0.item)) })
    proposal.stranded = try await StrandedKeyword.find(
      in: edits, before: (chain, taxonomy), after: (opened.chain, opened.taxonomy)
    ).filter { !won.contains(Normalizer.normalize($0.edit.text)) }
    return proposal
  }

  private func add(_ item: Int, _ after: SectionID, to proposal: inout Proposal) {
    let flip = Proposal.Flip(item: item, before: answers[item], after: after)
    let (was, isNow) = (items.isRight(flip.before, for: item), items.isRight(after, for: item))
    if items.items[item].split == .holdout {
      if !was && isNow { proposal.holdoutWon += 1 }
      if was && !isNow { proposal.holdoutLost += 1 }
    } else if !was && isNow {
      proposal.won.append(flip)
    } else if was && !isNow {
      proposal.lost.append(flip)
    } else {
      proposal.moved.append(flip)
    }
  }

  /// Tries candidates, those that share no item with each other in one go.
  private func tryTogether(_ candidates: [CandidateMiner.Candidate]) async throws -> [(proposal: Proposal, rank: Int)] {
    var groups = Self.groups(candidates, items.items.count)
    var tried: [(proposal: Proposal, rank: Int)] = []
    var done = 0
    while let group = groups.popLast() {
      try progress("trying \(candidates.count) changes", done, done + groups.count + 1)
      done += 1
      let edits = group.flatMap { candidates[$0].edits }
      guard let change = try? StoreChange(edits, to: taxonomy, in: folder, isDraft: true),
        let opened = try? open(change.folder(folder))
      else {
        // One of them repeats a keyword that stands elsewhere: it is found by halves.
        if group.count > 1 {
          groups.append(Array(group[..<(group.count / 2)]))
          groups.append(Array(group[(group.count / 2)...]))
        }
        continue
      }
      var proposals = group.map { Proposal(candidates[$0].edits) }
      var owners: [Int: Int] = [:]
      for (place, candidate) in group.enumerated() { for item in candidates[candidate].items { owners[item] = place } }
      for (item, after) in try await items.answers(of: opened.chain, opened.taxonomy).enumerated() where after != answers[item] {
        if let owner = owners[item] { add(item, after, to: &proposals[owner]) }
      }
      tried += zip(proposals, group).map { ($0, candidates[$1].rank) }
    }
    return tried
  }

  /// Puts candidates into groups of which no two share an item or a file's line.
  private static func groups(_ candidates: [CandidateMiner.Candidate], _ itemCount: Int) -> [[Int]] {
    var groups: [(members: [Int], items: Set<Int>, names: Set<String>)] = []
    // The greediest first: the others fit into the gaps.
    for place in candidates.indices.sorted(by: { (-candidates[$0].items.count, $0) < (-candidates[$1].items.count, $1) }) {
      let candidate = candidates[place]
      let fitting = groups.firstIndex { $0.items.isDisjoint(with: candidate.items) && !$0.names.contains(candidate.name) }
      if let fitting {
        groups[fitting].members.append(place)
        groups[fitting].items.formUnion(candidate.items)
        groups[fitting].names.insert(candidate.name)
      } else {
        groups.append(([place], Set(candidate.items), [candidate.name]))
      }
    }
    return groups.map(\.members)
  }
}
