import Testing

@testable import AisleServer

/// Which requests are read from their bytes, and which are left to those who read all of HTTP.
@Suite struct PlainRequestTests {
  private static let start = "POST /v1/categorize HTTP/1.1\r\n"
  private static let body = #"{"items":["kale"]}"#
  private static let type = "Content-Type: application/json\r\n"

  /// A request's host and body; `nil` for one that is not plain.
  private static func read(_ text: String) -> (host: String, body: String)? {
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      PlainRequest(bytes).map { ($0.host, String(decoding: bytes[min($0.body.lowerBound, bytes.count)...], as: UTF8.self)) }
    }
  }

  @Test(arguments: [
    "Host: a:8400\r\n\(type)Content-Length: 18\r\n", "content-length:18\r\nHOST:  a:8400 \r\ncontent-type:application/json\r\n",
    "Host: a:8400\r\nUser-Agent: wrk: 4\r\nAccept: */*\r\nAccept-Encoding: gzip\r\nConnection: Keep-Alive\r\n\(type)Content-Length: 018\r\n",
  ])
  func `a plain request is read in any order of its headers`(_ headers: String) throws {
    let read = try #require(Self.read(Self.start + headers + "\r\n" + Self.body))
    #expect(read.host == "a:8400" && read.body == Self.body)
  }

  @Test(arguments: [
    // What is missing, or there twice.
    "\(type)Content-Length: 18\r\n", "Host: a\r\nContent-Length: 18\r\n", "Host: a\r\n\(type)",
    "Host: a\r\nHost: a\r\n\(type)Content-Length: 18\r\n", "Host: a\r\n\(type)Content-Length: 18\r\nContent-Length: 18\r\n",
    "Host: a\r\n\(type)\(type)Content-Length: 18\r\n",
    // What changes the answer, or how the request is read.
    "Host: a\r\n\(type)Content-Length: 18\r\nOrigin: http://a\r\n",
    "Host: a\r\n\(type)Content-Length: 18\r\nAuthorization: Bearer x\r\n",
    "Host: a\r\n\(type)Content-Length: 18\r\nTransfer-Encoding: chunked\r\n",
    "Host: a\r\n\(type)Content-Length: 18\r\nExpect: 100-continue\r\n",
    "Host: a\r\n\(type)Content-Length: 18\r\nConnection: close\r\n",
    "Host: a\r\n\(type)Content-Length: 18\r\nContent-Encoding: gzip\r\n",
    "Host: a\r\n\(type)Content-Length: 18\r\nUpgrade: h2c\r\n", "Host: a\r\nContent-Type: text/plain\r\nContent-Length: 18\r\n",
    // Lengths that are none.
    "Host: a\r\n\(type)Content-Length: +18\r\n", "Host: a\r\n\(type)Content-Length: 0x12\r\n",
    "Host: a\r\n\(type)Content-Length: 1 8\r\n",
    "Host: a\r\n\(type)Content-Length: 18, 18\r\n", "Host: a\r\n\(type)Content-Length:\r\n",
    "Host: a\r\n\(type)Content-Length: 65537\r\n",
    "Host: a\r\n\(type)Content-Length: 99999999999999999999\r\n",
    // Lines that one reader takes for this, and another for that.
    "Host: a\r\n\(type)Content-Length : 18\r\n", "Host: a\r\n\(type)Content-Length: 18\r\n more\r\n",
    "Host: a\r\n\(type)Content-Length: 18\n",
    "Host: a\r\n\(type)Content-Length: 18\rAccept: x\r\n", "Host: a\u{0}\r\n\(type)Content-Length: 18\r\n",
    "Host: ä\r\n\(type)Content-Length: 18\r\n",
    "Host: a\r\n\(type)Content-Length: 18\r\n: x\r\n", "Host: a\r\n\(type)Content-Length: 18\r\nAccept\r\n",
    "Host: a\r\n\(type)Content-Length: 18\r\nAccept:\tx\r\n",
    "Host: a\r\n\(type)Content-Length: 18\r\nUser-Agent: \(String(repeating: "x", count: 1024))\r\n",
  ])
  func `whatever else there is in a head is left to others`(_ headers: String) {
    #expect(Self.read(Self.start + headers + "\r\n" + Self.body) == nil)
  }

  @Test func `only the question about a list is read, and only once its head is whole`() {
    let headers = "Host: a\r\n\(Self.type)Content-Length: 18\r\n\r\n"
    for line in ["GET /v1/categorize", "POST /v1/categorize?x", "POST /v1/check", "POST  /v1/categorize", "post /v1/categorize"] {
      #expect(Self.read("\(line) HTTP/1.1\r\n\(headers)\(Self.body)") == nil)
    }
    #expect(Self.read("POST /v1/categorize HTTP/1.0\r\n\(headers)\(Self.body)") == nil)
    let whole = Self.start + headers
    for end in 0..<whole.utf8.count { #expect(Self.read(String(whole.utf8.prefix(end))!) == nil) }
    #expect(Self.read(whole)?.body == "")
  }
}
