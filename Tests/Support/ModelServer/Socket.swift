import Foundation

#if canImport(Darwin)
  private let streamType = SOCK_STREAM
#elseif canImport(Musl)
  private let streamType = SOCK_STREAM
#else
  private let streamType = Int32(SOCK_STREAM.rawValue)
#endif

/// A system call of the server failed.
struct ServerFailure: Error, CustomStringConvertible {
  let call: String
  let code = errno

  var description: String { "\(call): \(String(cString: strerror(code)))" }
}

/// A socket that waits for connections on loopback.
final class Listener: Sendable {
  let port: UInt16
  private let number: Int32

  init(port wanted: UInt16) throws {
    let number = socket(AF_INET, streamType, 0)
    guard number >= 0 else { throw ServerFailure(call: "socket") }
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    var on: Int32 = 1
    setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = wanted.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, size) }
    }
    guard isBound == 0, listen(number, 128) == 0 else {
      close(number)
      throw ServerFailure(call: "bind")
    }
    var length = size
    _ = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &length) }
    }
    port = UInt16(bigEndian: address.sin_port)
    self.number = number
  }

  /// The next connection; `nil` once stopped.
  func accept() -> Connection? {
    while true {
      let accepted = systemAccept(number)
      if accepted >= 0 {
        _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
        return Connection(accepted)
      }
      if errno != EINTR && errno != ECONNABORTED { return nil }
    }
  }

  /// Ends the wait in `accept`.
  func stop() { shutdown(number, Int32(SHUT_RDWR)) }

  deinit { close(number) }
}

/// A connection; used by one thread.
final class Connection: @unchecked Sendable {
  private let number: Int32
  private var buffer: [UInt8] = []

  init(_ number: Int32) {
    self.number = number
    var on: Int32 = 1
    setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  func close() { _ = systemClose(number) }

  /// The request line and headers; `nil` at the end.
  func readHead() -> (method: String, path: String, headers: [String: String])? {
    let mark: [UInt8] = [13, 10, 13, 10]
    var from = 0
    while true {
      if let end = Self.find(mark, in: buffer, from: from) {
        let lines = String(decoding: buffer[..<end], as: UTF8.self).split(separator: "\r\n")
        buffer.removeFirst(end + 4)
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
          guard let colon = line.firstIndex(of: ":") else { continue }
          headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        return (String(words[0]), String(words[1]), headers)
      }
      // A client that begins with TLS would wait for us as we do for it.
      if buffer.first == 0x16 { return nil }
      from = max(0, buffer.count - 3)
      guard fill() else { return nil }
    }
  }

  /// So many bytes; `nil` when the connection ends before.
  func read(_ count: Int) -> [UInt8]? {
    while buffer.count < count { guard fill() else { return nil } }
    defer { buffer.removeFirst(count) }
    return Array(buffer[..<count])
  }

  /// Waits until the other side closes.
  func waitForEnd() { while fill() {} }

  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    var offset = 0
    while offset < bytes.count {
      let sent = bytes.withUnsafeBytes { send(number, $0.baseAddress.map { $0 + offset }, bytes.count - offset, noSignal) }
      if sent < 0 && errno == EINTR { continue }
      if sent <= 0 { return false }
      offset += sent
    }
    return true
  }

  func respond(_ status: Int, headers: [(String, String)] = [], _ body: [UInt8]) -> Bool {
    var head = "HTTP/1.1 \(status) Status\r\ncontent-type: application/json\r\ncontent-length: \(body.count)\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    return write(Array((head + "\r\n").utf8) + body)
  }

  private func fill() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let received = recv(number, &chunk, chunk.count, 0)
      if received < 0 && errno == EINTR { continue }
      if received <= 0 { return false }
      buffer.append(contentsOf: chunk[..<received])
      return true
    }
  }

  private static func find(_ mark: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    guard bytes.count >= mark.count else { return nil }
    return (start...bytes.count - mark.count).first { bytes[$0] == mark[0] && bytes[$0..<$0 + mark.count].elementsEqual(mark) }
  }
}

#if canImport(Darwin)
  private let noSignal: Int32 = 0
#else
  private let noSignal = Int32(MSG_NOSIGNAL)
#endif

private func systemAccept(_ number: Int32) -> Int32 { accept(number, nil, nil) }

private func systemClose(_ number: Int32) -> Int32 { close(number) }
