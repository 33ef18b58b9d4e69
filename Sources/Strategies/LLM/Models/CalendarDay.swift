/// A day of the calendar, as `2026-11-30`.
public struct CalendarDay: Sendable, Hashable, CustomStringConvertible {
  /// Its number, counted from 1970-01-01.
  public let daysSince1970: Int

  /// Makes the day of a number, counted from 1970-01-01.
  public init(daysSince1970: Int) { self.daysSince1970 = daysSince1970 }

  /// Reads a day; `nil` for any other text.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let year = Int(parts[0]), year > 0, let month = Int(parts[1]), let day = Int(parts[2]), (1...12).contains(month)
    else { return nil }
    let number = Self.number(year, month, day)
    self.init(daysSince1970: number)
    // There is no 31st of November: its number is that of another day.
    guard description == text else { return nil }
  }

  /// The day as it is written.
  public var description: String {
    // The years begin in March, so that the day that leap years have more is their last (Howard Hinnant: chrono-compatible low-level
    // date algorithms). No day before the year 0 is ever made.
    let day = daysSince1970 + 719_468
    let dayOfEra = day % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    func digits(_ number: Int, _ width: Int) -> String {
      String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
    }
    let year = day / 146_097 * 400 + yearOfEra + (month >= 10 ? 1 : 0)
    return
      "\(digits(year, 4))-\(digits(month < 10 ? month + 3 : month - 9, 2))-\(digits(dayOfYear - (153 * month + 2) / 5 + 1, 2))"
  }

  private static func number(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let yearOfEra = year % 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return year / 400 * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The days from this one to another; negative if that is earlier.
  public func days(until other: CalendarDay) -> Int { other.daysSince1970 - daysSince1970 }
}
