/// A request to a server.
public struct HTTPRequest: Sendable {
  /// How the server is asked.
  public enum Method: String, Sendable {
    /// To read.
    case get = "GET"
    /// To send a body.
    case post = "POST"
  }

  /// A header; a secret value is never shown.
  public struct Header: Sendable {
    /// The name.
    public let name: String
    let value: Value

    enum Value: Sendable {
      case plain(String)
      case secret(String, Secret)
    }

    /// Makes a header.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = .plain(value)
    }

    /// Makes a header whose value is not shown: `prefix` and the secret.
    public init(_ name: String, prefix: String = "", secret: Secret) {
      self.name = name
      value = .secret(prefix, secret)
    }

    var line: String {
      switch value {
      case .plain(let text): "\(name): \(text)"
      case .secret(let prefix, let secret): "\(name): \(prefix)\(secret.exposed)"
      }
    }
  }

  /// How long a request may take, and how large its response may be.
  public struct Limits: Sendable, Hashable {
    /// The longest time to connect.
    public var connect: Duration
    /// The longest total time.
    public var total: Duration
    /// The longest time without a byte in either direction.
    public var idle: Duration
    /// The most bytes in a response's body.
    public var responseBytes: Int

    /// Makes limits.
    public init(
      connect: Duration = .seconds(5), total: Duration = .seconds(60), idle: Duration = .seconds(20), responseBytes: Int = 1 << 20
    ) {
      self.connect = connect
      self.total = total
      self.idle = idle
      self.responseBytes = responseBytes
    }
  }

  /// How the server is asked.
  public var method: Method
  /// Where.
  public var url: HTTPURL
  /// The headers, in order.
  public var headers: [Header]
  /// The body.
  public var body: [UInt8]
  /// The limits.
  public var limits: Limits

  /// Makes a request.
  public init(
    _ method: Method = .post, _ url: HTTPURL, headers: [Header] = [], body: [UInt8] = [], limits: Limits = Limits()
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.limits = limits
  }
}

/// A response from a server.
public struct HTTPResponse: Sendable {
  /// The status, e.g. 200.
  public let status: Int
  /// The body.
  public let body: [UInt8]
  private let headers: [String: String]

  /// Makes a response; header names are in lowercase.
  public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A header's value; the case of the name does not matter. The last value of a repeated header.
  public subscript(header: String) -> String? { headers[header.lowercased()] }
}
