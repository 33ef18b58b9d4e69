/// Why there is no response.
public enum HTTPError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The address is not fit for use: the address, and what is wrong with it.
  case badURL(String, String)
  /// libcurl is not to be had on this machine: what the loader said.
  case noLibrary(String)
  /// The host's name is not known.
  case unknownHost(String)
  /// Nobody answers there.
  case cannotConnect(String)
  /// The server's certificate is not to be trusted: the host and the reason.
  case untrusted(String, String)
  /// It took too long.
  case timedOut(String)
  /// The connection broke before the response was whole: the host and the reason.
  case lost(String, String)
  /// The response is larger than allowed, in bytes.
  case tooLarge(String, Int)

  /// Whether the same request may well succeed a moment later.
  public var isTransient: Bool {
    switch self {
    case .unknownHost, .cannotConnect, .timedOut, .lost: true
    case .badURL, .noLibrary, .untrusted, .tooLarge: false
    }
  }

  /// Whether nothing of the request can have reached the server.
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
    case .cannotConnect(let host): "\(host): nobody answers; check the address and that the server runs"
    case .untrusted(let host, let reason): "\(host): no safe connection (\(reason))"
    case .timedOut(let host): "\(host): took too long to answer"
    case .lost(let host, let reason): "\(host): the connection broke (\(reason))"
    case .tooLarge(let host, let limit): "\(host): answered with more than \(limit) bytes"
    }
  }
}
