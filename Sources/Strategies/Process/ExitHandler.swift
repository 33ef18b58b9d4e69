import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Lets programs end in good order when the process that uses them exits.
enum ExitHandler {
  private struct State {
    var isInstalled = false
    var workers: [ObjectIdentifier: Worker] = [:]
  }

  private static let state = Mutex(State())

  /// How long the exit may be held up: longer than a worker takes to end the most stubborn program.
  private static let patience = Child.patience + Child.lastPatience + .seconds(2)

  static func add(_ worker: Worker) {
    state.withLock { state in
      state.workers[ObjectIdentifier(worker)] = worker
      if !state.isInstalled { atexit { ExitHandler.endAll() } }
      state.isInstalled = true
    }
  }

  static func remove(_ worker: Worker) { _ = state.withLock { $0.workers.removeValue(forKey: ObjectIdentifier(worker)) } }

  private static func endAll() {
    let workers = state.withLock { Array($0.workers.values) }
    for worker in workers { worker.stop() }
    let deadline = ContinuousClock.now + patience
    while ContinuousClock.now < deadline, !workers.allSatisfy(\.hasEnded) { usleep(500) }
  }
}
