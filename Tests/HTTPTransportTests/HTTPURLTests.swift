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
    ("http://127.0.0.256", "http is only allowed"), ("http://127.0.0.010", "http is only allowed"),
  ])
  func `that are not are refused with the reason`(text: String, reason: String) throws {
    do throws(HTTPError) {
      _ = try HTTPURL(text)
      Issue.record("taken")
    } catch {
      #expect("\(error)".contains(reason), "\(error)")
    }
  }

  @Test(arguments: [
    "http://nas", "http://nas.local:8400", "http://nas.lan", "http://nas.home.arpa", "http://10.1.2.3", "http://172.31.0.1",
    "http://192.168.1.5:8400/x",
    "http://169.254.9.9", "http://[fd12::1]", "http://[fe80::1]:80",
  ])
  func `of a private network are taken where they are allowed, and nowhere else`(text: String) throws {
    #expect(try HTTPURL(text, plain: .privateNetwork).appending("/v1").description == text + "/v1")
    #expect(throws: HTTPError.self) { _ = try HTTPURL(text) }
  }

  @Test(arguments: [
    "http://example.com", "http://172.32.0.1", "http://192.169.1.5", "http://11.0.0.1", "http://[fc::1]", "http://[2001:db8::1]",
    "http://0x8080808", "http://134744072", "http://10.0.0.1.example.com", "http://10.0.1", "http://local.example",
    "http://xlocal.de",
    "http://nas.local.", "http://010.8.8.8", "http://192.168.01.5",
  ])
  func `that only look private are refused`(text: String) {
    #expect(throws: HTTPError.self) { _ = try HTTPURL(text, plain: .privateNetwork) }
  }

  @Test func `lose the slash at their end and take paths`() throws {
    #expect(try HTTPURL("https://example.com/v1/").appending("/x").description == "https://example.com/v1/x")
  }
}
