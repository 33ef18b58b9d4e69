/// The resources that a pattern may use on one item. A pattern that hits a limit abstains.
///
/// `matchLimit` counts backtracking from one start position, so the length of the item bounds the total. With the defaults, the
/// slowest known pattern takes about 2 ms per item without JIT, and 0.1 ms with it.
public struct RegexLimits: Sendable, Hashable {
  /// The longest item that patterns see, in bytes; longer items are not names of products.
  public var itemBytes = 256
  /// How often matching may backtrack from one start position.
  public var matchLimit: UInt32 = 10_000
  /// The most heap that matching may use, in KiB.
  public var heapKibibytes: UInt32 = 1024
  /// Whether patterns are compiled to machine code if the library can.
  public var isJustInTime = true

  /// The default limits.
  public init() {}
}
