/// Says when a program that failed may be started again, and when never.
struct RestartPolicy {
  /// How many failures within `window` are too many.
  static let mostFailures = 5
  /// How long a failure counts.
  static let window = Duration.seconds(180)
  /// The pause after the first failure; it doubles with each that still counts.
  static let firstPause = Duration.milliseconds(100)

  private var failures: [ContinuousClock.Instant] = []
  /// Whether the program is not to be started any more.
  private(set) var isOpen = false

  /// Notes a failure; a lasting one is the last.
  mutating func fail(at now: ContinuousClock.Instant, isLasting: Bool = false) {
    failures.removeAll { now - $0 >= Self.window }
    failures.append(now)
    if isLasting || failures.count >= Self.mostFailures { isOpen = true }
  }

  /// The time before which the program is not to be started; `nil` when it may be at once.
  var earliestStart: ContinuousClock.Instant? {
    failures.last.map { $0 + Self.firstPause * (1 << (failures.count - 1)) }
  }
}
