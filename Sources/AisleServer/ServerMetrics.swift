import Synchronization

/// Counts what the server does, for Prometheus.
final class ServerMetrics: Sendable {
  private let underWay = Atomic<Int>(0)
  private let items = Atomic<Int>(0)
  private let requests = Mutex<[Key: Count]>([:])

  private struct Key: Hashable {
    let method: String
    let path: String
    let status: Int
  }

  private struct Count {
    var number = 0
    var seconds = 0.0

    mutating func add(_ duration: Double) { (number, seconds) = (number + 1, seconds + duration) }
  }

  /// Begins a request.
  ///
  /// - Returns: whether it may be answered: there are not too many.
  func begin(atMost limit: Int) -> Bool {
    if underWay.add(1, ordering: .relaxed).newValue <= limit { return true }
    underWay.subtract(1, ordering: .relaxed)
    return false
  }

  /// Ends a request that was begun.
  func end() { underWay.subtract(1, ordering: .relaxed) }

  /// Counts items that were categorized.
  func add(items count: Int) { items.add(count, ordering: .relaxed) }

  /// Counts a request. Its path is that of the route, so that nobody can make up paths to count.
  func count(_ method: String, _ path: String, _ status: Int, since start: ContinuousClock.Instant) {
    let key = Key(method: method, path: path, status: status)
    let duration = (ContinuousClock.now - start) / .seconds(1)
    requests.withLock { $0[key, default: Count()].add(duration) }
  }

  /// The counts in the text format of Prometheus, version 0.0.4.
  var text: String {
    var lines = [
      "# HELP aisle_items_total Items categorized.", "# TYPE aisle_items_total counter",
      "aisle_items_total \(items.load(ordering: .relaxed))",
      "# HELP aisle_requests_under_way Requests that are being answered.", "# TYPE aisle_requests_under_way gauge",
      "aisle_requests_under_way \(underWay.load(ordering: .relaxed))",
    ]
    let counts = requests.withLock { $0 }.sorted {
      ($0.key.path, $0.key.method, $0.key.status) < ($1.key.path, $1.key.method, $1.key.status)
    }
    func add(_ name: String, _ help: String, _ value: (Count) -> String) {
      lines += ["# HELP \(name) \(help)", "# TYPE \(name) counter"]
      lines += counts.map { key, count in
        "\(name){method=\"\(key.method)\",path=\"\(key.path)\",status=\"\(key.status)\"} \(value(count))"
      }
    }
    add("aisle_requests_total", "Requests answered.") { "\($0.number)" }
    add("aisle_request_seconds_total", "Time from request to answer.") { "\($0.seconds)" }
    return lines.map { $0 + "\n" }.joined()
  }
}
