import Synchronization

/// Lets a thread end what is made only after the thread's own work is described.
final class StopButton: Sendable {
  private let action = Mutex<@Sendable () -> Void>({})

  func onPress(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = action } }

  func press() { action.withLock { $0 }() }
}
