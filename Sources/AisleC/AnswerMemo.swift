import CAisle

/// The answers that were given last, so that an item that comes again, as most in a list app do, is not weighed again. An open store never
/// changes, so they stay right.
///
/// It serves one call at a time and takes 90 KB.
final class AnswerMemo {
  private struct Place {
    var hash: UInt64 = 0
    /// The item's length in bytes; negative where none is kept.
    var length: Int32 = -1
    var answer = aisle_answer()
  }

  private static let count = 1024
  /// The longest item that is kept, in bytes.
  private static let longest = 64

  private let places = UnsafeMutablePointer<Place>.allocate(capacity: count)
  private let texts = UnsafeMutableRawPointer.allocate(byteCount: count * longest, alignment: 8)

  init() { places.initialize(repeating: Place(), count: Self.count) }

  deinit {
    places.deallocate()
    texts.deallocate()
  }

  /// The answer about an item: what was given before, or what `body` gives.
  @inline(__always)
  func answer(_ item: UnsafeBufferPointer<UInt8>, _ body: () -> aisle_answer) -> aisle_answer {
    guard let start = item.baseAddress, item.count <= Self.longest else { return body() }
    let hash = Self.hash(start, item.count)
    let number = Int(truncatingIfNeeded: hash &>> 48) & (Self.count &- 1)
    let (place, text) = (places + number, texts + number &* Self.longest)
    if place.pointee.hash == hash, Int(place.pointee.length) == item.count, Self.isSame(start, text, item.count) {
      return place.pointee.answer
    }
    let answer = body()
    place.pointee = Place(hash: hash, length: Int32(truncatingIfNeeded: item.count), answer: answer)
    text.copyMemory(from: start, byteCount: item.count)
    return answer
  }

  @inline(__always)
  private static func hash(_ item: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
    var hash: UInt64 = 0x9E37_79B9_7F4A_7C15 &+ UInt64(truncatingIfNeeded: count)
    var place = 0
    while place &+ 8 <= count {
      hash = mixed(hash ^ UnsafeRawPointer(item).loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place &+= 8
    }
    var rest: UInt64 = 0
    while place < count {
      rest = rest &<< 8 | UInt64(item[place])
      place &+= 1
    }
    return mixed(hash ^ rest)
  }

  @inline(__always)
  private static func mixed(_ word: UInt64) -> UInt64 {
    let product = word &* 0xBF58_476D_1CE4_E5B9
    return product ^ product &>> 29
  }

  @inline(__always)
  private static func isSame(_ item: UnsafePointer<UInt8>, _ text: UnsafeMutableRawPointer, _ count: Int) -> Bool {
    var place = 0
    while place < count {
      if item[place] != text.load(fromByteOffset: place, as: UInt8.self) { return false }
      place &+= 1
    }
    return true
  }
}
