import CCurl
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The thread that all transfers of a client run on, with libcurl's multi handle.
///
/// Unchecked: `active` is used on the thread alone, and the handle's one function for other threads is `wakeUp`'s.
final class TransferLoop: @unchecked Sendable {
  private struct State {
    var incoming: [Transfer] = []
    var hasThread = false
    var isStopping = false
    /// Whether the multi handle is freed.
    var isClosed = false
  }

  private let curl: CurlLibrary
  private let multi: CurlLibrary.Handle
  private let interruption: Int32?
  private let onInterruption: @Sendable () -> Void
  private let certificates = getenv("SSL_CERT_FILE").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  private let state = Mutex(State())
  private var active: [CurlLibrary.Handle: Transfer] = [:]
  private var isInterrupted = false

  init(interruption: Int32?, onInterruption: @escaping @Sendable () -> Void) throws(HTTPError) {
    curl = try CurlLibrary.load()
    guard let multi = curl.multiInit() else { throw .noLibrary("it is out of memory") }
    self.multi = multi
    self.interruption = interruption
    self.onInterruption = onInterruption
    _ = aisle_curl_multi_set_long(curl.multiSetOption, multi, CURLMOPT_MAXCONNECTS, 64)
  }

  deinit { if !state.withLock({ $0.isClosed }) { _ = curl.multiCleanup(multi) } }

  /// Begins a transfer.
  func add(_ transfer: Transfer) {
    let mustStart = state.withLock { state in
      state.incoming.append(transfer)
      defer { state.hasThread = true }
      return !state.hasThread
    }
    if mustStart, !startThread() {
      // Others may have been added meanwhile.
      let stranded = state.withLock { state in
        defer { (state.incoming, state.hasThread) = ([], false) }
        return state.incoming
      }
      for transfer in stranded {
        transfer.finish(.failure(HTTPError.lost(transfer.request.url.host, "no thread is available")))
      }
      return
    }
    wakeUp()
  }

  /// Lets the thread look for what is new.
  func wakeUp() { state.withLock { if !$0.isClosed { _ = curl.multiWakeUp(multi) } } }

  /// Ends the thread once nothing is under way.
  func stop() {
    state.withLock { $0.isStopping = true }
    wakeUp()
  }

  // MARK: The thread

  private func startThread() -> Bool {
    let context = Unmanaged.passRetained(self).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
      let failure = pthread_create(&thread, nil, { Unmanaged<TransferLoop>.fromOpaque($0).takeRetainedValue().run() }, context)
      if failure == 0, let thread { pthread_detach(thread) }
    #else
      var thread = pthread_t()
      let failure = pthread_create(
        &thread, nil,
        { context in
          if let context { Unmanaged<TransferLoop>.fromOpaque(context).takeRetainedValue().run() }
          return nil
        }, context)
      if failure == 0 { pthread_detach(thread) }
    #endif
    if failure != 0 { Unmanaged<TransferLoop>.fromOpaque(context).release() }
    return failure == 0
  }

  @discardableResult
  private func run() -> UnsafeMutableRawPointer? {
    // A connection that the server has closed must be an error here, and no signal.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    while true {
      let isStopping = takeIncoming()
      if isStopping && active.isEmpty { break }
      dropCancelled()
      var running: Int32 = 0
      _ = curl.multiPerform(multi, &running)
      finishEnded()
      wait()
    }
    state.withLock { $0.isClosed = true }
    _ = curl.multiCleanup(multi)
    return nil
  }

  /// Starts what was added; `true` when the client is gone.
  private func takeIncoming() -> Bool {
    let (incoming, isStopping) = state.withLock { state in
      defer { state.incoming.removeAll() }
      return (state.incoming, state.isStopping)
    }
    for transfer in incoming {
      if isInterrupted || transfer.isCancelled {
        transfer.finish(.failure(CancellationError()))
      } else if transfer.prepare(curl, certificates: certificates), let handle = transfer.handle,
        curl.multiAdd(multi, handle) == CURLM_OK
      {
        active[handle] = transfer
      } else {
        transfer.cleanUp(curl)
        transfer.finish(.failure(HTTPError.lost(transfer.request.url.host, "no memory")))
      }
    }
    return isStopping
  }

  private func dropCancelled() {
    for (handle, transfer) in active where isInterrupted || transfer.isCancelled {
      end(handle, transfer, .failure(CancellationError()))
    }
  }

  private func finishEnded() {
    var left: Int32 = 0
    while let message = curl.multiInfo(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle, let transfer = active[handle] else {
        continue
      }
      let outcome = transfer.outcome(aisle_curl_result(message), curl)
      end(handle, transfer, outcome)
    }
  }

  private func end(_ handle: CurlLibrary.Handle, _ transfer: Transfer, _ result: Result<HTTPResponse, any Error>) {
    active[handle] = nil
    _ = curl.multiRemove(multi, handle)
    transfer.cleanUp(curl)
    transfer.finish(result)
  }

  /// Waits for something to happen: on a connection, from another thread, or a signal.
  private func wait() {
    guard let interruption, !isInterrupted else {
      _ = curl.multiPoll(multi, nil, 0, 10_000, nil)
      return
    }
    var extra = curl_waitfd(fd: interruption, events: Int16(CURL_WAIT_POLLIN), revents: 0)
    _ = curl.multiPoll(multi, &extra, 1, 10_000, nil)
    if extra.revents != 0 {
      isInterrupted = true
      onInterruption()
    }
  }
}
