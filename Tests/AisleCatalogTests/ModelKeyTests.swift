import AisleCatalog
import AisleCore
import Foundation
import HTTPTransport
import LLMStrategy
import Testing

/// Which key goes where.
struct `The key of a language model` {
  private static let variables = ["AISLE_LLM_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_KEY"]
  private static let foreign = "aisle.yaml:3:8"

  /// A setup whose address the person at the keyboard names, or only a configuration.
  private func setup(_ url: String?, isForeign: Bool, has set: [String]) -> ModelSetup {
    var setup = ModelSetup()
    setup.url = url
    setup.untrustedURLOrigin = isForeign ? Self.foreign : nil
    setup.variable = { set.contains($0) ? "key-of-\($0)" : nil }
    return setup
  }

  @Test(arguments: [
    (ModelProvider.anthropic, nil), (.openai, nil), (.anthropic, "https://api.anthropic.com/v1"),
    (.openai, "https://api.openai.com:443"), (.openai, "https://API.OPENAI.COM/v1/"),
  ])
  func `goes to the provider's own host, whoever names it`(provider: ModelProvider, url: String?) throws {
    for isForeign in [false, true] {
      for name in ["AISLE_LLM_KEY", try #require(provider.keyVariable)] {
        let key = try setup(url, isForeign: isForeign && url != nil, has: [name]).settings(provider, model: nil).key
        #expect(key?.exposed == "key-of-\(name)")
      }
    }
  }

  @Test(arguments: [
    "https://models.example", "https://api.anthropic.com.example", "https://api.openai.com.example/v1", "https://anthropic.com",
    "https://example.com/api.anthropic.com", "https://xapi.openai.com",
  ])
  func `goes anywhere else only where a person says, not a configuration`(url: String) throws {
    for provider in ModelProvider.allCases {
      for name in Self.variables where name == "AISLE_LLM_KEY" || name == provider.keyVariable {
        let said = setup(url, isForeign: false, has: [name])
        #expect(try said.settings(provider, model: nil).key?.exposed == "key-of-\(name)")
        let foreign = setup(url, isForeign: true, has: [name])
        let error = try #require(throws: ChainError.self) { try foreign.settings(provider, model: nil) }
        let words = "llm: no key: \(name) is not sent to \(try HTTPURL(url).host), which only \(Self.foreign) names; "
        #expect(
          error.description == words + "name that address with --llm-url or AISLE_LLM_URL, or a key file with --llm-key-file")
        #expect(try foreign.withheldKeys(provider, HTTPURL(url)) == [name])
      }
    }
  }

  @Test func `of the other provider is never taken`() throws {
    for provider in [ModelProvider.anthropic, .openai, .proxy] {
      let others = Self.variables.filter { $0 != "AISLE_LLM_KEY" && $0 != provider.keyVariable }
      let setup = setup("https://models.example", isForeign: false, has: others)
      #expect(throws: ChainError.self) { try setup.settings(provider, model: nil) }
    }
  }

  @Test func `is on this machine that of the tool, where a configuration names the address`() throws {
    for url in ["http://localhost:11434", "http://127.0.0.1:8080/v1", "https://[::1]:8080"] {
      let address = try HTTPURL(url)
      let both = setup(url, isForeign: true, has: Self.variables)
      #expect(try both.key(.openai, address)?.origin == "AISLE_LLM_KEY")
      #expect(both.withheldKeys(.openai, address) == ["OPENAI_API_KEY"])
      #expect(try setup(url, isForeign: true, has: ["OPENAI_API_KEY"]).key(.openai, address) == nil)
      #expect(try setup(url, isForeign: false, has: ["OPENAI_API_KEY"]).key(.openai, address)?.origin == "OPENAI_API_KEY")
    }
  }

  @Test func `of a file goes where a configuration says when the command line names it, not when a variable does`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "aisle-key-\(UUID().uuidString)")
    try Data("key-of-a-file\n".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    let address = try HTTPURL("https://models.example")
    var foreign = setup(address.description, isForeign: true, has: ["AISLE_LLM_KEY"])
    foreign.keyFile = file.path
    #expect(try foreign.settings(.openai, model: nil).key?.exposed == "key-of-a-file")
    foreign.isKeyFileFromEnvironment = true
    #expect(foreign.withheldKeys(.openai, address) == ["AISLE_LLM_KEY_FILE", "AISLE_LLM_KEY"])
    let error = try #require(throws: ChainError.self) { try foreign.key(.openai, address) }
    #expect(error.description.contains("AISLE_LLM_KEY_FILE and AISLE_LLM_KEY is not sent to models.example"))
    let local = try HTTPURL("http://localhost:11434")
    #expect(try foreign.key(.openai, local)?.secret.exposed == "key-of-a-file")
    foreign.untrustedURLOrigin = nil
    #expect(try foreign.key(.openai, address)?.secret.exposed == "key-of-a-file")
  }

  @Test func `is asked for with what would help`() throws {
    let none = setup("https://models.example", isForeign: true, has: [])
    let foreign = try #require(throws: ChainError.self) { try none.settings(.openai, model: nil) }
    let words = "llm: no key: no key from the environment is sent to models.example, which only aisle.yaml:3:8 names;"
    #expect(foreign.description.hasPrefix(words))
    let own = setup(nil, isForeign: false, has: [])
    let unset = try #require(throws: ChainError.self) { try own.settings(.anthropic, model: nil) }
    #expect(unset.description == "llm: no key; set AISLE_LLM_KEY or ANTHROPIC_API_KEY, or name a file with --llm-key-file")
    var cached = none
    cached.cacheUse = .only
    #expect(try cached.settings(.openai, model: nil).key == nil)
  }
}
