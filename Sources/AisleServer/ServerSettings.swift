package import AisleCatalog
package import AisleFiles

/// How a server is run.
package struct ServerSettings: Sendable {
  /// The address that it listens on.
  package var host = "127.0.0.1"
  /// The port; 0 for any that is free.
  package var port = 8400
  /// The names it is called by, besides its address and those of this machine's loopback.
  package var names: [String] = []
  /// The file with the tokens.
  package var tokens: TokenFile?
  /// Whose JSON Web Tokens are taken; `nil` for nobody's.
  package var issuer: Issuer?
  /// How many requests a second a token may send on average; twice that at once. Who needs no token, on this machine, is not limited.
  package var rate = 100
  /// How many requests may be under way.
  package var concurrency = 256
  /// The files with the certificates and the key of TLS; `nil` to speak plain HTTP.
  package var certificate: (chain: String, key: String)?
  /// The report of the last evaluation, as `aisle eval --reporter json` writes it.
  package var report: String?
  /// The store that the drop-in for RecipeSage answers with.
  package var recipeStore = "recipesage"
  /// How many photos a month the users of the issuer may have read, unless their token says `subscriber`; 0 for any number.
  package var scanLimit = 3
  /// The version that it says it is.
  package var version = ""
  /// What is asked, and how.
  package let chain: SettledChain

  /// Who makes the JSON Web Tokens that are taken.
  package struct Issuer: Sendable {
    /// How its tokens are checked.
    package enum Key: Sendable {
      /// By a secret that both know (HS256); the file that holds it.
      case secret(String)
      /// By the public keys of a JWKS file.
      case keySet(String)
    }

    package let key: Key
    /// What `iss` must be; `nil` for anything.
    package var name: String?
    /// What their holders may do.
    package var permission = Permission.teach

    package init(key: Key, name: String? = nil, permission: Permission = .teach) {
      (self.key, self.name, self.permission) = (key, name, permission)
    }
  }

  package init(_ chain: SettledChain) { self.chain = chain }

  /// Whether only this machine reaches it.
  var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }
}
