import Synchronization

/// How much each caller may still ask: a bucket that fills at a steady rate, and holds what fills it in two seconds.
final class Buckets: Sendable {
  private let rate: Double
  private let levels = Mutex<[String: Level]>([:])

  private struct Level {
    var left: Double
    var time: ContinuousClock.Instant
  }

  /// More callers than that are not remembered; who is forgotten starts with a full bucket.
  private static let remembered = 10_000

  init(rate: Int) { self.rate = Double(rate) }

  /// Takes one request out.
  ///
  /// - Returns: `nil`, or how many seconds there is nothing left for.
  func take(_ caller: String) -> Int? {
    let now = ContinuousClock.now
    return levels.withLock { levels in
      if levels.count > Self.remembered { levels = levels.filter { now - $0.value.time < .seconds(2) } }
      var level = levels[caller] ?? Level(left: 2 * rate, time: now)
      level.left = min(2 * rate, level.left + rate * ((now - level.time) / .seconds(1)))
      level.time = now
      let isLeft = level.left >= 1
      if isLeft { level.left -= 1 }
      levels[caller] = level
      return isLeft ? nil : 1
    }
  }
}
