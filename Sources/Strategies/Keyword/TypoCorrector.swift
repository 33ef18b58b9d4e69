import AisleCore

/// Finds the known word that a single slip of the hand makes of an unknown one: a letter left out, doubled, swapped or mistaken.
///
/// It is asked only where nothing in an item is known, so it never turns one good into another. All words one edit away are tried:
/// about 50 probes a letter, some microseconds a word.
final class TypoCorrector {
  /// The shortest word that is corrected; in shorter ones a letter makes another word too easily.
  private static let minimumLength = 5
  private static let maximumLength = 24

  private let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: maximumLength + 2 + Batch.padding)

  init() { buffer.initialize(repeating: 0, count: Self.maximumLength + 2 + Batch.padding) }

  deinit { buffer.deallocate() }

  /// The place of the word that is meant, the one with the strongest keyword first; `nil` when there is none.
  func correct(_ word: UnsafeBufferPointer<UInt8>, _ finder: PhraseIndex.Finder) -> UInt32? {
    guard (Self.minimumLength...Self.maximumLength).contains(word.count), word.allSatisfy({ ($0 | 0x20) &- 0x61 < 26 }) else {
      return nil
    }
    let letters = word.map { $0 | 0x20 }
    var best: (place: UInt32, strength: UInt8)?
    func attempt(_ candidate: [UInt8]) {
      guard let place = find(candidate, finder) else { return }
      let row = finder.words[Int(place)]
      let ending = row.singular != .none ? row.singular : row.plural
      guard ending != .none, ending.strength > 0, ending.strength > best?.strength ?? 0 else { return }
      best = (place, ending.strength)
    }
    for place in 1..<letters.count {
      var shorter = letters
      shorter.remove(at: place)
      attempt(shorter)
      var swapped = letters
      swapped.swapAt(place - 1, place)
      attempt(swapped)
    }
    for letter in UInt8(ascii: "a")...UInt8(ascii: "z") {
      for place in 1...letters.count {
        if place < letters.count {
          var replaced = letters
          replaced[place] = letter
          attempt(replaced)
        }
        var longer = letters
        longer.insert(letter, at: place)
        attempt(longer)
      }
    }
    return best?.place
  }

  private func find(_ word: [UInt8], _ finder: PhraseIndex.Finder) -> UInt32? {
    for (offset, byte) in word.enumerated() { buffer[offset] = byte }
    for offset in word.count..<word.count + 8 { buffer[offset] = 0 }
    return finder.word(Words.key(ofFolded: UnsafePointer(buffer), count: word.count))
  }
}
