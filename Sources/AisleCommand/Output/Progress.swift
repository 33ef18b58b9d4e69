/// A line on stderr that tells how far long work is; on terminals only.
struct Progress {
  private let isShown: Bool
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var last: ContinuousClock.Instant
  private var items = 0
  private var isVisible = false

  init() {
    isShown = Descriptor.standardError.isTerminal && !Descriptor.standardOutput.isTerminal
    start = clock.now
    last = start
  }

  /// Counts items, and shows the line at most five times a second, from the second second on.
  mutating func advance(by count: Int) {
    items += count
    guard isShown else { return }
    let now = clock.now
    guard now - start > .seconds(1), now - last > .milliseconds(200) else { return }
    last = now
    isVisible = true
    let rate = Int(Double(items) / Double((now - start) / .seconds(1)))
    Descriptor.standardError.tell("\r\u{1B}[K\(items) items, \(rate) a second")
  }

  /// Takes the line away.
  mutating func clear() {
    if isVisible { Descriptor.standardError.tell("\r\u{1B}[K") }
    isVisible = false
  }
}
