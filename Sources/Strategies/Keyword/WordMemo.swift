import AisleCore

/// What was worked out about words lately, each at the place that its key says: lists repeat their words.
struct WordMemo<Value: BitwiseCopyable> {
  private struct Entry: BitwiseCopyable {
    /// The word's key; 0 for none.
    var key: UInt64
    var value: Value
  }

  /// The first entry; none before the first word.
  private let entries: UnsafeMutablePointer<UnsafeMutablePointer<Entry>?>
  private let empty: Value
  private static var size: Int { 2048 }

  /// - Parameter empty: Any value; it is never given.
  init(_ empty: Value) {
    self.empty = empty
    entries = .allocate(capacity: 1)
    entries.initialize(to: nil)
  }

  func deallocate() {
    entries.pointee?.deallocate()
    entries.deallocate()
  }

  @inline(never)
  private func makeEntries() -> UnsafeMutablePointer<Entry> {
    let made = UnsafeMutablePointer<Entry>.allocate(capacity: Self.size)
    made.initialize(repeating: Entry(key: 0, value: empty), count: Self.size)
    entries.pointee = made
    return made
  }

  /// What is known under a key that is not 0, or what is worked out and kept in place of an older word's.
  @inline(__always)
  func value(of key: UInt64, or make: () -> Value) -> Value {
    let entry = (entries.pointee ?? makeEntries()) + Int(key &>> 32) & (Self.size - 1)
    if entry.pointee.key != key { entry.pointee = Entry(key: key, value: make()) }
    return entry.pointee.value
  }
}

extension Words {
  /// A word's key as it is written: unlike `keys`, another one for each form that has the same singular. Those differ in their length
  /// (`berry`, `berries`) or in their last letter (`berrys`, `berrie`).
  @inline(__always)
  func formKey(_ place: Int) -> UInt64 {
    let (start, end) = (bounds[2 &* place], bounds[2 &* place &+ 1])
    let last = UInt64(text[Int(end) &- 1].lowercasedASCII)
    return keys[place] &+ (UInt64(end &- start) &<< 8 | last) &* 0x9E37_79B9_7F4A_7C15
  }
}
