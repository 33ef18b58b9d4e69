import LearnedStrategy
import LLMStrategy

extension CalendarDay {
  /// The day that it is now, in UTC.
  static var today: CalendarDay { CalendarDay(daysSince1970: Timestamp.now / 86_400_000) }
}
