import HTTPTransport
import Synchronization
import Testing

@testable import LLMStrategy

struct `The wait before a request is sent again` {
  private static let now = 784_111_777  // Sun, 06 Nov 1994 08:49:37 GMT

  @Test(arguments: [
    (["retry-after-ms": "250"], Duration.milliseconds(250)), (["retry-after": "2"], .seconds(2)),
    (["retry-after": "1.5"], .seconds(1.5)), (["retry-after-ms": "40", "retry-after": "2"], .milliseconds(40)),
    (["retry-after": "Sun, 06 Nov 1994 08:50:07 GMT"], .seconds(30)),
    (["retry-after": "Sun, 06 Nov 1994 08:49:00 GMT"], .zero), (["retry-after": "60"], .seconds(60)),
    (["retry-after": "-5"], .zero),
  ])
  func `is what the server asks for`(headers: [String: String], wait: Duration) {
    #expect(RetryPolicy.wait(attempt: 0, HTTPResponse(status: 429, headers: headers), now: Self.now) == wait)
  }

  @Test(arguments: [
    [:], ["retry-after": "61"], ["retry-after": "soon"], ["retry-after": "nan"], ["retry-after-ms": "inf"],
    ["retry-after": "Sun, 06 Nov 1994 08:51:00 GMT"], ["retry-after": "Sun, 99 Nov 1994 08:50:07 GMT"], ["retry-after": "1e999"],
  ])
  func `is half a second doubled where it asks for nothing, or too much`(headers: [String: String]) {
    let response = HTTPResponse(status: 529, headers: headers)
    for (attempt, full) in [(0, 0.5), (1, 1), (2, 2), (3, 4), (4, 8), (5, 8), (60, 8)] {
      #expect(RetryPolicy.wait(attempt: attempt, response, random: 0, now: Self.now) == .seconds(full))
      #expect(RetryPolicy.wait(attempt: attempt, response, random: 1, now: Self.now) == .seconds(full * 0.75))
    }
  }

  @Test(arguments: [
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
    ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600), ("Thu, 31 Dec 2026 23:59:59 GMT", 1_798_761_599),
  ])
  func `knows dates`(text: String, seconds: Int) { #expect(HTTPDate.seconds(text) == seconds) }
}

struct `The circuit breaker` {
  /// A clock that is set by hand.
  private final class Clock: Sendable {
    private let offset = Mutex(Duration.zero)
    private let start = ContinuousClock.now

    var now: ContinuousClock.Instant { start + offset.withLock { $0 } }

    func advance(_ duration: Duration) { offset.withLock { $0 += duration } }
  }

  private let clock = Clock()

  private func breaker() -> CircuitBreaker { CircuitBreaker { [clock] in clock.now } }

  @Test func `opens after 5 failures in a row, for 30 s, and then lets one try`() {
    let breaker = breaker()
    for _ in 0..<4 { #expect(!breaker.failed(start: clock.now, patience: nil)) }
    breaker.succeeded()
    for _ in 0..<4 { #expect(!breaker.failed(start: clock.now, patience: nil)) }
    #expect(breaker.admits())
    #expect(breaker.failed(start: clock.now, patience: nil))
    #expect(!breaker.admits())
    clock.advance(.seconds(29))
    #expect(!breaker.admits())
    clock.advance(.seconds(1))
    #expect(breaker.admits())
    #expect(!breaker.admits())
    breaker.abandoned()
    #expect(breaker.admits())
    _ = breaker.failed(start: clock.now, patience: nil)
    #expect(!breaker.admits())
    clock.advance(.seconds(30))
    #expect(breaker.admits())
    breaker.succeeded()
    #expect(breaker.admits() && breaker.admits())
  }

  @Test func `counts what was under way on a connection that broke as one failure`() {
    let breaker = breaker()
    for wave in 1...5 {
      let start = clock.now
      for request in 0..<8 {
        clock.advance(.milliseconds(1))
        let isOpened = breaker.failed(start: start, patience: nil, isBroken: true)
        #expect(isOpened == (wave == 5 && request == 0), "wave \(wave), request \(request)")
      }
      clock.advance(.milliseconds(1))
    }
    #expect(!breaker.admits())
  }

  @Test func `counts what was under way when a server asked for patience as one failure`() {
    let breaker = breaker()
    let sent = clock.now
    clock.advance(.seconds(1))
    for _ in 0..<20 { #expect(!breaker.failed(start: sent, patience: .seconds(3))) }
    #expect(breaker.admits())
    #expect(breaker.patience == .seconds(3))
    clock.advance(.seconds(3))
    #expect(breaker.patience == nil)
  }
}
