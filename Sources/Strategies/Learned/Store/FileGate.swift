#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Lets one thread at a time have database files open in this process.
///
/// Closing a file drops every POSIX lock that the process holds on it, whoever took it (https://www.sqlite.org/howtocorrupt.html, 2.2).
/// A header that is read beside SQLite would so unlock a database in the middle of another thread's transaction.
final class FileGate: @unchecked Sendable {
  static let shared = FileGate()

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  private init() {
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  /// Runs `body` while nobody else is inside; calls must not be nested.
  ///
  /// - Parameter waits: Whether to wait for those inside; else there is no result while somebody is.
  func pass<Result, Failure: Error>(waiting waits: Bool, _ body: () throws(Failure) -> Result) throws(Failure) -> Result? {
    guard waits ? pthread_mutex_lock(mutex) == 0 : pthread_mutex_trylock(mutex) == 0 else { return nil }
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }
}
