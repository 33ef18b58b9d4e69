import AisleCore
@testable import AisleFiles
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
  private var temporary: String { ".\(key.name).\(getpid())" }

  @Test func `what was saved is loaded`() throws {
    cache.save(Self.blocks, as: key)
    let (memory, blocks) = try #require(cache.load(key))
    #expect(blocks.count == 1)
    #expect(Array(FlatTable<UInt64>(memory, at: blocks[0].lowerBound, count: 3)) == [1, 2, 3])
    #expect(try names() == [key.name])
  }

  @Test func `two tools keep a file each, and a tool that takes another's place takes over its file`() throws {
    let tool = folder.outside.path + "/tool"
    func key(_ tool: String, _ version: String) throws -> StoreCache.Key {
      try Data(version.utf8).write(to: URL(fileURLWithPath: tool))
      return Array("store".utf8).withUnsafeBufferPointer { StoreCache.key(store: "small", text: $0, tool: tool) }
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

  @Test func `a file that somebody wrote to, cut, lengthened or copied is not used, and one that was saved anew is`() throws {
    let path = cache.folder + "/" + key.name
    let damages: [(String, (FileHandle) throws -> Void)] = [
      (
        "a byte changed",
        { file in
          try file.seek(toOffset: 520); try file.write(contentsOf: [9])
        }
      ),
      (
        "the same byte written again",
        { file in
          try file.seek(toOffset: 520); try file.write(contentsOf: [0])
        }
      ),
      ("cut", { file in try file.truncate(atOffset: 528) }),
      ("lengthened", { file in try file.truncate(atOffset: 4096) }),
    ]
    for (what, damage) in damages {
      cache.save(Self.blocks, as: key)
      #expect(cache.load(key) != nil, "before: \(what)")
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
      try damage(file)
      try file.close()
      #expect(cache.load(key) == nil, "\(what)")
    }
    cache.save(Self.blocks, as: key)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try FileManager.default.removeItem(atPath: path)
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(cache.load(key) == nil, "copied")
    cache.save(Self.blocks, as: key)
    #expect(cache.load(key) != nil)
  }

  @Test func `a file whose header or size is wrong is not used, whatever its time says`() throws {
    let path = cache.folder + "/" + key.name
    cache.save(Self.blocks, as: key)
    let (bytes, saved) = (try Data(contentsOf: URL(fileURLWithPath: path)), try times())
    for place in [0, 8, 16, 32, 40, 200, 504] {
      var damaged = bytes
      damaged[place] ^= 1
      try rewrite(damaged, saved)
      #expect(cache.load(key) == nil, "byte \(place) of the header")
    }
    for size in [0, 511, 512, bytes.count - 1, bytes.count + 1] {
      try rewrite((bytes + [0]).prefix(size), saved)
      #expect(cache.load(key) == nil, "\(size) bytes of \(bytes.count)")
    }
    try rewrite(bytes, saved)
    #expect(cache.load(key) != nil)
  }

  /// When the cached store was last written.
  private func times() throws -> [timespec] {
    var status = stat()
    try #require(stat(cache.folder + "/" + key.name, &status) == 0)
    return [status.st_mtim, status.st_mtim]
  }

  /// Writes the cached store and gives it a time.
  private func rewrite(_ bytes: Data, _ times: [timespec]) throws {
    let path = cache.folder + "/" + key.name
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: bytes)
    try file.close()
    try #require(utimensat(AT_FDCWD, path, times, 0) == 0)
  }

  @Test func `a file that a killed process of the same number left behind is replaced once it is a minute old`() throws {
    try leave(temporary, seconds: 90)
    cache.save(Self.blocks, as: key)
    #expect(cache.load(key) != nil)
    #expect(try names() == [key.name])
  }

  @Test func `a file that is just being written under the same name is left alone`() throws {
    try leave(temporary, seconds: 5)
    cache.save(Self.blocks, as: key)
    #expect(cache.load(key) == nil)
    #expect(try names() == [temporary])
  }

  @Test func `what processes left behind goes after an hour, stores after a month, and strangers' files stay`() throws {
    let (hour, day) = (3600, 24 * 3600)
    try leave(".other-1f.index.1", seconds: hour + 60)
    try leave(".other-1f.index.2", seconds: hour - 60)
    try leave("old-1f.index", "AISLEX01", seconds: 31 * day)
    try leave("young-2e.index", "AISLEX01", seconds: 29 * day)
    let strangers = [".notes.index.77", ".notes.index.bak", ".stranger", "books.index", "stranger.txt", "trip-cafe.index"]
    for name in strangers { try leave(name, seconds: 400 * day) }
    cache.save(Self.blocks, as: key)
    #expect(try names() == (strangers + [".other-1f.index.2", key.name, "young-2e.index"]).sorted())
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
