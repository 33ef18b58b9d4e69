/// Numbers by keys of 64 bits, in open addressing: a look or two at memory for each.
struct KeyNumbers {
  /// A number plus one, so that 0 is a free place.
  private var slots: ContiguousArray<(key: UInt64, next: UInt32)>
  private var count = 0

  /// Makes room for so many keys; for more it grows.
  init(minimumCapacity: Int) {
    slots = .init(repeating: (0, 0), count: 1 << (64 - max(2 * minimumCapacity, 2).leadingZeroBitCount))
  }

  /// The number of a key; where it has none, it gets the one given.
  mutating func number(of key: UInt64, orAdd number: @autoclosure () -> UInt32) -> (number: UInt32, isNew: Bool) {
    if 2 * count >= slots.count { grow() }
    let slot = slot(of: key)
    if slots[slot].next != 0 { return (slots[slot].next - 1, false) }
    let number = number()
    slots[slot] = (key, number + 1)
    count += 1
    return (number, true)
  }

  private func slot(of key: UInt64) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> 32) & mask
    while slots[slot].next != 0, slots[slot].key != key { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    let old = slots
    slots = .init(repeating: (0, 0), count: 2 * old.count)
    for entry in old where entry.next != 0 { slots[slot(of: entry.key)] = entry }
  }
}
