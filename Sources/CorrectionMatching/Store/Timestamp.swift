#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Times as people and files write them: ISO 8601 in UTC, with milliseconds if they are not zero.
///
/// The calendar is computed without Foundation (Howard Hinnant: chrono-compatible low-level date algorithms).
public enum Timestamp {
  /// The time, in milliseconds since 1970 in UTC.
  package static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    // Without a trap whatever the clock says; a time that cannot be kept is refused by the store.
    return Int(time.tv_sec) &* 1000 &+ Int(time.tv_nsec) / 1_000_000
  }

  /// A time as `2026-11-21T16:03:42Z`, with milliseconds if they are not zero.
  public static func text(_ milliseconds: Int) -> String { text(milliseconds, isFull: false) }

  /// A time as `2026-11-21T16:03:42.000Z`.
  package static func full(_ milliseconds: Int) -> String { text(milliseconds, isFull: true) }

  /// A time as headers of HTTP have it: `Sat, 21 Nov 2026 16:03:42 GMT`.
  package static func http(_ milliseconds: Int) -> String {
    let clamped = min(max(milliseconds, range.lowerBound), range.upperBound)
    let day = floorDivide(clamped, millisecondsADay)
    let rest = clamped - day * millisecondsADay
    let (year, month, date) = civil(day)
    // The first day of 1970 was a Thursday.
    let weekday = (day % 7 + 7 + 4) % 7
    return "\(name(weekday, in: "SunMonTueWedThuFriSat")), \(padded(date, 2)) "
      + "\(name(month - 1, in: "JanFebMarAprMayJunJulAugSepOctNovDec")) \(padded(year, 4)) \(padded(rest / 3_600_000, 2))"
      + ":\(padded(rest / 60_000 % 60, 2)):\(padded(rest / 1000 % 60, 2)) GMT"
  }

  private static func name(_ place: Int, in names: String) -> Substring { names.dropFirst(3 * place).prefix(3) }

  private static func text(_ milliseconds: Int, isFull: Bool) -> String {
    let clamped = min(max(milliseconds, range.lowerBound), range.upperBound)
    let day = floorDivide(clamped, millisecondsADay)
    let rest = clamped - day * millisecondsADay
    let (year, month, date) = civil(day)
    let fraction = rest % 1000 == 0 && !isFull ? "" : "." + padded(rest % 1000, 3)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(date, 2))T\(padded(rest / 3_600_000, 2))"
      + ":\(padded(rest / 60_000 % 60, 2)):\(padded(rest / 1000 % 60, 2))\(fraction)Z"
  }

  /// The milliseconds since 1970 in a text written by `text`; `nil` for any other text.
  public static func milliseconds(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    guard bytes.count == 20 || bytes.count == 24 else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for byte in bytes[range] {
        guard byte.isASCIIDigit else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      return value
    }
    for (place, mark) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":"), (bytes.count - 1, "Z")]
    where bytes[place] != mark.utf8.first { return nil }
    guard let year = number(0..<4), let month = number(5..<7), let date = number(8..<10), let hour = number(11..<13),
      let minute = number(14..<16), let second = number(17..<19), 1...12 ~= month, 1...31 ~= date, hour < 24, minute < 60,
      second < 60
    else { return nil }
    var fraction = 0
    if bytes.count == 24 {
      guard bytes[19] == UInt8(ascii: "."), let value = number(20..<23) else { return nil }
      fraction = value
    }
    let day = days(year, month, date)
    guard civil(day) == (year, month, date) else { return nil }
    return day * millisecondsADay + ((hour * 60 + minute) * 60 + second) * 1000 + fraction
  }

  private static let millisecondsADay = 86_400_000
  /// The range of times that can be written: the years 0 to 9999.
  public static let range = -62_167_219_200_000...253_402_300_799_999

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func floorDivide(_ number: Int, _ divisor: Int) -> Int {
    number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
  }

  private static func civil(_ day: Int) -> (year: Int, month: Int, date: Int) {
    let shifted = day + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    return (
      yearOfEra + era * 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1
    )
  }

  private static func days(_ year: Int, _ month: Int, _ date: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = floorDivide(year, 400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + date - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
