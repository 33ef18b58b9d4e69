import HTTPTransport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// How often and how soon a failed request is sent again.
enum RetryPolicy {
  /// How often a request is sent again.
  static let maximum = 2
  /// The longest wait that a server may ask for; of a longer one is taken no notice.
  static let longestWait = Duration.seconds(60)

  /// How long to wait before a request is sent again: as the server says, else 0.5 s · 2ⁿ, at most 8 s, less up to a quarter.
  ///
  /// - Parameters:
  ///   - attempt: How often it has been sent again already.
  ///   - random: A number in 0…1.
  ///   - now: The time in seconds since 1970.
  static func wait(
    attempt: Int, _ response: HTTPResponse?, random: Double = .random(in: 0...1), now: Int = time(nil)
  ) -> Duration {
    if let asked = response.flatMap({ askedWait($0, now: now) }) { return asked }
    let full = min(0.5 * Double(1 << min(attempt, 10)), 8)
    return .seconds(full * (1 - 0.25 * random))
  }

  /// How long the server asks to wait; `nil` where it does not say, or asks for too long.
  static func askedWait(_ response: HTTPResponse, now: Int = time(nil)) -> Duration? {
    var wait: Duration?
    if let milliseconds = response["retry-after-ms"].flatMap({ Double($0) }), milliseconds.isFinite {
      wait = .milliseconds(min(max(milliseconds, 0), 1e9))
    } else if let text = response["retry-after"] {
      if let seconds = Double(text), seconds.isFinite {
        wait = .seconds(min(max(seconds, 0), 1e9))
      } else if let date = HTTPDate.seconds(text) {
        wait = .seconds(max(0, date - now))
      }
    }
    return wait.flatMap { $0 <= longestWait ? $0 : nil }
  }
}

/// Dates as headers write them (RFC 9110): `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// The seconds since 1970; `nil` for what is no such date.
  static func seconds(_ text: String) -> Int? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]), (1...31).contains(day),
      let month = months.firstIndex(of: String(parts[2])), let year = Int(parts[3]), (1970...9999).contains(year)
    else { return nil }
    let clock = parts[4].split(separator: ":").map { Int($0) ?? -1 }
    guard clock.count == 3, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]), (0...60).contains(clock[2]) else {
      return nil
    }
    // Days since 1970-01-01 in the Gregorian calendar, by Howard Hinnant's algorithm: the year begins in March.
    let shifted = month < 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * ((month + 10) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    return days * 86_400 + clock[0] * 3_600 + clock[1] * 60 + clock[2]
  }
}
