import Testing

@testable import AisleCommand

struct ProgressTests {
  @Test("One item is one, and so is one request")
  func numbers() {
    #expect(Progress.line(items: 1, rate: 0) == "1 item, 0 per second")
    #expect(Progress.line(items: 2, rate: 1, requests: 1) == "2 items, 1 per second, 1 request")
  }
}
