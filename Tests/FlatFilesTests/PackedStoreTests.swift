import AisleCore
import FileDamage
import Foundation
import Testing

@testable import FlatFiles

/// What is believed of a store in a file.
@Suite final class PackedStoreTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
  private var path: String { folder + "/corner.aisle" }
  private static let blocks = [
    FlatTable(ContiguousArray<UInt64>(1...2000)).block, FlatTable(ContiguousArray<UInt8>([4, 5])).block,
  ]

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

  private func fault(_ path: String) -> String {
    do throws(PackedStore.Fault) {
      _ = try PackedStore(path)
      return ""
    } catch { return error.description }
  }

  @Test func `blocks come back, whoever the file belongs to, and by a symbolic link too`() throws {
    try write(PackedStore.bytes(of: Self.blocks))
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
    try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: path)
    for path in [path, folder + "/link"] {
      let pack = try PackedStore(path)
      #expect(pack.blocks.map(\.count) == [16_000, 2])
      #expect(FlatTable<UInt64>(pack.memory, at: pack.blocks[0].lowerBound, count: 2000).last == 2000)
    }
  }

  @Test func `what is no packed store is refused with the command to run`() throws {
    #expect(fault(path) == "\(path): no such file; write it with `aisle stores pack`")
    #expect(fault(folder).contains("for a folder of stores, run `aisle stores pack --taxonomies FOLDER -o FILE`"))
    try write(Array("sections:\n".utf8))
    #expect(fault(path) == "\(path): damaged, or not a packed store; write it again with `aisle stores pack`")
  }

  @Test func `a file of another version is refused`() throws {
    var bytes = PackedStore.bytes(of: Self.blocks)
    bytes[7] ^= 1
    try write(bytes)
    #expect(fault(path).contains("written by another version of aisle"))
  }

  @Test(arguments: Damage.allCases)
  func `no change of a file is overlooked`(damage: Damage) throws {
    try write(PackedStore.bytes(of: Self.blocks))
    let sound = try Data(contentsOf: URL(fileURLWithPath: path))
    var random = SeededGenerator(seed: 70 + UInt64(Damage.allCases.firstIndex(of: damage) ?? 0))
    for round in 0..<50 {
      try Damage.put(damage.done(to: sound, &random), into: path)
      #expect(fault(path).contains("aisle stores pack"), "round \(round)")
    }
  }
}
