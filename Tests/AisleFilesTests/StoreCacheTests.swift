import AisleCore
@testable import AisleFiles
import FlatFiles
import Foundation
import Testing

/// What is kept in the user's cache, and what is cleared away there.
@Suite struct StoreCacheTests {
  private let folder: StoreFolder
  private let cache: StoreCache
  private let key: StoreCache.Key

  init() throws {
    folder = try StoreFolder()
    cache = StoreCache(folder: folder.outside.path + "/cache")
    try FileManager.default.createDirectory(atPath: cache.folder, withIntermediateDirectories: true)
    key = StoreCache.Key(name: "small-1f.index", fingerprint: 7, isSettled: true)
  }

  private static let blocks = [FlatTable(ContiguousArray<UInt64>([1, 2, 3])).block]

  @Test func `what was saved is loaded`() throws {
    cache.save(Self.blocks, as: key)
    let file = try #require(cache.load(key))
    #expect(file.blocks.count == 1)
    #expect(Array(FlatTable<UInt64>(file.memory, at: file.blocks[0].lowerBound, count: 3)) == [1, 2, 3])
    #expect(try names() == [key.name])
  }

  @Test func `one that is damaged is told, and another store's is not used`() throws {
    cache.save(Self.blocks, as: key)
    let path = "\(cache.folder)/\(key.name)"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let other = StoreCache.Key(name: key.name, fingerprint: 8, isSettled: true)
    var told: [String] = []
    #expect(cache.load(other) { told.append($0) } == nil && told.isEmpty)
    bytes[1030] ^= 8
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.write(contentsOf: bytes)
    try file.close()
    #expect(cache.load(key) { told.append($0) } == nil)
    #expect(told == ["\(path): damaged; rebuilt from the store's files"])
    #expect(cache.check().map(\.size) == [.failure(.damaged)])
    cache.save(Self.blocks, as: key)
    #expect(cache.load(key) != nil)
    #expect(cache.check().map(\.size) == [.success(bytes.count)])
  }

  @Test func `two tools keep a file each, and a tool that takes another's place takes over its file`() throws {
    let tool = folder.outside.path + "/tool"
    func key(_ tool: String, _ version: String) throws -> StoreCache.Key {
      try Data(version.utf8).write(to: URL(fileURLWithPath: tool))
      let key = try #require(StoreCache.key(store: "small", in: TaxonomyFolder(path: folder.path), tool: tool))
      return StoreCache.Key(name: key.name, fingerprint: key.fingerprint, isSettled: true)
    }
    let (old, new, other) = (try key(tool, "old"), try key(tool, "newer"), try key(tool + "-2", "old"))
    #expect(old.name == new.name && old.fingerprint != new.fingerprint)
    #expect(old.name != other.name)
    cache.save(Self.blocks, as: old)
    cache.save(Self.blocks, as: other)
    #expect(cache.load(old) != nil && cache.load(other) != nil)
    cache.save(Self.blocks, as: new)
    #expect(cache.load(old) == nil && cache.load(new) != nil && cache.load(other) != nil)
  }

  @Test func `what processes left behind goes after an hour, stores after a month, and strangers' files stay`() throws {
    let (hour, day) = (3600, 24 * 3600)
    try leave(".other-1f.index.new", seconds: hour + 60)
    try leave(".other-2e.index.new", seconds: hour - 60)
    try leave("old-1f.index", "AISLEX01", seconds: 31 * day)
    try leave("young-2e.index", "AISLEX01", seconds: 29 * day)
    let strangers = [".notes.index.new", ".notes-1f.index.bak", ".stranger", "books.index", "stranger.txt", "trip-cafe.index"]
    for name in strangers { try leave(name, seconds: 400 * day) }
    cache.save(Self.blocks, as: key)
    #expect(try names() == (strangers + [".other-2e.index.new", key.name, "young-2e.index"]).sorted())
  }

  /// Leaves a file that was last written so many seconds ago.
  private func leave(_ name: String, _ text: String = "a text", seconds: Int) throws {
    let path = "\(cache.folder)/\(name)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let date = Date(timeIntervalSinceNow: -TimeInterval(seconds))
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
  }

  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: cache.folder).sorted() }
}
