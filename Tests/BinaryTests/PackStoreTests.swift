import Foundation
import Testing

/// `aisle stores pack`; tools/check-c opens what it writes.
@Suite struct PackStoreTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test("A store is written into one file, and an existing one is replaced")
  func file() throws {
    for _ in 0..<2 {
      let finished = try aisle("stores", "pack", "--store", "kroger", "--output", "kroger.aisle", in: folder)
      #expect(finished.ending == .exited(0) && finished.output.isEmpty)
      #expect(finished.diagnostics.hasPrefix("kroger.aisle: kroger, "))
    }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/kroger.aisle"))
    #expect(bytes.starts(with: "AISLEP01".utf8))
  }

  @Test("A store with errors, and one that is not there, write nothing")
  func refused() throws {
    let unknown = try aisle("stores", "pack", "--store", "krogre", "--output", "none.aisle", in: folder)
    #expect(unknown.ending == .exited(2) && unknown.diagnostics.contains("did you mean `kroger`"))
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/none.aisle"))
    #expect(try aisle("stores", "pack", in: folder).ending == .exited(64))
  }
}
