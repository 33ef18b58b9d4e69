import AisleFiles
import JWTKit
import LearnedStrategy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads the JSON Web Tokens of an issuer (RFC 7519).
struct WebTokens: Sendable {
  private let keys = JWTKeyCollection()
  private let issuer: ServerSettings.Issuer

  /// What a token says, as far as it is needed.
  private struct Claims: JWTPayload {
    let exp: ExpirationClaim
    let nbf: NotBeforeClaim?
    let iss: IssuerClaim?
    let sub: SubjectClaim?
    /// Whether photos are read without limit.
    let subscriber: Bool?

    func verify(using algorithm: some JWTAlgorithm) throws {
      try exp.verifyNotExpired()
      try nbf?.verifyNotBefore()
    }
  }

  /// - Throws: `FileError`, `ServerError`.
  init(_ issuer: ServerSettings.Issuer) async throws {
    self.issuer = issuer
    switch issuer.key {
    case .secret(let path):
      let secret = try KeyFile.read(path)
      if secret.utf8.count < 32 { throw ServerError("\(path): the secret has fewer than 32 bytes; use a longer one") }
      await keys.add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
    case .keySet(let path):
      let text = String(decoding: try FileReader.read(path), as: UTF8.self)
      do {
        try await keys.add(jwksJSON: text)
      } catch { throw ServerError("\(path): not a JSON Web Key Set (RFC 7517); name the file with the issuer's public keys") }
    }
  }

  /// Who a token belongs to.
  ///
  /// - Throws: `Problem` for one that is not the issuer's, or no longer or not yet valid.
  func caller(_ token: String) async throws -> Caller {
    let claims: Claims
    do { claims = try await keys.verify(token, as: Claims.self) } catch {
      throw Access.refused("the token is invalid or has expired; request a new one")
    }
    if let name = issuer.name, claims.iss?.value != name { throw Access.refused("the token was issued by a different issuer") }
    // Corrections are by whom the token names, and photos are counted by it.
    guard let name = claims.sub?.value, Origin.isName(name) else {
      throw Access.refused("the token's `sub` must name its user in 1 to 100 bytes, without control characters")
    }
    return Caller(name: name, permission: issuer.permission, isSubscriber: claims.subscriber ?? false)
  }
}
