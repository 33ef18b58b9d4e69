import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Ends the wait of a worker's thread.
final class WakeUp: Sendable {
  /// What becomes readable.
  let readEnd: Int32
  private let writeEnd: Int32
  private let stopping = Atomic(false)

  /// Makes one; `nil` when the process has no more descriptors.
  init?() {
    guard let pipe = System.makePipe() else { return nil }
    (readEnd, writeEnd) = (pipe.readEnd, pipe.writeEnd)
    System.stopWaiting(readEnd)
    System.stopWaiting(writeEnd)
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  /// Whether the thread is to end.
  var isStopping: Bool { stopping.load(ordering: .acquiring) }

  func ring() {
    var byte: UInt8 = 1
    _ = write(writeEnd, &byte, 1)
  }

  func stop() {
    stopping.store(true, ordering: .releasing)
    ring()
  }

  func drain() {
    var bytes: (UInt64, UInt64) = (0, 0)
    while read(readEnd, &bytes, 16) > 0 {}
  }
}
