import Foundation
import Testing

/// `aisle serve token`, and what `aisle serve` says before the program that serves is started.
@Suite struct ServeTests {
  @Test func `tokens are made, listed, and revoked`() throws {
    let folder = try ScratchFolder()
    let made = try aisle("serve", "token", "add", "kitchen", "--can", "teach", "--tokens", "tokens.txt", in: folder)
    #expect(made.ending == .exited(0) && made.text.hasPrefix("aisle_") && made.text.split(separator: "\n").count == 1)
    #expect(made.diagnostics == "kitchen may teach; this is shown only once\n")
    let listed = try aisle("serve", "token", "list", "--tokens", "tokens.txt", in: folder)
    #expect(listed.text.hasPrefix("kitchen\tteach\t20") && !listed.text.contains("aisle_"))
    let again = try aisle("serve", "token", "add", "kitchen", "--tokens", "tokens.txt", in: folder)
    #expect(again.ending == .exited(2) && again.diagnostics.contains("tokens.txt: a token named kitchen already exists"))
    let typo = try aisle("serve", "token", "revoke", "kichen", "--tokens", "tokens.txt", in: folder)
    #expect(typo.ending == .exited(2) && typo.diagnostics.contains("did you mean `kitchen`?"))
    #expect(try aisle("serve", "token", "revoke", "kitchen", "--tokens", "tokens.txt", in: folder).ending == .exited(0))
    let none = try aisle("serve", "token", "list", "--tokens", "tokens.txt", in: folder)
    #expect(none.ending == .exited(0) && none.text.isEmpty && none.diagnostics.contains("aisle serve token add"))
  }

  @Test(
    arguments: [
      (["--port", "99999"], "--port must be 0 to 65535"),
      (["--tls-key", "key.pem"], "--tls-certificate and --tls-key go together"),
      (["--jwks", "a", "--jwt-secret-file", "b"], "either --jwt-secret-file or --jwks"),
      (["--jwt-issuer", "a"], "--jwt-issuer needs"),
      (["--rate", "0"], "--rate must be 1 to 1,000,000"), (["token", "add", "a b"], "1 to 64 letters"),
    ])
  func `options that cannot be meant are refused`(arguments: [String], message: String) throws {
    let folder = try ScratchFolder()
    let run = try RunningAisle(["serve"] + arguments, in: folder).finish()
    #expect(run.ending == .exited(64) && run.diagnostics.contains(message), "\(run.diagnostics)")
  }
}
