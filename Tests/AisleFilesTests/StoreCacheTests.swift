import AisleCore
import AisleFiles
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
    key = Array("store".utf8).withUnsafeBufferPointer { StoreCache.key(store: "small", text: $0) }
  }

  private static let blocks = [FlatTable(ContiguousArray<UInt64>([1, 2, 3])).block]
  /// The name that this process writes a store under before it is whole.
  private static let temporary = ".small-built-in.index.\(getpid())"

  @Test func `what was saved is loaded`() throws {
    cache.save(Self.blocks, as: key)
    let (memory, blocks) = try #require(cache.load(key))
    #expect(blocks.count == 1)
    #expect(Array(FlatTable<UInt64>(memory, at: blocks[0].lowerBound, count: 3)) == [1, 2, 3])
    #expect(try names() == ["small-built-in.index"])
  }

  @Test func `a file that a killed process of the same number left behind is replaced once it is a minute old`() throws {
    try leave(Self.temporary, seconds: 90)
    cache.save(Self.blocks, as: key)
    #expect(cache.load(key) != nil)
    #expect(try names() == ["small-built-in.index"])
  }

  @Test func `a file that is just being written under the same name is left alone`() throws {
    try leave(Self.temporary, seconds: 5)
    cache.save(Self.blocks, as: key)
    #expect(cache.load(key) == nil)
    #expect(try names() == [Self.temporary])
  }

  @Test func `what processes left behind goes after an hour, stores after a month, and strangers' files stay`() throws {
    let (hour, day) = (3600, 24 * 3600)
    try leave(".other-1f.index.1", seconds: hour + 60)
    try leave(".other-1f.index.2", seconds: hour - 60)
    try leave("old.index", seconds: 31 * day)
    try leave("young.index", seconds: 29 * day)
    try leave(".stranger", seconds: 400 * day)
    try leave("stranger.txt", seconds: 400 * day)
    cache.save(Self.blocks, as: key)
    #expect(
      try names() == [".other-1f.index.2", ".stranger", "small-built-in.index", "stranger.txt", "young.index"])
  }

  /// Leaves a file that was last written so many seconds ago.
  private func leave(_ name: String, seconds: Int) throws {
    let path = "\(cache.folder)/\(name)"
    try Data([1]).write(to: URL(fileURLWithPath: path))
    let date = Date(timeIntervalSinceNow: -TimeInterval(seconds))
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
  }

  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: cache.folder).sorted() }
}
