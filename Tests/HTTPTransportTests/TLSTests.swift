import Foundation
import HTTPTransport
import Testing

struct `A server with a certificate that nobody vouches for` {
  @Test(arguments: ["127.0.0.1", "localhost"])
  func `is sent nothing`(host: String) async throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
    let server = Process()
    let (input, output) = (Pipe(), Pipe())
    server.executableURL = URL(filePath: "/usr/bin/env")
    server.arguments = ["python3", folder.appending(path: "tls_server.py").path]
    server.standardInput = input
    server.standardOutput = output
    try server.run()
    var line = Data()
    while line.last != 0x0A, let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty { line += byte }
    let port = try #require(Int(String(decoding: line.dropLast(), as: UTF8.self)))
    do {
      let key = HTTPRequest.Header("x-api-key", secret: Secret("sentinel"))
      _ = try await HTTPClient().send(HTTPRequest(.post, HTTPURL("https://\(host):\(port)/"), headers: [key]))
      Issue.record("it was trusted")
    } catch let error as HTTPError {
      guard case .untrusted(host, _) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(!error.isTransient)
    }
    try input.fileHandleForWriting.close()
    server.waitUntilExit()
    let rest = try output.fileHandleForReading.readToEnd() ?? Data()
    #expect(!String(decoding: rest, as: UTF8.self).contains("request"))
  }
}
