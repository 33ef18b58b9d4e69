import Foundation
import HTTPTransport
import Testing

struct `A server with a certificate that nobody vouches for` {
  @Test(arguments: ["127.0.0.1", "localhost"])
  func `is sent nothing`(host: String) async throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
    let server = Process()
    let output = Pipe()
    let requests = FileManager.default.temporaryDirectory.appending(path: "aisle-tls-\(UUID().uuidString)")
    server.executableURL = URL(filePath: "/usr/bin/env")
    server.arguments = ["python3", folder.appending(path: "tls_server.py").path, requests.path]
    server.standardOutput = output
    try server.run()
    // By force: processes that other tests start at the same time inherit its pipes, so that their end says nothing.
    defer { kill(server.processIdentifier, SIGKILL) }
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
    #expect(!FileManager.default.fileExists(atPath: requests.path))
  }
}
