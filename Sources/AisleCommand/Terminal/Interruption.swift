import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Thrown when SIGINT or SIGTERM asked to stop: whole records are out, nothing more follows.
struct Interruption: Error {
  private static let signal = Atomic<Int32>(0)
  private static let readEnd = Atomic<Int32>(-1)
  private static let writeEnd = Atomic<Int32>(-1)

  /// 128 plus the signal's number, as a shell reports it.
  var exitCode: Int32 { 128 + Self.signal.load(ordering: .relaxed) }

  static var isRequested: Bool { signal.load(ordering: .relaxed) != 0 }

  /// A descriptor that becomes readable when a signal arrives, so that waiting ends.
  static var wakeUp: Int32 { readEnd.load(ordering: .relaxed) }

  static func check() throws { if isRequested { throw Interruption() } }

  /// Runs a body, and cancels it when a signal asks to stop.
  ///
  /// - Throws: what the body throws; `Interruption`; `CommandFailure` where the system grants no threads.
  static func ending<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
    try Threads.require(2, for: "waiting for an answer")
    return try await withThrowingTaskGroup(of: Result?.self) { group in
      group.addTask { try await body() }
      group.addTask {
        while !isRequested { try await Task.sleep(for: .milliseconds(50)) }
        return nil
      }
      defer { group.cancelAll() }
      do {
        if let ended = try await group.next(), let result = ended { return result }
      } catch is CancellationError {
        try check()
        throw CancellationError()
      }
      throw Interruption()
    }
  }

  /// Listens for SIGINT and SIGTERM, and lets broken pipes and files over the limit be errors instead of signals. A second SIGINT ends the process at once.
  static func listen() {
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) == 0 {
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
      readEnd.store(ends[0], ordering: .relaxed)
      writeEnd.store(ends[1], ordering: .relaxed)
    }
    var action = sigaction()
    sigemptyset(&action.sa_mask)
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
    setHandler(&action) { number in
      Interruption.signal.store(number, ordering: .relaxed)
      var byte: UInt8 = 1
      _ = write(Interruption.writeEnd.load(ordering: .relaxed), &byte, 1)
    }
    sigaction(SIGINT, &action, nil)
    sigaction(SIGTERM, &action, nil)
    var ignore = sigaction()
    sigemptyset(&ignore.sa_mask)
    setHandler(&ignore, SIG_IGN)
    sigaction(SIGPIPE, &ignore, nil)
    sigaction(SIGXFSZ, &ignore, nil)
  }

  private static func setHandler(_ action: inout sigaction, _ handler: @escaping @convention(c) (Int32) -> Void) {
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
  }

  private static func setHandler(_ action: inout sigaction, _ handler: __sighandler_t?) {
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
  }
}
