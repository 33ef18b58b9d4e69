import HTTPTransport
import Testing

struct `Addresses` {
  @Test(arguments: [
    "https://api.anthropic.com", "https://example.com:8443/v1/", "http://localhost:11434", "http://127.0.0.1:8000/v1",
    "http://127.9.9.9", "http://[::1]:80/x", "https://a_b.example/path?x=1",
  ])
  func `that are safe are taken`(text: String) throws { _ = try HTTPURL(text) }

  @Test(arguments: [
    ("http://example.com", "http is only allowed to this machine"), ("http://127.0.0.1.example.com", "http is only allowed"),
    ("http://127.0.0.1@example.com/", "user name"), ("https://user:pass@example.com/", "user name"),
    ("ftp://example.com", "write https://"), ("example.com", "write https://"), ("https://", "host"), ("https:///x", "host"),
    ("https://exa mple.com", "spaces"), ("https://example.com\\@evil.com", "characters"), ("https://example.com/#a", "#"),
    ("https://example.com:0", "port"), ("https://example.com:99999", "port"), ("https://example.com:", "port"),
    ("https://exämple.com", "characters"), ("http://localhost.example.com", "http is only allowed"),
    ("http://127.0.0.256", "http is only allowed"),
  ])
  func `that are not are refused with the reason`(text: String, reason: String) throws {
    do throws(HTTPError) {
      _ = try HTTPURL(text)
      Issue.record("taken")
    } catch {
      #expect("\(error)".contains(reason), "\(error)")
    }
  }

  @Test func `lose the slash at their end and take paths`() throws {
    #expect(try HTTPURL("https://example.com/v1/").appending("/x").description == "https://example.com/v1/x")
  }
}
