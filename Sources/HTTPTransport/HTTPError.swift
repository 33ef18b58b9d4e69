/// Why there is no response.
public enum HTTPError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The address cannot be used: the address, and what is wrong with it.
  case badURL(String, String)
  /// libcurl is not available on this machine: the loader's message.
  case noLibrary(String)
  /// The host name is unknown.
  case unknownHost(String)
  /// The host does not answer.
  case cannotConnect(String)
  /// The server's certificate cannot be trusted: the host and the reason.
  case untrusted(String, String)
  /// The request timed out.
  case timedOut(String)
  /// The connection was lost before the response was complete: the host and the reason.
  case lost(String, String)
  /// The response is larger than allowed, in bytes.
  case tooLarge(String, Int)

  /// Whether the same request may succeed a moment later.
  public var isTransient: Bool {
    switch self {
    case .unknownHost, .cannotConnect, .timedOut, .lost: true
    case .badURL, .noLibrary, .untrusted, .tooLarge: false
    }
  }

  /// Whether the request certainly did not reach the server.
  public var isUnsent: Bool {
    switch self {
    case .badURL, .noLibrary, .unknownHost, .cannotConnect, .untrusted: true
    case .timedOut, .lost, .tooLarge: false
    }
  }

  /// What happened and what to do, in one line.
  public var description: String {
    switch self {
    case .badURL(let url, let reason): "the address `\(url)`: \(reason)"
    case .noLibrary(let reason): "libcurl cannot be loaded (\(reason)); install it: apt-get install libcurl4"
    case .unknownHost(let host): "\(host): no such host; check the address and the network"
    case .cannotConnect(let host): "\(host): no answer; check the address, and that the server is running"
    case .untrusted(let host, let reason): "\(host): no secure connection (\(reason))"
    case .timedOut(let host): "\(host): took too long to answer"
    case .lost(let host, let reason): "\(host): the connection was lost (\(reason))"
    case .tooLarge(let host, let limit): "\(host): answered with more than \(limit) bytes"
    }
  }
}
