import AisleCore
import Testing

@testable import KeywordStrategy

/// Each hash has a place of its own.
@Suite struct PerfectHashTests {
  @Test(arguments: [0, 1, 2, 3, 7, 100, 60_000]) func `each hash has a place of its own, which is found again`(count: Int) throws
  {
    var generator = SeededGenerator(seed: UInt64(count))
    // A set that has no pilots gets another seed, as in `PhraseIndexBuilder`.
    let (hashes, found) = try #require(
      (0..<50).lazy.compactMap { _ -> ([UInt64], (pilots: ContiguousArray<UInt8>, places: [UInt32]))? in
        let hashes = (0..<count).map { _ in UInt64.random(in: .min ... .max, using: &generator) }
        return PerfectHash.search(hashes).map { (hashes, $0) }
      }.first)
    let pilots = FlatTable(found.pilots)
    let placeCount = PerfectHash.placeCount(count)
    #expect(Set(found.places).count == count)
    #expect(found.places.allSatisfy { $0 < UInt32(placeCount) })
    let perfect = PerfectHash(pilots, placeCount: placeCount)
    #expect(hashes.map { perfect.place($0) } == found.places)
    #expect((0..<1000).allSatisfy { _ in perfect.place(.random(in: .min ... .max, using: &generator)) < UInt32(placeCount) })
    #expect(PerfectHash.fits(pilots, placeCount: placeCount))
    #expect(!PerfectHash.fits(pilots, placeCount: placeCount + 4))
  }

  @Test func `two hashes that are the same have no places`() { #expect(PerfectHash.search([7 << 40, 7 << 40]) == nil) }
}
