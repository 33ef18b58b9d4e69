/// Sizes as people read them.
package enum ByteSize {
  /// A number of bytes in the largest unit that it is a whole number of: `4 MiB`, `64 KiB`, `100 bytes`.
  package static func text(_ count: Int) -> String {
    for (unit, shift) in [("GiB", 30), ("MiB", 20), ("KiB", 10)] where count >= 1 << shift && count & ((1 << shift) - 1) == 0 {
      return "\(count >> shift) \(unit)"
    }
    return count == 1 ? "1 byte" : "\(count) bytes"
  }
}
