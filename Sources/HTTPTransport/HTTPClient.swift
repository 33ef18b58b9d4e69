/// Sends requests with libcurl: several at once on one thread, with reused connections, and HTTP/2 if the server offers it.
///
/// Redirects are not followed, because a key in a header would follow them too. `https` is always verified; `http` reaches only this
/// machine, or a private network where that is allowed, without a proxy. `SSL_CERT_FILE` names other certificates to trust, as in other
/// programs. A waiting request needs no thread. The first client loads libcurl, which takes about 6 ms.
public final class HTTPClient: Sendable {
  private let loop: TransferLoop

  /// Makes a client; the first request starts its thread.
  ///
  /// - Parameters:
  ///   - interruption: A descriptor that becomes readable when all waiting must end; every request then throws `CancellationError`.
  ///   - onInterruption: Called once when that happens, on the client's thread.
  /// - Throws: `HTTPError.noLibrary`.
  public init(interruption: Int32? = nil, onInterruption: @escaping @Sendable () -> Void = {}) throws(HTTPError) {
    loop = try TransferLoop(interruption: interruption, onInterruption: onInterruption)
  }

  deinit { loop.stop() }

  /// Sends a request and returns the response, whatever its status.
  ///
  /// - Throws: `HTTPError`; `CancellationError` if the task is cancelled.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let transfer = Transfer(request)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        transfer.begin(continuation)
        loop.add(transfer)
      }
    } onCancel: {
      transfer.cancel()
      loop.wakeUp()
    }
  }

  /// The version of libcurl and of the libraries that it uses.
  ///
  /// - Throws: `HTTPError.noLibrary`.
  public static func libraryVersion() throws(HTTPError) -> String {
    try CurlLibrary.load().version().map { String(cString: $0) } ?? "unknown"
  }
}
