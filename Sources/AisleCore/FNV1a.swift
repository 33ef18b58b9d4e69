/// The 64-bit FNV-1a hash (Fowler, Noll, Vo): the same on every machine and in every version, so it can be stored in files.
public enum FNV1a {
  /// The hash of some bytes.
  @inlinable
  public static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// A hash as 16 hexadecimal digits.
  public static func text(_ hash: UInt64) -> String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
