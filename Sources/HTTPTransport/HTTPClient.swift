/// Sends requests with libcurl: several at a time on one thread, connections used again, HTTP/2 where the server offers it.
///
/// Redirects are not followed, since a key in a header would follow them too. `https` is verified always; `http` reaches this machine
/// alone, and past any proxy. `SSL_CERT_FILE` names other certificates to trust, as it does for other programs. A request costs no
/// thread while it waits. libcurl is loaded with the first client, in about 6 ms.
public final class HTTPClient: Sendable {
  private let loop: TransferLoop

  /// Makes a client; the thread begins with the first request.
  ///
  /// - Parameters:
  ///   - interruption: A descriptor that becomes readable when all waiting shall end; every request then throws `CancellationError`.
  ///   - onInterruption: Called once when that happens, on the client's thread.
  /// - Throws: `HTTPError.noLibrary`.
  public init(interruption: Int32? = nil, onInterruption: @escaping @Sendable () -> Void = {}) throws(HTTPError) {
    loop = try TransferLoop(interruption: interruption, onInterruption: onInterruption)
  }

  deinit { loop.stop() }

  /// Sends a request and gives the response, whatever its status.
  ///
  /// - Throws: `HTTPError`; `CancellationError` when the task is cancelled.
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
