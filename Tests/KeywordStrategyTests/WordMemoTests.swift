import AisleCore
import Testing

@testable import KeywordStrategy

/// What is remembered of one word is never taken for another's.
@Suite struct WordMemoTests {
  /// The keys of a word as it is written, and of its singular.
  private func keys(_ word: String) -> (form: UInt64, singular: UInt64) {
    let words = Words()
    let text = Array(word.utf8) + [UInt8](repeating: 0, count: Batch.padding)
    return text.withUnsafeBufferPointer { text in
      guard let start = text.baseAddress else { return (0, 0) }
      words.scan(start, count: text.count - Batch.padding)
      return (words.formKey(0), words.keys[0])
    }
  }

  @Test(arguments: [
    ["berry", "berries", "berrys", "berrie"], ["box", "boxes", "boxs"], ["cookie", "cookies", "cooky", "cookys"],
  ])
  func `forms of a word have keys of their own`(forms: [String]) {
    #expect(Set(forms.map { keys($0).singular }).count == 1)
    #expect(Set(forms.map { keys($0).form }).count == forms.count)
  }

  @Test(arguments: [("BERRYS", "berrys"), ("Crème", "creme")])
  func `case and accents make no other form`(one: String, other: String) { #expect(keys(one).form == keys(other).form) }

  @Test func `a word is worked out again once another has taken its place`() {
    let memo = WordMemo(0)
    defer { memo.deallocate() }
    // Of keys that differ in their low half only, all have one place.
    var made = 0
    func value(_ key: UInt64) -> Int {
      memo.value(of: key) {
        made += 1
        return Int(key) * 10
      }
    }
    #expect([1, 1, 2, 2, 1].map(value) == [10, 10, 20, 20, 10])
    #expect(made == 3)
  }
}
