import AisleCore

/// The bytes of a report being written.
final class ReportBuffer: ByteSink {
  private(set) var bytes: [UInt8] = []

  func append(_ bytes: some Collection<UInt8>) { self.bytes.append(contentsOf: bytes) }

  func append(_ byte: UInt8) { bytes.append(byte) }

  func append(_ text: String) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  /// Makes room for so many bytes in all.
  func reserve(_ count: Int) { bytes.reserveCapacity(count) }

  /// Appends a whole number in decimal digits.
  func append(decimal value: Int) {
    if value < 0 { append(UInt8(ascii: "-")) }
    appendDigits(value.magnitude)
  }

  /// Appends a number rounded to six decimals, without zeros at its end; `null` where it is not defined or not finite.
  func append(figure value: Double?) {
    guard let value, value.isFinite else { return append("null") }
    let scaled = (value * 1e6).rounded()
    guard abs(scaled) < 9e15 else { return append("\(value)") }
    let (whole, fraction) = Int(scaled).magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    if scaled < 0 { append(UInt8(ascii: "-")) }
    appendDigits(whole)
    if fraction == 0 { return }
    append(UInt8(ascii: "."))
    var (rest, unit): (UInt, UInt) = (fraction, 100_000)
    while rest > 0 {
      append(UInt8(ascii: "0") + UInt8(rest / unit))
      rest %= unit
      unit /= 10
    }
  }

  private func appendDigits(_ value: UInt) {
    if value >= 10 { appendDigits(value / 10) }
    append(UInt8(ascii: "0") + UInt8(value % 10))
  }
}
