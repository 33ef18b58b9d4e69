import AisleCore

/// Decides items by the phrases in them: the workspace of one pass over a batch.
///
/// The rules, in the order they are applied, stand in `PhraseRule`; each has examples in `PhraseExamples`.
struct PhraseMatcher {
  /// A keyword found in the item.
  struct Candidate {
    var ending: PhraseIndex.Ending
    var first: UInt8
    var last: UInt8
    var zone: UInt8
    var segment: UInt8
    var strength: UInt8
    var isRotated = false

    /// The words from its first to its last, a bit each.
    @inline(__always)
    var words: UInt64 { (UInt64.max &>> UInt64(63 &- (last &- first))) &<< UInt64(first) }
  }

  /// Where in the item a word stands, best first.
  enum Zone {
    static let head: UInt8 = 0
    static let afterComma: UInt8 = 1
    static let accompanying: UInt8 = 2
    static let excluded: UInt8 = 3
  }

  /// What the words of an item are, as far as the choice between keywords goes by it.
  struct Reading {
    /// The roles of all words together.
    var roles: UInt32 = 0
    /// The words that keywords have, a bit each from the first on.
    var known: UInt64 = 0
    /// The words that are numbers, or no evidence by themselves.
    var silent: UInt64 = 0
  }

  static let cuts = Grammar.Role([.joins, .excludes, .of]).rawValue
  private static let unsaying = Grammar.Role([.flavors, .unsaysBefore, .unsaysAfter]).rawValue

  let index: PhraseIndex
  let words: Words
  let repairer: WordRepairer
  /// Reads words of languages with rules of their own; `nil` for English alone.
  let forms: FormReader?
  let finder: PhraseIndex.Finder
  /// Each word's number, 0 for an unknown word; after the last word stands a 0.
  let numbers: UnsafeMutablePointer<UInt32>
  let roles: UnsafeMutablePointer<UInt32>
  let candidates: UnsafeMutablePointer<Candidate>
  /// The candidates' scores, and below them in eight bits their places.
  private let scores: UnsafeMutablePointer<UInt64>
  private let weights: UnsafePointer<UInt32>
  private let confidences: UnsafePointer<Float>

  init(_ index: PhraseIndex) {
    self.index = index
    words = index.languages.makeWords()
    finder = PhraseIndex.Finder(index.tables)
    forms = index.languages.isEmpty ? nil : FormReader(index, finder)
    repairer = WordRepairer(index, finder)
    numbers = .allocate(capacity: Words.capacity + 1)
    roles = .allocate(capacity: Words.capacity)
    candidates = .allocate(capacity: Words.capacity)
    scores = .allocate(capacity: Words.capacity)
    weights = index.weights.address
    confidences = index.confidences.address
  }

  func deallocate() {
    repairer.deallocate()
    numbers.deallocate()
    roles.deallocate()
    candidates.deallocate()
    scores.deallocate()
  }

  /// Decides an item, or abstains with `nil`.
  func decide(_ item: UnsafePointer<UInt8>, count length: Int) -> Decision? {
    words.scan(item, count: length)
    let reading = forms == nil ? readWords(of: item) : readForms(of: item)
    let choice = decideWords(reading, isRepaired: false)
    if choice.decision == nil, let decision = decideByParts() { return decision }
    let unknown = allWords & ~reading.known
    return unknown == 0 || !isOpen(choice, unknown & ~reading.silent) ? choice.decision : decideRepaired(item, choice)
  }

  /// Looks up what the words are as they are written.
  @inline(__always)
  func readWords(of item: UnsafePointer<UInt8>) -> Reading {
    let isNumbered = Self.isNumbered(item)
    return readWords { isNumbered && $0 == 0 ? 0 : finder.word(words.keys[$0]) }
  }

  /// Whether an item begins with its number on the list, which is no "1%": "1. milk", "2) eggs".
  @inline(__always)
  private static func isNumbered(_ item: UnsafePointer<UInt8>) -> Bool {
    var start = 0
    while item[start] == UInt8(ascii: " ") { start &+= 1 }
    guard item[start].isASCIIDigit else { return false }
    let end = start &+ (item[start &+ 1].isASCIIDigit ? 2 : 1)
    return item[end] == UInt8(ascii: ")") || item[end] == UInt8(ascii: ".") && item[end &+ 1] == UInt8(ascii: " ")
  }

  /// A bit for each word.
  @inline(__always)
  var allWords: UInt64 { words.count == 0 ? 0 : UInt64.max &>> UInt64(64 &- words.count) }

  /// What the words of an item decide.
  struct Choice {
    var decision: Decision?
    /// How strong the keyword is that won, and the words from its first to its last, a bit each.
    var strength: UInt8 = 0
    var words: UInt64 = 0
  }

  /// Decides by the words whose numbers and roles are looked up.
  @inline(__always)
  func decideWords(_ reading: Reading, isRepaired: Bool) -> Choice {
    let (found, covered, contained) = collect(reading)
    if found == 0 { return Choice() }
    let unknown = (allWords & ~covered & ~reading.silent).nonzeroBitCount
    return choose(found, contained, unknown, isRepaired: isRepaired, moves: reading.roles & Grammar.Role.moves.rawValue != 0)
  }

  /// Looks up what the words are, given a word's number by its place.
  @inline(__always)
  func readWords(_ number: (Int) -> UInt32) -> Reading {
    var reading = Reading()
    for place in 0..<words.count { read(place, as: number(place), into: &reading) }
    numbers[words.count] = 0
    return reading
  }

  /// Adds a word by its number to what the words of an item are.
  @inline(__always)
  func read(_ place: Int, as number: UInt32, into reading: inout Reading) {
    let role = finder.roles(number)
    numbers[place] = number
    roles[place] = role
    reading.roles |= role
    reading.known |= (number == 0 ? 0 : 1) &<< UInt64(place)
    // Both looked at, since which words are silent is not to be foreseen.
    let digit = words.marks[place].rawValue & Words.Marks.digit.rawValue
    reading.silent |= (role & Grammar.Role.silent.rawValue | UInt32(digit) == 0 ? 0 : 1) &<< UInt64(place)
  }

  /// Whether no word and no mark of the item says how its parts belong together.
  @inline(__always)
  private func isPlain(_ allRoles: UInt32) -> Bool {
    let special = Grammar.Role([.joins, .excludes, .of, .flavors, .unsaysBefore, .unsaysAfter]).rawValue
    return allRoles & special == 0 && !words.hasBreaks
  }

  /// Collects the longest phrase at each word, less those inside another.
  ///
  /// - Returns: how many, which words any phrase covers, and which words phrases of several words cover.
  @inline(__always)
  func collect(_ reading: Reading) -> (found: Int, covered: UInt64, contained: UInt64) {
    let hasBreaks = words.hasBreaks
    let isPlain = isPlain(reading.roles) && (reading.roles & Grammar.Role.adds.rawValue == 0 || !addsAmounts())
    var (found, reach) = (0, 0)
    var (covered, contained) = (UInt64(0), UInt64(0))
    var zone = HeadEnd(cuts: isPlain ? 0 : cuts(reading.roles))
    var left = reading.known
    while left != 0 {
      let first = left.trailingZeroBitCount
      left &= left &- 1
      var row = finder.row(numbers[first])
      var hash = UInt64(numbers[first])
      var best = PhraseIndex.Ending.none
      var decisive = PhraseIndex.Ending.none
      var end = 0
      var place = first
      while true {
        let ending = finder.ending(row, isPlural: words.marks[place].contains(.plural))
        let isKeyword = ending != .none
        best = isKeyword ? ending : best
        end = isKeyword ? place : end
        decisive = isKeyword && ending.strength == Keyword.Strength.decisive.rawValue ? ending : decisive
        place &+= 1
        let isApart = hasBreaks ? words.segments[place] ^ words.segments[first] : 0
        guard let next = finder.next(row, &hash, numbers[place], isTogether: isApart == 0 ? 1 : 0) else { break }
        row = next
      }
      guard best != .none, index.holds(best) else { continue }
      if end < reach {
        if found > 0, inherits(candidates[found &- 1].ending, from: best) { candidates[found &- 1].strength = best.strength }
        continue
      }
      reach = end &+ 1
      let mask = (UInt64.max &>> UInt64(63 &- (end &- first))) &<< UInt64(first)
      covered |= mask
      if !isPlain { advance(&zone, to: first, isPhrase: end > first, found, contained) }
      var strength = decisive != .none && inherits(best, from: decisive) ? decisive.strength : best.strength
      if end > first {
        contained |= mask
      } else if roles[first] & Grammar.Role.measure.rawValue != 0 {
        strength = 0  // A lone "cup" or "clove" measures what stands beside it.
      }
      candidates[found] = Candidate(
        ending: best, first: UInt8(truncatingIfNeeded: first), last: UInt8(truncatingIfNeeded: end), zone: zone.zone,
        segment: hasBreaks ? words.segments[first] : 0, strength: strength)
      found &+= 1
    }
    if let forms, found > 1 {
      if index.languages.isMixed { weakenLaterLanguages(found, forms) }
      if forms.modifiers != 0 { weakenModifiers(found, forms.modifiers) }
    }
    if found > 1, contained != 0 { weakenOverlapped(found) }
    if !isPlain, found > 1, !isHeadFirst(found) { liftLast(found) }
    if reading.roles & Self.unsaying != 0 { found = applyUnsaying(found, words.count, hasBreaks) }
    if let rotated = hasBreaks ? rotated(words.count, found) : reversed(reading.known, found) {
      let end = Int(rotated.last)
      found = insert(rotated, among: found)
      contained |= UInt64.max &>> UInt64(63 &- end)
    }
    return (found, covered, contained)
  }

  /// Whether a good is decisive since a keyword inside it is; not where the longer one stands elsewhere, or was made weak on purpose.
  @inline(__always)
  private func inherits(_ longer: PhraseIndex.Ending, from inner: PhraseIndex.Ending) -> Bool {
    inner.strength == Keyword.Strength.decisive.rawValue && longer.strength == Keyword.Strength.good.rawValue
      && inner.section == longer.section
  }

  /// Makes products whose last word begins the next phrase mere flavors: "vegan chocolate chip cookie dough" is no vegan chocolate chips.
  /// Where "for" or its like comes next, that word is the head of both.
  @inline(never)
  private func weakenOverlapped(_ found: Int) {
    for number in 0..<found &- 1 where candidates[number].last >= candidates[number &+ 1].first {
      if isHeadFirst(found) { return }
      let candidate = candidates[number]
      if candidate.strength != Keyword.Strength.good.rawValue || roles[Int(candidate.last) &+ 1] & Self.cuts != 0 { continue }
      candidates[number].strength = Keyword.Strength.flavor.rawValue
    }
  }

  /// A decisive word that ends an item is its dish even after "with", where it has something before it: "chicken with wild rice soup",
  /// but not "crackers with soup".
  @inline(__always)
  private func liftLast(_ found: Int) {
    let last = candidates[found &- 1]
    guard last.zone == Zone.accompanying, last.strength == Keyword.Strength.decisive.rawValue, Int(last.last) == words.count &- 1
    else {
      return
    }
    if last.first < last.last || roles[Int(last.first) &- 1] & Self.cuts == 0 { candidates[found &- 1].zone = Zone.head }
  }

  /// Puts a candidate in the place of those that lie inside it.
  private func insert(_ candidate: Candidate, among found: Int) -> Int {
    var kept = 0
    for number in 0..<found where candidates[number].first < candidate.first || candidates[number].last > candidate.last {
      candidates[kept] = candidates[number]
      kept += 1
    }
    candidates[kept] = candidate
    return kept + 1
  }

  /// Weakens what "flavored" follows, drops what "free" follows and "no" precedes; a comma between the two keeps them apart.
  private func applyUnsaying(_ found: Int, _ wordCount: Int, _ hasBreaks: Bool) -> Int {
    func isTogether(_ first: Int, _ second: Int) -> Bool { !hasBreaks || words.segments[first] == words.segments[second] }
    var kept = 0
    for number in 0..<found {
      var candidate = candidates[number]
      let (before, next) = (Int(candidate.first) - 1, Int(candidate.last) + 1)
      if next < wordCount, isTogether(next - 1, next) {
        let role = Grammar.Role(rawValue: roles[next])
        if role.contains(.unsaysBefore), candidate.strength < 3 { continue }
        // What is "seasoned with" something is the product; what is "lime seasoned" is not.
        let isJoined = next + 1 < wordCount && roles[next + 1] & Grammar.Role.joins.rawValue != 0
        if role.contains(.flavors), !isJoined, candidate.strength > 0 { candidate.strength = 0 }
      }
      if found > 1, before >= 0, Grammar.Role(rawValue: roles[before]).contains(.unsaysAfter), isTogether(before, before + 1) {
        candidate.strength = 0
      }
      candidates[kept] = candidate
      kept += 1
    }
    return kept
  }

  /// Chooses among the candidates: the greatest weight, then the earliest segment, then the head in it.
  @inline(__always)
  private func choose(_ found: Int, _ contained: UInt64, _ unknown: Int, isRepaired: Bool, moves: Bool) -> Choice {
    var best: UInt64 = 0
    // Of two that weigh the same the last wins; where the head comes first, the first.
    let order: UInt64 = found > 1 && isHeadFirst(found) ? 0xFF : 0
    for number in 0..<found {
      scores[number] = UInt64(score(candidates[number])) &<< 8 | UInt64(truncatingIfNeeded: number) ^ order
      best = max(best, scores[number])
    }
    let winner = candidates[Int(best & 0xFF ^ order)]
    // One more than the score and place of the best of another section; 0 where there is none.
    var rival: UInt64 = 0
    for number in 0..<found {
      rival = max(rival, candidates[number].ending.section == winner.ending.section ? 0 : scores[number] &+ 1)
    }
    // What only describes speaks for no section.
    let other = rival == 0 ? nil : candidates[Int((rival &- 1) & 0xFF ^ order)]
    let runnerUp = other.flatMap { $0.strength == 0 ? nil : $0.ending.keyword }
    var section = UInt16(winner.ending.section)
    var move: UInt16?
    if moves, let applied = self.move(winner, found, contained) {
      move = applied.number
      section = UInt16(applied.section)
    }
    let evidence = Evidence(
      keyword: winner.ending.keyword, span: words.span(first: Int(winner.first), last: Int(winner.last)),
      rule: rule(winner, found, move != nil).rawValue,
      runnerUp: runnerUp, move: move)
    let confidence = confidence(
      winner, UInt32(truncatingIfNeeded: best &>> 8), rival == 0 ? 0 : UInt32(truncatingIfNeeded: (rival &- 1) &>> 8), unknown,
      isSole: found == 1, isRepaired: isRepaired)
    return Choice(
      decision: Decision(section: SectionID(rawValue: section), confidence: confidence, evidence: evidence),
      strength: winner.strength, words: winner.words)
  }

  @inline(__always)
  private func score(_ candidate: Candidate) -> UInt32 {
    weights[Int(candidate.strength &* 4 &+ candidate.zone)] &<< 8 &+ UInt32(63 &- min(candidate.segment, 63))
  }

  private func rule(_ winner: Candidate, _ found: Int, _ moved: Bool) -> PhraseRule {
    if moved { return .move }
    if winner.isRotated { return .rotated }
    if found == 1 { return .only }
    switch (winner.strength, winner.zone) {
    case (3, _): return .decisive
    case (0, _): return .descriptor
    case (1, Zone.head): return .flavor
    case (2, Zone.head): return .head
    default: return .afterHead
    }
  }

  private func confidence(
    _ winner: Candidate, _ score: UInt32, _ runnerUp: UInt32, _ unknown: Int, isSole: Bool, isRepaired: Bool
  ) -> Float {
    let number = PhraseEvidence.number(
      strength: Int(winner.strength), words: Int(winner.last &- winner.first) &+ 1,
      others: runnerUp == 0 ? (isSole ? 0 : 1) : runnerUp &>> 8 == score &>> 8 ? 3 : 2, unknown: unknown,
      isAlone: isSole && unknown == 0,
      isAfterHead: winner.zone > 0, isRepaired: isRepaired)
    return confidences[number]
  }
}
