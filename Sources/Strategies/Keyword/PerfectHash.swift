import AisleCore

/// Gives each of a set of hashes a place of its own, so that a table is looked at in one place only, and hardly has empty ones.
///
/// The hashes fall into small groups. Each group has a pilot, a number that was searched for until, mixed with it, the group's hashes led
/// to places that are still free (hash and displace: Belazzougui, Botelho, Dietzfelbinger, 2009). Other hashes lead somewhere too, so the
/// table's rows must say whose they are.
struct PerfectHash {
  private let pilots: UnsafePointer<UInt8>
  private let groupCount: UInt64
  private let placeCount: UInt64

  /// - Parameters:
  ///   - pilots: A pilot a group, at least one.
  ///   - placeCount: How many places there are, 1 or more.
  init(_ pilots: FlatTable<UInt8>, placeCount: Int) {
    self.pilots = pilots.address
    groupCount = UInt64(pilots.count)
    self.placeCount = UInt64(placeCount)
  }

  /// The place of a hash, whose upper half must be well mixed.
  @inline(__always)
  func place(_ hash: UInt64) -> UInt32 {
    Self.place(hash, pilots[Self.group(hash, groupCount)], placeCount)
  }

  @inline(__always)
  private static func group(_ hash: UInt64, _ groupCount: UInt64) -> Int {
    Int(truncatingIfNeeded: ((hash &>> 32) &* groupCount) &>> 32)
  }

  @inline(__always)
  private static func place(_ hash: UInt64, _ pilot: UInt8, _ placeCount: UInt64) -> UInt32 {
    let mixed = (hash ^ (UInt64(pilot) &+ 1) &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
    return UInt32(truncatingIfNeeded: ((mixed &>> 32) &* placeCount) &>> 32)
  }

  /// Whether so many pilots and places belong together: for pilots from elsewhere.
  static func fits(_ pilots: FlatTable<UInt8>, placeCount: Int) -> Bool {
    let least = leastCount(pilots)
    return least >= 0 && (least..<least + groupSize).contains { Self.placeCount($0) == placeCount }
  }

  /// How many hashes so many pilots are made for at least.
  static func leastCount(_ pilots: FlatTable<UInt8>) -> Int { groupSize * (pilots.count - 1) }

  /// How many hashes share a pilot, on average.
  private static let groupSize = 3

  /// How many places there are for so many hashes: a quarter more, so that pilots are soon found.
  static func placeCount(_ count: Int) -> Int { count + count / 4 + 1 }

  /// The pilots for hashes and each hash's place; `nil` where some group has no pilot, as happens to few sets of hashes.
  ///
  /// - Complexity: O(hashes); about 50 ns each.
  static func search(_ hashes: [UInt64]) -> (pilots: ContiguousArray<UInt8>, places: [UInt32])? {
    let groupCount = hashes.count / groupSize + 1
    let placeCount = UInt64(placeCount(hashes.count))
    // Counted and sorted by group, the largest groups first: they have the most to find a place for.
    var ends = [Int](repeating: 0, count: groupCount + 1)
    let groups = hashes.map { group($0, UInt64(groupCount)) }
    for group in groups { ends[group + 1] += 1 }
    let order = (0..<groupCount).sorted { (ends[$1 + 1], $0) < (ends[$0 + 1], $1) }
    for group in 0..<groupCount { ends[group + 1] += ends[group] }
    var starts = ends
    var members = [Int](repeating: 0, count: hashes.count)
    for (number, group) in groups.enumerated() {
      members[starts[group]] = number
      starts[group] += 1
    }
    var pilots = ContiguousArray<UInt8>(repeating: 0, count: groupCount)
    var places = [UInt32](repeating: 0, count: hashes.count)
    var isTaken = [Bool](repeating: false, count: Int(placeCount))
    for group in order {
      let members = members[ends[group]..<ends[group + 1]]
      let pilot = (0...UInt8.max).first { pilot in
        for (count, member) in members.enumerated() {
          let place = place(hashes[member], pilot, placeCount)
          if isTaken[Int(place)] {
            for member in members.prefix(count) { isTaken[Int(places[member])] = false }
            return false
          }
          isTaken[Int(place)] = true
          places[member] = place
        }
        return true
      }
      guard let pilot else { return nil }
      pilots[group] = pilot
    }
    return (pilots, places)
  }
}
