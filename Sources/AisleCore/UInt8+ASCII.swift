/// What a byte of UTF-8 is when it is plain; bytes of other letters are none of these.
extension UInt8 {
  /// Whether it is one of `0`…`9`.
  @inlinable @inline(__always) package var isASCIIDigit: Bool { self &- 0x30 < 10 }

  /// Whether it is one of `a`…`z` or `A`…`Z`.
  @inlinable @inline(__always) package var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }

  /// Whether it is one of `a`…`z`.
  @inlinable @inline(__always) package var isLowercaseASCII: Bool { self &- 0x61 < 26 }

  /// Whether it is one of `A`…`Z`.
  @inlinable @inline(__always) package var isUppercaseASCII: Bool { self &- 0x41 < 26 }

  /// The small letter of a capital; any other byte as it is.
  @inlinable @inline(__always) package var lowercasedASCII: UInt8 { isUppercaseASCII ? self | 0x20 : self }
}
