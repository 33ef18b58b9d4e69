import AisleFiles
import Foundation
import Testing

/// The tokens that open a server.
@Suite struct TokenFileTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tokens-\(UUID())")

  private var file: TokenFile { TokenFile(folder.path + "/sub/tokens.txt") }

  @Test func `a token is told once, kept as a digest, and gone when it is revoked`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try file.tokens().isEmpty)
    let text = try file.add("kitchen", .teach, date: "2026-01-01T00:00:00Z")
    #expect(text.hasPrefix("aisle_") && text.utf8.count == 70 && TokenFile.digest(text).utf8.count == 64)
    #expect(try file.add("jane", .read, date: "2026-01-02T00:00:00Z") != text)
    let kept = try String(contentsOfFile: file.path, encoding: .utf8)
    #expect(
      kept.hasPrefix("kitchen teach \(TokenFile.digest(text)) 2026-01-01T00:00:00Z\njane read ")
        && !kept.contains(text.dropFirst(6)))
    #expect(try file.tokens().map(\.permission) == [.teach, .read])
    #expect(throws: FileError.self) { try file.add("jane", .check, date: "") }
    #expect(try file.revoke("kitchen") && !file.revoke("kitchen"))
    #expect(try file.tokens().map(\.name) == ["jane"])
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func `tokens that are made at once are all kept`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    DispatchQueue.concurrentPerform(iterations: 16) { number in
      _ = try? file.add("user-\(number)", .read, date: "2026-01-01T00:00:00Z")
    }
    #expect(try Set(file.tokens().map(\.name)).count == 16)
  }

  @Test func `a file that others may read, and a line that is no token, are named`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try file.add("kitchen", .read, date: "2026-01-01T00:00:00Z")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    #expect { _ = try file.tokens() } throws: { "\($0)".contains("chmod 600 \(file.path)") }
    try Data("kitchen read short 2026\n".utf8).write(to: URL(filePath: file.path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    #expect { _ = try file.tokens() } throws: { "\($0)".contains("tokens.txt:1") }
  }

  @Test(arguments: [
    ("a", true), ("jane.doe@home-2_x", true), ("", false), ("a b", false), ("é", false),
    (String(repeating: "a", count: 65), false),
  ])
  func `names are plain`(name: String, isValid: Bool) { #expect(TokenFile.isValid(name: name) == isValid) }

  @Test func `each level includes those before it`() {
    #expect(Permission.read < .teach && Permission.teach < .check && Permission.check >= .read)
  }
}
