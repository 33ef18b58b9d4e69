import HTTPTransport
import Synchronization

/// The key of a run, which is read anew once where a server says that it is no longer good: keys of apps expire within the hour.
final class KeyRing: Sendable {
  private struct State {
    var current: Secret?
    var isRenewed = false
  }

  private let state: Mutex<State>
  private let original: Secret?
  private let read: @Sendable () -> Secret?

  init(_ settings: ModelSettings) {
    original = settings.key
    read = settings.renewKey
    state = Mutex(State(current: settings.key))
  }

  /// The key to send.
  var current: Secret? { state.withLock { $0.current } }

  /// Whether a request that was sent with a key may be sent again with another one.
  func renews(_ rejected: Secret?) -> Bool {
    state.withLock { state in
      if state.current?.exposed != rejected?.exposed { return true }
      if state.isRenewed { return false }
      state.isRenewed = true
      guard let new = read(), new.exposed != rejected?.exposed else { return false }
      state.current = new
      return true
    }
  }

  /// A text from the server with no key in it.
  func hidden(in text: String) -> String {
    let shown = original?.hidden(in: text) ?? text
    return state.withLock { $0.isRenewed ? $0.current : nil }?.hidden(in: shown) ?? shown
  }
}
