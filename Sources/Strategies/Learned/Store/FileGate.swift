#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Lets one thread at a time have a database file open in this process. Other files are not waited for.
///
/// Closing a file drops every POSIX lock that the process holds on it, whoever took it (https://www.sqlite.org/howtocorrupt.html, 2.2).
/// A header that is read beside SQLite would so unlock a database in the middle of another thread's transaction.
final class FileGate: @unchecked Sendable {
  static let shared = FileGate()

  /// Guarded by `mutex`: the files that a thread has open.
  private var busy: Set<String> = []
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let isLeft = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  private init() {
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    isLeft.initialize(to: pthread_cond_t())
    pthread_cond_init(isLeft, nil)
  }

  /// Runs `body` while no other thread has the file open; calls must not be nested.
  ///
  /// - Parameter waits: Whether to wait for the thread that has it open; else there is no result while one has.
  func pass<Result, Failure: Error>(
    _ file: DatabaseFile, waiting waits: Bool, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard enter(file.path, waiting: waits) else { return nil }
    defer { leave(file.path) }
    return try body()
  }

  private func enter(_ path: String, waiting waits: Bool) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !busy.insert(path).inserted {
      guard waits else { return false }
      pthread_cond_wait(isLeft, mutex)
    }
    return true
  }

  private func leave(_ path: String) {
    pthread_mutex_lock(mutex)
    busy.remove(path)
    pthread_mutex_unlock(mutex)
    pthread_cond_broadcast(isLeft)
  }
}
