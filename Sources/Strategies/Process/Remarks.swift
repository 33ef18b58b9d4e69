import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Passes on what a program says on its standard error and what goes wrong with it, but no flood of it.
final class Remarks: Sendable {
  /// The most lines of standard error that are passed on each time the program runs.
  static let mostLines = 200
  /// The most remarks about failures; the same one is made once.
  static let mostReports = 50

  private let name: String
  private let sink: @Sendable (String) -> Void
  private let reported = Mutex<Set<String>>([])

  init(name: String, sink: @escaping @Sendable (String) -> Void) {
    self.name = name
    self.sink = sink
  }

  /// Says what went wrong.
  func report(_ message: String) {
    let isNew = reported.withLock { $0.count < Self.mostReports && $0.insert(message).inserted }
    if isNew { sink("strategy `\(name)` \(message)") }
  }

  /// Says what always is to be said.
  func announce(_ message: String) { sink("strategy `\(name)` \(message)") }

  /// Passes on a line of standard error.
  func forward(_ line: String) { sink("\(name): \(line)") }
}

/// The standard error of one run of a program, cut into lines.
struct ErrorLines {
  private static let longestLine = 1_000

  private let remarks: Remarks
  private var line: [UInt8] = []
  private var count = 0

  init(_ remarks: Remarks) { self.remarks = remarks }

  mutating func take(_ bytes: UnsafeRawBufferPointer) {
    guard count <= Remarks.mostLines else { return }
    var rest = bytes
    // Not `firstIndex(of:)`: a flood must cost next to nothing.
    while let base = rest.baseAddress, let end = memchr(base, 0x0A, rest.count) {
      let length = UnsafeRawPointer(end) - base
      add(UnsafeRawBufferPointer(rebasing: rest[..<length]))
      self.end()
      rest = UnsafeRawBufferPointer(rebasing: rest[(length + 1)...])
    }
    add(rest)
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    line.append(contentsOf: bytes.prefix(Self.longestLine - line.count))
  }

  /// Passes on what is no whole line, once nothing more comes.
  mutating func finish() { if !line.isEmpty { end() } }

  private mutating func end() {
    count += 1
    if count <= Remarks.mostLines {
      remarks.forward(Printable.text(line, limit: Self.longestLine))
    } else if count == Remarks.mostLines + 1 {
      remarks.forward("… (only its first \(Remarks.mostLines) lines are shown)")
    }
    line.removeAll(keepingCapacity: true)
  }
}
