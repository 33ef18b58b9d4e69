import AisleCore
import FlatFiles
import Foundation
import Testing

/// What is believed of a file of blocks, and how it comes to be.
@Suite final class FlatFileTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
  private var path: String { folder + "/numbers" }
  private static let magic: UInt64 = 0x0123_4567_89AB_CDEF
  private static let blocks = [
    FlatTable(ContiguousArray<UInt64>([1, 2, 3])).block, FlatTable(ContiguousArray<UInt8>()).block,
    FlatTable(ContiguousArray<UInt8>([4, 5])).block,
  ]

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func save() { FlatFile.save(Self.blocks, notes: [7, .max], magic: Self.magic, to: path) }
  private func load() -> FlatFile? { FlatFile(path, magic: Self.magic) }
  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

  @Test func `blocks and notes come back, each block from a multiple of 16, and nothing else is left`() throws {
    save()
    let file = try #require(load())
    #expect(file.notes == [7, .max])
    #expect(file.blocks.map(\.count) == [24, 0, 2] && file.blocks.allSatisfy { $0.lowerBound % 16 == 0 })
    #expect(Array(FlatTable<UInt64>(file.memory, at: file.blocks[0].lowerBound, count: 3)) == [1, 2, 3])
    #expect(Array(FlatTable<UInt8>(file.memory, at: file.blocks[2].lowerBound, count: 2)) == [4, 5])
    #expect(try names() == ["numbers"])
    #expect(FlatFile(path, magic: Self.magic ^ 1) == nil)
  }

  @Test func `as many blocks and notes as there is room for`() throws {
    let block = FlatTable(ContiguousArray<UInt8>([1])).block
    let count = FlatFile.capacity / 2
    FlatFile.save(
      Array(repeating: block, count: count), notes: Array(repeating: 9, count: FlatFile.capacity % 2), magic: 1, to: path)
    #expect(FlatFile(path, magic: 1)?.blocks.count == count)
  }

  @Test func `a file that somebody wrote to, cut, lengthened or copied is not used, and one that was saved anew is`() throws {
    let damages: [(String, (FileHandle) throws -> Void)] = [
      (
        "a byte changed",
        { file in
          try file.seek(toOffset: 1032); try file.write(contentsOf: [9])
        }
      ),
      (
        "the same byte written again",
        { file in
          try file.seek(toOffset: 1032); try file.write(contentsOf: [2])
        }
      ),
      ("cut", { file in try file.truncate(atOffset: 1040) }),
      ("lengthened", { file in try file.truncate(atOffset: 4096) }),
    ]
    for (what, damage) in damages {
      save()
      #expect(load() != nil, "before: \(what)")
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
      try damage(file)
      try file.close()
      #expect(load() == nil, "\(what)")
    }
    save()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try FileManager.default.removeItem(atPath: path)
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(load() == nil, "copied")
    save()
    #expect(load() != nil)
  }

  @Test func `a file whose header or size is wrong is not used, whatever its time says`() throws {
    save()
    let (bytes, saved) = (try Data(contentsOf: URL(fileURLWithPath: path)), try times())
    for place in [0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 200, 1016, 1023] {
      var damaged = bytes
      damaged[place] ^= 1
      try rewrite(damaged, saved)
      #expect(load() == nil, "byte \(place) of the header")
    }
    for size in [0, 1023, 1024, bytes.count - 1, bytes.count + 1, bytes.count + 16] {
      try rewrite((bytes + Data(count: 16)).prefix(size), saved)
      #expect(load() == nil, "\(size) bytes of \(bytes.count)")
    }
    try rewrite(bytes, saved)
    #expect(load() != nil)
  }

  @Test func `a file that others may write to is not used, nor a link, a folder or a pipe`() throws {
    save()
    for mode in [0o620, 0o602] {
      try #require(chmod(path, mode_t(mode)) == 0)
      #expect(load() == nil, "\(String(mode, radix: 8))")
    }
    try #require(chmod(path, 0o600) == 0)
    #expect(load() != nil)
    let other = folder + "/other"
    try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: path)
    #expect(FlatFile(other, magic: Self.magic) == nil)
    #expect(FlatFile(folder, magic: Self.magic) == nil)
    #expect(FlatFile(folder + "/nothing", magic: Self.magic) == nil)
  }

  @Test func `what a killed process left behind is replaced once it is a minute old`() throws {
    try leave(FlatFile.temporaryPath(of: path), seconds: 90)
    save()
    #expect(load() != nil)
    #expect(try names() == ["numbers"])
  }

  @Test func `a file that somebody else is just writing is left to them`() throws {
    try leave(FlatFile.temporaryPath(of: path), seconds: 5)
    save()
    #expect(load() == nil)
    #expect(try names() == [".numbers.new"])
  }

  @Test func `a file that cannot be written is none, and nothing is left of it`() throws {
    FlatFile.save(Self.blocks, notes: [], magic: Self.magic, to: folder + "/missing/numbers")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    save()
    #expect(try names() == ["numbers"])
  }

  @Test func `a checksum is another for every byte, place and length`() {
    var sums: Set<UInt64> = []
    func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { _ = sums.insert(FlatFile.checksum($0)) } }
    for length in 0..<70 { add([UInt8](repeating: 0, count: length)) }
    for place in 0..<70 {
      for bit in 0..<8 {
        var bytes = [UInt8](repeating: 0, count: 70)
        bytes[place] = 1 << bit
        add(bytes)
      }
    }
    #expect(sums.count == 70 + 70 * 8)
  }

  /// When the file was last written.
  private func times() throws -> [timespec] {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return [status.st_mtim, status.st_mtim]
  }

  /// Writes the file and gives it a time.
  private func rewrite(_ bytes: Data, _ times: [timespec]) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: bytes)
    try file.close()
    try #require(utimensat(AT_FDCWD, path, times, 0) == 0)
  }

  /// Leaves a file that was last written so many seconds ago.
  private func leave(_ path: String, seconds: Int) throws {
    try Data("a text".utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -TimeInterval(seconds))], ofItemAtPath: path)
  }
}
