/// A question about a list in its plainest form, as most programs on this machine send it: read from its bytes, without what it takes to
/// read every form of HTTP.
///
/// It is read only where nobody can read it otherwise (RFC 9112): one `Host`, one `Content-Length`, and no header but those that change
/// nothing about the answer. Whatever else a client sends is not plain, and no fault.
struct PlainRequest {
  /// What is asked this way, and how long its body may be, in bytes: some thousand items, which take a millisecond.
  static let path = "/v1/categorize"
  static let bodyLimit = 64 << 10
  /// How long its head may be, in bytes.
  private static let headLimit = 1 << 10

  /// The header `Host`.
  let host: String
  /// Where its body stands, or will once all of it is there.
  let body: Range<Int>

  private static let line = Array("POST \(path) HTTP/1.1\r\n".utf8)

  /// A header that a plain request may have.
  private enum Field {
    case host, type, length, connection
    /// One that changes nothing about the answer.
    case idle

    init?(_ name: Slice<UnsafeBufferPointer<UInt8>>) {
      func isName(_ text: StaticString) -> Bool {
        name.count == text.utf8CodeUnitCount
          && name.elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: name.count)) { $0 | 0x20 == $1 }
      }
      switch name.count {
      case 4 where isName("host"): self = .host
      case 6 where isName("accept"): self = .idle
      case 10 where isName("connection"): self = .connection
      case 10 where isName("user-agent"): self = .idle
      case 12 where isName("content-type"): self = .type
      case 14 where isName("content-length"): self = .length
      case 15 where isName("accept-encoding") || isName("accept-language"): self = .idle
      default: return nil
      }
    }
  }

  /// Reads the head of a request.
  ///
  /// - Returns: `nil` for one that is not plain, or not all there.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.starts(with: Self.line) else { return nil }
    let end = min(bytes.count, Self.headLimit)
    var place = Self.line.count
    var (host, length): (String?, Int?) = (nil, nil)
    var isJSON = false
    while let stop = bytes[place..<end].firstIndex(where: { !(0x20..<0x7F ~= $0) }) {
      guard stop + 1 < end, bytes[stop] == 0x0D, bytes[stop + 1] == 0x0A else { return nil }
      if stop == place {
        guard let host, let length, isJSON, length <= Self.bodyLimit else { return nil }
        (self.host, body) = (host, stop + 2..<stop + 2 + length)
        return
      }
      guard let colon = bytes[place..<stop].firstIndex(of: UInt8(ascii: ":")), let field = Field(bytes[place..<colon]) else {
        return nil
      }
      let value = Self.trimmed(bytes[(colon + 1)..<stop])
      switch field {
      case .host where host == nil: host = String(decoding: value, as: UTF8.self)
      case .type where !isJSON && value.elementsEqual("application/json".utf8): isJSON = true
      case .length where length == nil && (1...6).contains(value.count) && value.allSatisfy { 0x30..<0x3A ~= $0 }:
        length = value.reduce(0) { $0 * 10 + Int($1 - 0x30) }
      case .connection where value.elementsEqual("keep-alive".utf8) { $0 | 0x20 == $1 | 0x20 }: break
      case .idle: break
      default: return nil
      }
      place = stop + 2
    }
    return nil
  }

  /// A value without the blanks around it.
  private static func trimmed(_ value: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>> {
    var value = value
    while value.first == 0x20 { value.removeFirst() }
    while value.last == 0x20 { value.removeLast() }
    return value
  }
}
