/// The exponential function without the C library, to about six digits, and its inverse.
package enum Exponential {
  @usableFromInline static let whole: Float = 12_582_912

  /// e to the power of a number; 0 below -80.
  @inlinable package static func of(_ x: Float) -> Float { x < -80 ? 0 : of(SIMD8(repeating: x))[0] }

  /// e to the power of eight numbers, each at most 80; e to the -80 below that.
  @inlinable @inline(__always)
  package static func of(_ x: SIMD8<Float>) -> SIMD8<Float> { ofBounded(x.replacing(with: -80, where: x .< -80)) }

  /// e to the power of eight numbers from -80 to 80.
  @inlinable @inline(__always)
  package static func ofBounded(_ x: SIMD8<Float>) -> SIMD8<Float> {
    // 2^(whole + part), the part's power by a polynomial, the whole's by the exponent's bits. Added to `Self.whole`, a small number is
    // rounded to whole steps, which then stand in the lowest bits.
    let power = x * 1.442_695_04
    let steps = power + Self.whole
    let part = (power - (steps - Self.whole)) * 0.693_147_18
    var fraction = part * 0.008_333_334 + 0.041_666_668
    fraction = fraction * part + 0.166_666_67
    fraction = fraction * part + 0.5
    fraction = (fraction * part + 1) * part + 1
    let bits = unsafeBitCast(steps, to: SIMD8<UInt32>.self) &- SIMD8(repeating: Self.whole.bitPattern &- 127)
    return fraction * unsafeBitCast(bits &<< 23, to: SIMD8<Float>.self)
  }

  /// The natural logarithm of a number greater than 0.
  package static func logarithm(_ x: Float) -> Float {
    // Newton's method on the exponential, from the exponent of two.
    var result = (Float(x.exponent) + x.significand - 1) * 0.693_147_18
    for _ in 0..<4 { result += x / of(result) - 1 }
    return result
  }
}
