/// What a pattern may use up on one item. Whoever hits a limit abstains.
///
/// `matchLimit` counts backtracking from one start position, so the length of the item bounds the rest: with the defaults the
/// dearest known pattern takes about 2 ms an item without JIT, and 0.1 ms with it.
public struct RegexLimits: Sendable, Hashable {
  /// The longest item that patterns see, in bytes; longer ones are no names of goods.
  public var itemBytes = 256
  /// How often matching may backtrack from one start position.
  public var matchLimit: UInt32 = 10_000
  /// The most heap that matching may use, in KiB.
  public var heapKibibytes: UInt32 = 1024
  /// Whether patterns are compiled to machine code where the library can.
  public var isJustInTime = true

  /// The usual limits.
  public init() {}
}
